package dev.octroi.api;

import static dev.octroi.api.ImageHost.json;
import static dev.octroi.api.ImageHost.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs as time passes: authorizations that expire, and jobs that do. */
class ImageTimesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final TickingClock CLOCK = new TickingClock(Instant.now());

  private static ImageHost host;

  private final Wallet wallet = Wallet.generate();

  @BeforeAll
  static void start() {
    host = new ImageHost(Map.of("gateway.images.fast-path", "100ms"), CLOCK);
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  private record Ordered(String id, String payment) {}

  /** An order whose pictures are drawn, and which its payer has not polled. */
  private Ordered drawn(String words) throws SQLException {
    String body = prompt(words);
    String waiting =
        "SELECT count(*) FROM image_job WHERE state = 'COMPLETED' AND settled_at IS NULL";
    long before = host.count(waiting);
    String payment = host.payment(host.draw(body), wallet, CLOCK);
    HttpResponse<String> answer = host.sent(host.draw(body), payment);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    await().atMost(PATIENCE).until(() -> host.vendor().isAsked(words));
    host.vendor().release();
    await().atMost(PATIENCE).until(() -> host.count(waiting) > before);
    return new Ordered(json(answer).path("id").asText(), payment);
  }

  /** The node finds that it has missed its heartbeat, and begins another life. */
  private static void pass(Duration time) {
    CLOCK.advance(time);
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              String payment =
                  host.payment(host.draw(prompt("now filtered")), Wallet.generate(), CLOCK);
              return host.sent(host.draw(prompt("now filtered")), payment).statusCode() == 400;
            });
  }

  private static HttpResponse<String> poll(Ordered ordered, String payment) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> host.sent(host.poll(ordered.id()), payment),
            answer -> answer.statusCode() != 503 && answer.statusCode() != 202);
  }

  @Test
  @Tag("spec:state.image_job.completed")
  @Tag("spec:money.9")
  void aPollAfterTheOrdersAuthorizationExpiredPaysWithItsOwn() throws SQLException {
    Ordered ordered = drawn("held late");
    pass(Duration.ofSeconds(310));
    HttpResponse<String> late = poll(ordered, ordered.payment());
    assertThat(late.statusCode()).as("it asks for another signature").isEqualTo(402);
    assertThat(late.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isPresent();

    String fresh = host.payment(host.poll(ordered.id()), wallet, CLOCK);
    HttpResponse<String> done = poll(ordered, fresh);
    assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
    assertThat(json(done).path("payment").path("status").asText()).isEqualTo("settled");
    assertThat(json(poll(ordered, fresh)).path("payment").path("status").asText())
        .isEqualTo("already_settled");
  }

  @Test
  @Tag("spec:limit.image_job_retention")
  @Tag("spec:state.image_job.abandoned")
  void aJobIsGoneAfterTwoDaysAndNothingWasCharged() throws SQLException {
    Ordered ordered = drawn("held forgotten");
    String settled = "SELECT count(*) FROM payment WHERE state = 'SETTLED'";
    long before = host.count(settled);
    pass(Duration.ofHours(48).plusMinutes(1));
    assertThat(poll(ordered, ordered.payment()).statusCode()).isEqualTo(404);
    assertThat(host.http().send(host.poll(ordered.id()).build()).statusCode()).isEqualTo(404);
    assertThat(host.count(settled)).isEqualTo(before);
  }
}

package dev.octroi.api;

import static dev.octroi.api.ImageHost.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures that are read as they come: what the caller sees, and what it is charged. */
class ImageStreamsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String STARTING = "100000000";

  private final Wallet wallet = Wallet.generate();
  private ImageHost host;

  @BeforeEach
  void start() {
    host = new ImageHost(Map.of("gateway.sandbox.starting-balance", "100"));
  }

  @AfterEach
  void stop() {
    host.close();
  }

  private static String body(String words, String more) {
    return "{\"model\":\"provider-a/image-1\",\"stream\":true,\"prompt\":\""
        + words
        + "\""
        + more
        + "}";
  }

  private static String partial(String words) {
    return body(words, ",\"partial_images\":1");
  }

  private HttpRequest.Builder edit(String words) {
    String form = "--b\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n%s\r\n";
    String image = new String(ImageVendor.png(32, 32, false), StandardCharsets.ISO_8859_1);
    String all =
        form.formatted("image", "; filename=\"x.png\"", image)
            + form.formatted("prompt", "", words)
            + form.formatted("stream", "", "true")
            + form.formatted("partial_images", "", "1")
            + "--b--\r\n";
    return host.http()
        .request(ImageHost.EDIT)
        .header("Content-Type", "multipart/form-data; boundary=b")
        .POST(BodyPublishers.ofByteArray(all.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** A stream that is being read. */
  private record Reading(HttpResponse<InputStream> answer, BufferedReader lines)
      implements AutoCloseable {

    static Reading of(HttpResponse<InputStream> answer) {
      return new Reading(
          answer, new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8)));
    }

    JsonNode event() throws IOException {
      String name = lines.readLine();
      String data = lines.readLine();
      assertThat(lines.readLine()).isEmpty();
      JsonNode event = Admin.json(data.substring("data: ".length()));
      assertThat(name).isEqualTo("event: " + event.path("type").asText());
      return event;
    }

    List<JsonNode> rest() throws IOException {
      List<JsonNode> events = new ArrayList<>();
      for (lines.mark(1); lines.read() >= 0; lines.mark(1)) {
        lines.reset();
        events.add(event());
      }
      return events;
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  private Reading signed(HttpRequest.Builder request) {
    String payment = host.payment(request, wallet, Clock.systemUTC());
    return read(request.copy().header(PaymentHeaders.PAYMENT_SIGNATURE, payment));
  }

  private Reading byKey(HttpRequest.Builder request, IssuedKey key) {
    return read(request.copy().header("x-api-key", key.secret()));
  }

  private Reading read(HttpRequest.Builder request) {
    return Reading.of(host.http().send(request.build(), BodyHandlers.ofInputStream()));
  }

  private long balance() throws SQLException {
    return host.count("SELECT balance FROM book_account WHERE kind = 'PAYER'");
  }

  private void awaitBalance(long micros) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(balance()).isEqualTo(micros));
  }

  private long settled() throws SQLException {
    return host.count("SELECT count(*) FROM payment WHERE state = 'SETTLED'");
  }

  private static long start(long spent) {
    return Long.parseLong(STARTING) - spent;
  }

  @Test
  @Tag("spec:decision.images.stream")
  @Tag("spec:money.12")
  void aPayerThatSignsIsChargedBeforeTheFirstPictureLeaves() throws Exception {
    try (Reading reading = signed(host.draw(partial("two steps")))) {
      assertThat(reading.answer().statusCode()).isEqualTo(200);
      assertThat(reading.answer().headers().firstValue("Content-Type"))
          .contains("text/event-stream");
      assertThat(reading.answer().headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE))
          .isPresent();
      JsonNode first = reading.event();
      assertThat(first.path("type").asText()).isEqualTo("image_generation.partial_image");
      assertThat(first.path("partial_image_index").asInt()).isZero();
      assertThat(first.path("b64_json").asText()).isEqualTo(ImageVendor.picture(8));
      assertThat(settled()).as("while the last picture is being drawn").isEqualTo(1);
      assertThat(balance()).isEqualTo(start(21_000));

      host.vendor().release();
      JsonNode last = reading.event();
      assertThat(last.path("type").asText()).isEqualTo("image_generation.completed");
      assertThat(last.path("b64_json").asText()).isEqualTo(ImageVendor.picture(8));
      assertThat(last.path("created_at").asLong()).isPositive();
      assertThat(last.path("size").asText()).isEqualTo("1024x1024");
      assertThat(last.path("quality").asText()).isEqualTo("low");
      assertThat(last.path("background").asText()).isEqualTo("auto");
      assertThat(last.path("output_format").asText()).isEqualTo("png");
      assertThat(last.path("usage").path("total_tokens").asInt()).isEqualTo(7);
      assertThat(reading.rest()).isEmpty();
    }
    assertThat(balance()).isEqualTo(start(21_000));
    assertThat(host.count("SELECT count(*) FROM refund")).isZero();
    assertThat(host.count("SELECT count(*) FROM effect WHERE outcome = 'DONE'")).isEqualTo(1);
    assertThat(host.count("SELECT count(*) FROM image_job")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"it breaks, upstream_failed", "refusedlate, content_policy_violation"})
  @Tag("spec:decision.images.stream")
  @Tag("spec:money.6")
  void whatWasPaidIsGivenBackIfTheLastPictureNeverComes(String words, String code)
      throws Exception {
    try (Reading reading = signed(host.draw(partial(words)))) {
      reading.event();
      assertThat(balance()).isEqualTo(start(21_000));
      host.vendor().release();
      JsonNode error = reading.event();
      assertThat(error.path("type").asText()).isEqualTo("error");
      assertThat(error.path("error").path("code").asText()).isEqualTo(code);
      assertThat(error.path("error").path("message").asText())
          .contains("What was paid has gone back: refund ");
      assertThat(reading.rest()).isEmpty();
    }
    awaitBalance(start(0));
    assertThat(host.count("SELECT count(*) FROM refund WHERE state = 'PAID'")).isEqualTo(1);
  }

  @Test
  void aPaymentWhoseStreamWasRefundedBuysNoOther() throws Exception {
    HttpRequest.Builder request = host.draw(partial("it breaks"));
    String payment = host.payment(request, wallet, Clock.systemUTC());
    HttpRequest.Builder paying = request.copy().header(PaymentHeaders.PAYMENT_SIGNATURE, payment);
    try (Reading reading = read(paying)) {
      reading.event();
      host.vendor().release();
      reading.rest();
    }
    awaitBalance(start(0));
    int asked = host.vendor().asked().size();
    assertThat(host.http().send(paying.build()).statusCode()).isEqualTo(402);
    assertThat(host.vendor().asked()).hasSize(asked);
  }

  @Test
  void whatFailsBeforeThereIsAPictureIsAnErrorAsAlways() throws Exception {
    try (Reading reading = signed(host.draw(partial("refusedsoon")))) {
      assertThat(reading.answer().statusCode()).isEqualTo(400);
      assertThat(reading.answer().headers().firstValue("Content-Type"))
          .contains("application/json");
    }
    assertThat(settled()).isZero();
    assertThat(host.count("SELECT count(*) FROM payment WHERE state = 'RELEASED'")).isEqualTo(1);
    assertThat(host.count("SELECT count(*) FROM effect")).isZero();
  }

  /** Who has seen the picture grow and hangs up pays for it, as it was drawn. */
  @Test
  void aCallerThatHangsUpGetsNothingBackForAPictureThatWasDrawn() throws Exception {
    try (Reading reading = signed(host.draw(partial("hang up")))) {
      reading.event();
    }
    host.vendor().release();
    await()
        .atMost(PATIENCE)
        .until(() -> host.count("SELECT count(*) FROM effect WHERE outcome = 'DONE'") == 1);
    assertThat(balance()).isEqualTo(start(21_000));
    assertThat(host.count("SELECT count(*) FROM refund")).isZero();
  }

  @Test
  void aCallerThatHangsUpIsRefundedForAPictureThatWasNot() throws Exception {
    try (Reading reading = signed(host.draw(partial("hang up, it breaks")))) {
      reading.event();
    }
    host.vendor().release();
    awaitBalance(start(0));
  }

  @Test
  void aStreamWithoutSteppingStonesIsTheWholePictureAlone() throws Exception {
    try (Reading reading = signed(host.draw(body("at once", "")))) {
      assertThat(reading.answer().headers().firstValue(PaymentHeaders.PAYMENT_RESPONSE))
          .isPresent();
      JsonNode event = reading.event();
      assertThat(event.path("type").asText()).isEqualTo("image_generation.completed");
      assertThat(event.path("b64_json").asText()).isEqualTo(ImageVendor.picture(16));
      assertThat(reading.rest()).isEmpty();
    }
    assertThat(balance()).isEqualTo(start(21_000));
    assertThat(host.count("SELECT count(*) FROM effect")).isZero();
  }

  @Test
  @Tag("spec:decision.images.stream")
  @Tag("spec:money.7")
  void aCallByKeyIsChargedWhenItsLastPictureHasCome() throws Exception {
    IssuedKey key = host.key();
    try (Reading reading = byKey(host.draw(partial("by key")), key)) {
      reading.event();
      assertThat(reading.answer().headers().firstValue("X-Price-Amount")).contains("0.021000");
      assertThat(settled()).isZero();
      host.vendor().release();
      assertThat(reading.rest()).hasSize(1);
    }
    await().atMost(PATIENCE).until(() -> host.spent(key) == 21_000 && settled() == 1);
    assertThat(host.count("SELECT count(*) FROM effect")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"it breaks", "refusedlate"})
  @Tag("spec:money.7")
  void aCallByKeyIsNotChargedIfItNeverComes(String words) throws Exception {
    IssuedKey key = host.key();
    try (Reading reading = byKey(host.draw(partial(words)), key)) {
      reading.event();
      host.vendor().release();
      assertThat(reading.event().path("error").path("message").asText())
          .endsWith("Nothing is charged.");
    }
    released();
    assertThat(host.spent(key)).isZero();
  }

  private void released() {
    await()
        .atMost(PATIENCE)
        .until(() -> host.count("SELECT count(*) FROM payment WHERE state = 'RELEASED'") == 1);
  }

  @ParameterizedTest
  @CsvSource({"hang up, 21000", "'hang up, it breaks', 0"})
  @Tag("spec:money.7")
  void aCallByKeyThatHangsUpIsChargedForWhatWasDrawn(String words, long micros) throws Exception {
    IssuedKey key = host.key();
    try (Reading reading = byKey(host.draw(partial(words)), key)) {
      reading.event();
    }
    host.vendor().release();
    if (micros == 0) {
      released();
    }
    await().atMost(PATIENCE).until(() -> host.spent(key) == micros);
  }

  @Test
  void anEditIsReadAlike() throws Exception {
    try (Reading reading = signed(edit("at night"))) {
      assertThat(reading.event().path("type").asText()).isEqualTo("image_edit.partial_image");
      host.vendor().release();
      assertThat(reading.event().path("type").asText()).isEqualTo("image_edit.completed");
    }
    assertThat(balance()).isEqualTo(start(21_000));
    try (Reading reading = signed(edit("at night, it breaks"))) {
      reading.event();
      host.vendor().release();
      assertThat(reading.event().path("type").asText()).isEqualTo("error");
    }
    awaitBalance(start(21_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'model':'provider-a/image-1','stream':true,'n':2",
        "'model':'provider-a/image-1','stream':true,'response_format':'url'",
        "'model':'provider-a/image-1','stream':true,'partial_images':4",
        "'model':'provider-a/image-1','stream':1",
        "'model':'provider-d/image','stream':true"
      })
  void aStreamThatNoModelGivesIsRefused(String members) throws SQLException {
    HttpRequest.Builder request =
        host.draw("{'prompt':'p',%s}".formatted(members).replace('\'', '"'));
    HttpResponse<String> answer =
        host.sent(request, host.payment(request, wallet, Clock.systemUTC()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).path("error").path("code").asText()).isEqualTo("invalid_params");
    assertThat(settled()).isZero();
    assertThat(host.vendor().asked()).isEmpty();
  }

  @Test
  void aStreamThatIsReadTakesAPlaceAndGivesItBack() throws Exception {
    host.close();
    host = new ImageHost(Map.of("gateway.images.at-once", "1"));
    try (Reading reading = signed(host.draw(partial("the only one")))) {
      reading.event();
      HttpRequest.Builder other = host.draw(body("another", ""));
      assertThat(host.paid(other, wallet).status()).isEqualTo(429);
      host.vendor().release();
      reading.rest();
    }
    await()
        .atMost(PATIENCE)
        .until(() -> host.paid(host.draw(body("another", "")), wallet).status() == 200);
  }
}

package dev.octroi.api;

import static dev.octroi.api.ImageHost.json;
import static dev.octroi.api.ImageHost.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.SettlementResponse;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each row of the specification's table of image generation jobs, over HTTP. */
class ImageJobsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Clock CLOCK = Clock.systemUTC();

  /** Its calls become jobs at once, unless they fail or are done by then. */
  private static ImageHost host;

  private final Wallet wallet = Wallet.generate();

  @BeforeAll
  static void start() {
    host = new ImageHost(Map.of("gateway.images.fast-path", "100ms"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  private record Ordered(JsonNode job, String payment, String body) {
    String id() {
      return job.path("id").asText();
    }
  }

  private Ordered order(String words) {
    return order(words, "");
  }

  private Ordered order(String words, String more) {
    String body = prompt(words).replace("}", more + "}");
    String payment = host.payment(host.draw(body), wallet, CLOCK);
    HttpResponse<String> answer = host.sent(host.draw(body), payment);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
    await().atMost(PATIENCE).until(() -> host.vendor().isAsked(words));
    return new Ordered(json(answer), payment, body);
  }

  private static HttpResponse<String> poll(Ordered ordered) {
    return host.sent(host.poll(ordered.id()), ordered.payment());
  }

  /** Polls with the order's own payment until the job has ended. */
  private static HttpResponse<String> ended(Ordered ordered) {
    await().atMost(PATIENCE).until(() -> poll(ordered).statusCode() != 202);
    return poll(ordered);
  }

  private HttpResponse<String> completed(Ordered ordered) {
    host.vendor().release();
    return await()
        .atMost(PATIENCE)
        .until(() -> poll(ordered), answer -> answer.statusCode() != 202);
  }

  @Test
  @Tag("spec:state.image_job.queued")
  @Tag("spec:record.image_job.id")
  @Tag("spec:record.image_job.object")
  @Tag("spec:record.image_job.status")
  @Tag("spec:record.image_job.model")
  @Tag("spec:record.image_job.size")
  @Tag("spec:record.image_job.n")
  @Tag("spec:record.image_job.price")
  @Tag("spec:record.image_job.payment_status")
  @Tag("spec:record.image_job.created")
  @Tag("spec:record.image_job.poll_url")
  void aGenerationThatTakesLongBecomesAJobThatIsNotCharged() {
    Ordered ordered = order("held order");
    JsonNode job = ordered.job();
    assertThat(job.path("id").asText()).matches("img_[0-9a-f]{32}");
    assertThat(job.path("object").asText()).isEqualTo("image.generation.job");
    assertThat(job.path("status").asText()).isEqualTo("queued");
    assertThat(job.path("model").asText()).isEqualTo("provider-a/image-1");
    assertThat(job.path("size").asText()).isEqualTo("1024x1024");
    assertThat(job.path("n").asInt()).isEqualTo(1);
    assertThat(job.path("price").path("amount").asText()).isEqualTo("0.021000");
    assertThat(job.path("payment_status").asText()).isEqualTo("verified");
    assertThat(job.path("created").asLong()).isPositive();
    assertThat(job.path("poll_url").asText()).isEqualTo("/v1/images/generations/" + ordered.id());
    host.vendor().release();
  }

  @Test
  @Tag("spec:state.image_job.in_progress")
  void aPollOfAJobThatGoesOnIs202AndNotCharged() {
    Ordered ordered = order("held poll");
    HttpResponse<String> answer = poll(ordered);
    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(json(answer).path("status").asText()).isIn("queued", "in_progress");
    assertThat(json(answer).path("payment_status").asText()).isEqualTo("verified");
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    host.vendor().release();
  }

  @Test
  @Tag("spec:state.image_job.completed")
  @Tag("spec:state.image_job.already_settled")
  @Tag("spec:payment.rule.5")
  @Tag("spec:endpoint.images.job")
  @Tag("spec:record.image_job_completed.id")
  @Tag("spec:record.image_job_completed.object")
  @Tag("spec:record.image_job_completed.status")
  @Tag("spec:record.image_job_completed.model")
  @Tag("spec:record.image_job_completed.created")
  @Tag("spec:record.image_job_completed.data.url")
  @Tag("spec:record.image_job_completed.price")
  @Tag("spec:record.image_job_completed.payment.status")
  @Tag("spec:record.image_job_completed.payment.tx_hash")
  @Tag("spec:record.image_job_completed.payment.network")
  void theFirstPollOfACompletedJobPaysAndLaterOnesDoNot() {
    Ordered ordered = order("held complete", ",\"n\":2");
    HttpResponse<String> first = completed(ordered);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    JsonNode done = json(first);
    assertThat(done.path("id").asText()).isEqualTo(ordered.id());
    assertThat(done.path("object").asText()).isEqualTo("image.generation.job");
    assertThat(done.path("status").asText()).isEqualTo("completed");
    assertThat(done.path("model").asText()).isEqualTo("provider-a/image-1");
    assertThat(done.path("created")).isEqualTo(ordered.job().path("created"));
    assertThat(done.path("data")).hasSize(2);
    assertThat(done.path("price").path("amount").asText()).isEqualTo("0.042000");
    assertThat(done.path("payment").path("status").asText()).isEqualTo("settled");
    assertThat(done.path("payment").path("tx_hash").asText()).isNotEmpty();
    assertThat(done.path("payment").path("network").asText()).startsWith("eip155:");
    assertThat(first.headers().firstValue("PAYMENT-RESPONSE")).isPresent();

    PaidAnswer again = host.paid(host.poll(ordered.id()), wallet);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.receipt()).isNull();
    assertThat(json(again).path("payment").path("status").asText()).isEqualTo("already_settled");
    assertThat(json(again).path("payment").path("tx_hash"))
        .isEqualTo(done.path("payment").path("tx_hash"));
    assertThat(json(again).path("data")).isEqualTo(done.path("data"));
    assertThat(json(poll(ordered)).path("data")).isEqualTo(done.path("data"));

    String url = done.path("data").path(0).path("url").asText();
    HttpResponse<String> picture =
        host.http().get(url.substring(host.http().base().toString().length()));
    assertThat(picture.statusCode()).isEqualTo(200);
    assertThat(picture.headers().firstValue("Content-Type")).contains("image/png");
  }

  @Test
  @Tag("spec:state.image_job.failed")
  @Tag("spec:record.image_job_failed.id")
  @Tag("spec:record.image_job_failed.object")
  @Tag("spec:record.image_job_failed.status")
  @Tag("spec:record.image_job_failed.model")
  @Tag("spec:record.image_job_failed.error")
  @Tag("spec:record.image_job_failed.payment_status")
  void aFilteredJobFailsForGoodAndIsNotCharged() {
    Ordered ordered = order("held filtered");
    host.vendor().release();
    HttpResponse<String> answer = ended(ordered);
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode failed = json(answer);
    assertThat(failed.path("id").asText()).isEqualTo(ordered.id());
    assertThat(failed.path("object").asText()).isEqualTo("image.generation.job");
    assertThat(failed.path("model").asText()).isEqualTo("provider-a/image-1");
    assertThat(failed.path("status").asText()).isEqualTo("failed");
    assertThat(failed.path("payment_status").asText()).isEqualTo("not_charged");
    assertThat(failed.path("error").path("code").asText()).isEqualTo("content_policy_violation");
    assertThat(failed.path("error").path("message").asText()).isNotEmpty();
    assertThat(failed.path("retryable").isBoolean()).isTrue();
    assertThat(failed.path("retryable").asBoolean()).isFalse();
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
  }

  @Test
  @Tag("spec:state.image_job.failed")
  void aJobWhoseUpstreamFailedMayBeTriedAgain() {
    Ordered ordered = order("held fail");
    host.vendor().release();
    JsonNode failed = json(ended(ordered));
    assertThat(failed.path("status").asText()).isEqualTo("failed");
    assertThat(failed.path("error").path("code").asText()).isEqualTo("upstream_failed");
    assertThat(failed.path("retryable").asBoolean()).isTrue();
  }

  @Test
  void theSamePaymentSentAgainFindsItsJob() {
    Ordered ordered = order("held again");
    HttpResponse<String> again = host.sent(host.draw(ordered.body()), ordered.payment());
    assertThat(again.statusCode()).isEqualTo(202);
    assertThat(json(again).path("id").asText()).isEqualTo(ordered.id());
    host.vendor().release();
  }

  @Test
  @Tag("spec:payment.rule.5")
  @Tag("spec:state.image_job.ownership")
  void aJobIsItsPayersAlone() {
    Ordered ordered = order("held mine");
    assertThat(host.http().send(host.poll(ordered.id()).build()).statusCode()).isEqualTo(402);
    assertThat(host.paid(host.poll(ordered.id()), Wallet.generate()).status()).isEqualTo(404);
    assertThat(host.byKey(host.poll(ordered.id()), host.key()).statusCode()).isEqualTo(404);
    assertThat(host.paid(host.poll(ordered.id()), wallet).status()).isEqualTo(202);
    host.vendor().release();
    completed(ordered);
    assertThat(host.paid(host.poll(ordered.id()), Wallet.generate()).status()).isEqualTo(404);
  }

  @Test
  void aJobThatNobodyOrderedIs404() {
    HttpResponse<String> answer =
        host.http().send(host.poll("img_00000000000000000000000000000000").build());
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(json(answer).path("error").path("type").asText()).isEqualTo("not_found_error");
    assertThat(host.http().send(host.poll("nonsense").build()).statusCode()).isEqualTo(404);
  }

  @Test
  @Tag("spec:money.8")
  void anOwnerHasFourUnsettledJobsAtMost() {
    List<Ordered> four =
        Stream.of("a", "b", "c", "d").map(word -> order("held four " + word)).toList();
    PaidAnswer fifth = host.paid(host.draw(prompt("held fifth")), wallet);
    assertThat(fifth.status()).isEqualTo(429);
    assertThat(json(fifth).path("error").path("code").asText()).isEqualTo("rate_limited");
    completed(four.get(0));
    assertThat(host.paid(host.draw(prompt("held sixth")), wallet).status()).isEqualTo(202);
    host.vendor().release();
  }

  @Test
  void aKeysJobIsTheAccountsAndChargedOnce() {
    IssuedKey key = host.key();
    HttpResponse<String> ordered = host.byKey(host.draw(prompt("held key")), key);
    assertThat(ordered.statusCode()).as(ordered.body()).isEqualTo(202);
    assertThat(host.spent(key)).isZero();
    host.vendor().release();
    String id = json(ordered).path("id").asText();
    HttpResponse<String> done =
        await()
            .atMost(PATIENCE)
            .until(() -> host.byKey(host.poll(id), key), answer -> answer.statusCode() != 202);
    assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
    assertThat(json(done).path("payment").path("status").asText()).isEqualTo("settled");
    assertThat(host.spent(key)).isEqualTo(21_000);
    assertThat(json(host.byKey(host.poll(id), key)).path("payment").path("status").asText())
        .isEqualTo("already_settled");
    assertThat(host.spent(key)).isEqualTo(21_000);
  }

  @Test
  @Tag("spec:money.9")
  void ofManyPollersAtOnceOnePays() throws SQLException {
    Ordered ordered = order("held race");
    host.vendor().release();
    awaitCompletion(ordered);
    List<CompletableFuture<PaidAnswer>> pollers =
        Stream.generate(
                () ->
                    CompletableFuture.supplyAsync(() -> host.paid(host.poll(ordered.id()), wallet)))
            .limit(6)
            .toList();
    List<PaidAnswer> answers = pollers.stream().map(CompletableFuture::join).toList();
    assertThat(answers).allMatch(answer -> answer.status() != 500);
    // One who comes when the order's payment has just settled hears of it once more.
    assertThat(answers.stream().flatMap(answer -> transaction(answer).stream()).distinct())
        .hasSizeLessThan(2);
    JsonNode last = json(host.paid(host.poll(ordered.id()), wallet));
    assertThat(last.path("payment").path("status").asText()).isIn("settled", "already_settled");
    assertThat(
            host.count(
                "SELECT count(*) FROM payment WHERE state = 'SETTLED' AND path LIKE '%"
                    + ordered.id()
                    + "'"))
        .isEqualTo(1);
  }

  private static Optional<String> transaction(PaidAnswer answer) {
    return Optional.ofNullable(answer.receipt()).map(SettlementResponse::transaction);
  }

  private void awaitCompletion(Ordered ordered) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                host.http().send(host.poll(ordered.id()).build()).statusCode() == 402
                    && host.count(
                            "SELECT count(*) FROM image_job WHERE state = 'COMPLETED' AND place IS NOT NULL")
                        > 0);
  }

  @Test
  void picturesOfTheWorkInProgressAreListed() {
    Ordered ordered = order("progress", ",\"partial_images\":1");
    await().atMost(PATIENCE).until(() -> json(poll(ordered)).path("partial_images").size() == 1);
    assertThat(json(poll(ordered)).path("partial_images").path(0).path("url").asText())
        .contains("/v1/assets/");
    assertThat(json(completed(ordered)).path("data")).hasSize(1);
  }

  @Test
  void aJobMayBeWantedAsBytes() {
    Ordered ordered = order("held bytes", ",\"response_format\":\"b64_json\"");
    assertThat(json(completed(ordered)).path("data").path(0).path("b64_json").asText())
        .isEqualTo(ImageVendor.picture(16));
  }

  @Test
  void aPictureThatIsGoneFromItsVendorIsNotCharged() throws SQLException {
    Ordered ordered = order("held linked");
    HttpResponse<String> answer = completed(ordered);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(502);
    assertThat(json(answer).path("error").path("code").asText()).isEqualTo("upstream_failed");
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
    assertThat(
            host.count(
                "SELECT count(*) FROM payment WHERE state = 'SETTLED' AND path LIKE '%"
                    + ordered.id()
                    + "'"))
        .isZero();
  }

  /** A vendor's SDK knows no jobs: who calls as it does waits, and leaves no job behind. */
  @Test
  @Tag("spec:decision.images.sdk_answers")
  void aModelThatIsCalledByItsVendorsNameIsWaitedFor() throws Exception {
    long before = host.count("SELECT count(*) FROM image_job");
    String body = prompt("held sdk").replace("provider-a/image-1", "gpt-image-2");
    CompletableFuture<PaidAnswer> answer =
        CompletableFuture.supplyAsync(() -> host.paid(host.draw(body), wallet));
    await().atMost(PATIENCE).until(() -> host.vendor().isAsked("held sdk"));
    assertThat(answer)
        .as("it is still waited for when others are jobs")
        .failsWithin(Duration.ofMillis(300))
        .withThrowableOfType(TimeoutException.class);
    host.vendor().release();
    assertThat(answer.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    assertThat(host.count("SELECT count(*) FROM image_job")).isEqualTo(before);
  }

  @Test
  void aJobWhoseNodeDiedGoesOnElsewhere() throws SQLException {
    Ordered ordered = order("held orphan");
    int before = host.vendor().asked().size();
    host.gateway()
        .change("UPDATE image_job SET epoch = 1 WHERE place IS NOT NULL AND state = 'IN_PROGRESS'");
    await().atMost(PATIENCE).until(() -> host.vendor().asked().size() > before);
    HttpResponse<String> done = completed(ordered);
    assertThat(json(done).path("payment").path("status").asText()).isEqualTo("settled");
  }
}

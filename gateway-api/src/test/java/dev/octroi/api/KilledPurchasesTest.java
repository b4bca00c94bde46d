package dev.octroi.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.NumberVendor.Step;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A gateway that is killed amid a purchase, and what the same payment gets from its next start:
 * never a second number, never one that is lost, and the money back where there is none.
 */
@Tag("slow")
class KilledPurchasesTest {

  private static final int SECONDS = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(SECONDS);
  private static final String BUY = "/v1/marketplace/phone/numbers/buy";
  private static final String BODY = "{\"country\":\"US\"}";

  private final NumberVendor vendor = new NumberVendor();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private String url;
  private String base;
  private Process gateway;

  @AfterEach
  void close() throws Exception {
    kill();
    vendor.close();
  }

  private void start() throws IOException {
    gateway =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LeaseUntilKilled.class.getName(),
                url,
                vendor.base())
            .redirectErrorStream(true)
            .start();
    BufferedReader said = gateway.inputReader(UTF_8);
    String line = said.readLine();
    while (line != null && !line.startsWith(LeaseUntilKilled.SERVING)) {
      line = said.readLine();
    }
    assertThat(line).as("it serves").isNotNull();
    base = line.substring(LeaseUntilKilled.SERVING.length());
    CompletableFuture.runAsync(() -> said.lines().forEach(rest -> {}));
  }

  private void kill() throws InterruptedException {
    gateway.destroyForcibly();
    assertThat(gateway.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private HttpRequest.Builder request() {
    return HttpRequest.newBuilder(URI.create(base + BUY))
        .timeout(PATIENCE)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(BODY));
  }

  private HttpResponse<String> send(HttpRequest request) {
    return http.sendAsync(request, BodyHandlers.ofString()).join();
  }

  private HttpResponse<String> buy(String payment) {
    return send(request().header("PAYMENT-SIGNATURE", payment).build());
  }

  private String payment() {
    PaymentRequired challenge =
        PaymentRequired.read(
            send(request().build()).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(Wallet.generate(), Clock.systemUTC())
        .sign(challenge, challenge.accepts().get(0));
  }

  private long left(String change, String count) throws SQLException {
    try (HikariDataSource database = new HikariDataSource()) {
      database.setJdbcUrl(url);
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(change);
        try (ResultSet rows = statement.executeQuery(count)) {
          rows.next();
          return rows.getLong(1);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    // the step, how often it passes before, effects noted, status of the same payment afterwards
    "LISTING, 0, 0, 200",
    "LISTING, 1, 1, 502",
    "SELLING, 0, 1, 502",
    "SOLD, 0, 1, 200"
  })
  @Tag("spec:money.6")
  void aPurchaseKilledAtAnyStepBuysOneNumberOrNone(
      Step step, int passed, int effects, int status, @TempDir Path folder) throws Exception {
    url = "jdbc:h2:async:" + folder.resolve("books") + ";WRITE_DELAY=0";
    start();
    String payment = payment();
    CountDownLatch reached = vendor.stopAt(step, passed);
    CompletableFuture<HttpResponse<String>> lost =
        CompletableFuture.supplyAsync(() -> buy(payment));
    assertThat(reached.await(SECONDS, TimeUnit.SECONDS)).isTrue();

    kill();
    if (step == Step.SELLING) {
      vendor.mood(NumberVendor.Mood.FAILED);
    }
    vendor.letGo();
    assertThat(lost).failsWithin(PATIENCE);
    String past = "UPDATE effect SET begun_at = begun_at - INTERVAL '30' MINUTE";
    assertThat(left(past, "SELECT count(*) FROM effect")).isEqualTo(effects);
    start();

    HttpResponse<String> answer = buy(payment);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(vendor.owned()).hasSize(status == 200 ? 1 : 0);
    vendor.owned().values().forEach(number -> assertThat(answer.body()).contains(number));
    if (status != 200) {
      assertThat(answer.body()).contains("What was paid has gone back");
    }
    assertThat(vendor.purchases()).hasSizeLessThanOrEqualTo(1);
  }
}

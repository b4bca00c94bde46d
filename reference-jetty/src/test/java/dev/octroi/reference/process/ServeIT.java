package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.ledger.PaymentState;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator sees of the jar that serves. */
class ServeIT {

  private static final String PRICE = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";

  @TempDir private Path folder;

  @Test
  void itSaysWhereItIsAndWhatToTypeNextAndThatWorks() throws Exception {
    long begun = System.nanoTime();
    try (Running gateway = BuiltJar.in(folder, "--port", "0").start()) {
      URI base = gateway.awaitReady();
      System.out.println(
          "ready after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");

      assertThat(base.toString()).matches("http://127\\.0\\.0\\.1:[0-9]+");
      await().until(() -> gateway.outText().contains("java -jar"));
      assertThat(gateway.outText())
          .contains("sandbox: worthless", "1000")
          .containsPattern("demo payer +0x[0-9a-fA-F]{40}")
          .contains("never pay a sandbox with a funded mainnet key");
      String next =
          gateway.out().stream()
              .filter(line -> line.contains("java -jar"))
              .findFirst()
              .orElseThrow();
      try (Running typed = Running.start(List.of("sh", "-c", next.strip()), Map.of(), folder)) {
        assertThat(typed.awaitExit()).as(typed::said).isZero();
        assertThat(typed.outText()).contains("\"price\"");
        assertThat(typed.errText()).contains("sandbox:");
      }
      assertThat(folder.resolve("octroi-data").resolve("octroi.mv.db")).exists();
    }
  }

  @Test
  void aCallInFlightEndsBeforeTheProcessDoes() throws Exception {
    try (Running gateway = serving().start()) {
      URI base = gateway.awaitReady();
      Offer slow =
          Offer.ask(base, "/v1/marketplace/cryptodata/search/web?q=octroi-slow-3000", null);
      Sale sale = slow.accept(Wallet.generate());
      CompletableFuture<HttpResponse<String>> one = sale.sendAsync(base);
      CompletableFuture<HttpResponse<String>> other = sale.sendAsync(base);
      // Of two calls with the same payment one is refused from the moment on at which the other has
      // it.
      HttpResponse<?> refused = (HttpResponse<?>) CompletableFuture.anyOf(one, other).join();
      assertThat(refused.statusCode()).isEqualTo(409);
      CompletableFuture<HttpResponse<String>> call = one.isDone() ? other : one;

      gateway.terminate();

      assertThat(call.join().statusCode()).isEqualTo(200);
      assertThat(gateway.awaitExit()).as(gateway::said).isZero();
      try (LedgerTables tables = LedgerTables.ofFile(folder, folder.resolve("copies"))) {
        LedgerTables.Row row = tables.payment(sale).orElseThrow();
        assertThat(row.state()).isEqualTo(PaymentState.SETTLED);
        assertThat(row.delivered()).isTrue();
      }
    }
  }

  @Test
  void settingsComeFromTheCommandLineTheEnvironmentAndAFileInThatOrder() throws Exception {
    Path file = folder.resolve("some.properties");
    Files.writeString(
        file,
        "gateway.cors.max-age=1min\ngateway.cors.origins=http://file.localhost\n"
            + "gateway.http.port=1\n",
        UTF_8);
    int port = freePort();
    try (Running gateway =
        BuiltJar.quickIn(folder, "--port", String.valueOf(port), "--data", folder.toString())
            .and("--config", file.toString())
            .set("gateway.cors.max-age", "3min")
            .environment("GATEWAY_CORS_MAX_AGE", "2min")
            .environment("GATEWAY_CORS_ORIGINS", "http://environment.localhost")
            .environment("GATEWAY_HTTP_PORT", "2")
            .start()) {
      URI base = gateway.awaitReady();
      assertThat(base.getPort()).isEqualTo(port);
      HttpResponse<String> preflight =
          Offer.HTTP.send(
              HttpRequest.newBuilder(base.resolve(PRICE))
                  .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                  .header("Origin", "http://environment.localhost")
                  .header("Access-Control-Request-Method", "GET")
                  .build(),
              BodyHandlers.ofString());
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Origin"))
          .contains("http://environment.localhost");
      assertThat(preflight.headers().firstValue("Access-Control-Max-Age")).contains("180");
    }
  }

  @Test
  void everyProblemOfTheSettingsIsReportedAtOnce() throws Exception {
    try (Running gateway =
        serving()
            .set("gateway.http.port", "banana")
            .set("gateway.cors.max-age", "soon")
            .set("gateway.htp.gzip", "true")
            .environment("GATEWAY_LIMITS_JSON_DEPTH", "deep")
            .start()) {
      assertThat(gateway.awaitExit()).isEqualTo(1);
      assertThat(gateway.errText())
          .contains("gateway.cors.max-age", "gateway.htp.gzip", "GATEWAY_LIMITS_JSON_DEPTH")
          .doesNotContain("\tat ");
      assertThat(gateway.outText()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gateway.profile,live,gateway.sandbox.allow-live-upstreams-or-public-address",
    "gateway.http.bind-address,0.0.0.0,gateway.sandbox.public-address=true",
    "gateway.upstream.prediction.base-address,https://upstream.example,"
        + "gateway.sandbox.allow-live-upstreams-or-public-address"
  })
  @Tag("spec:payment.sandbox.safety")
  void worthlessMoneyMeetsNeitherRealUpstreamsNorStrangers(String key, String value, String change)
      throws Exception {
    try (Running gateway = serving().set(key, value).start()) {
      assertThat(gateway.awaitExit()).as(gateway::said).isEqualTo(1);
      assertThat(gateway.errText()).contains(change).doesNotContain("\tat ");
      assertThat(gateway.outText()).doesNotContain("ready");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "pay --help", "demo --help"})
  void everyCommandExplainsItself(String command) throws Exception {
    try (Running help = BuiltJar.quickIn(folder, command.split(" ")).start()) {
      assertThat(help.awaitExit()).isZero();
      assertThat(help.outText()).startsWith("Usage: octroi").contains("--help");
      assertThat(help.errText()).isEmpty();
    }
  }

  @Test
  void anUnknownOptionIsWrongUsage() throws Exception {
    try (Running wrong = BuiltJar.quickIn(folder, "--prot", "1").start()) {
      assertThat(wrong.awaitExit()).isEqualTo(2);
      assertThat(wrong.errText()).contains("--prot", "Usage:");
    }
  }

  /** What the node's first start has made for itself. */
  @Test
  void secretsAreReadableByTheirOwnerOnly() throws Exception {
    try (Running gateway = serving().start()) {
      gateway.awaitReady();
      await().until(() -> Files.exists(folder.resolve("demo-payer.key")));
      for (String secret : Arrays.asList("demo-payer.key", "answer.key")) {
        assertThat(Files.getPosixFilePermissions(folder.resolve(secret)).toString())
            .doesNotContain("GROUP", "OTHERS");
      }
    }
  }

  private BuiltJar serving() throws Exception {
    return BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString());
  }

  @Test
  void aNodeThatIsToStopSaysSoAndServesUntilBalancersHaveNoticed() throws Exception {
    BuiltJar jar =
        serving().set("gateway.http.drain-delay", "60s").set("gateway.access-log", "json");
    try (Running gateway = jar.start()) {
      URI base = gateway.awaitReady();
      assertThat(get(base, "/health/ready").statusCode()).isEqualTo(200);
      assertThat(get(base, "/health/ready").body()).contains("\"migrations\"");

      gateway.terminate();

      await().until(() -> get(base, "/health/ready").statusCode() == 503);
      assertThat(get(base, "/health/ready").body()).contains("\"draining\"");
      assertThat(get(base, "/health/live").statusCode()).isEqualTo(200);
      assertThat(get(base, PRICE).statusCode()).isEqualTo(402);
      assertThat(get(base, "/metrics").body())
          .contains(
              "octroi_calls_total{", "hikaricp_connections_active{", "jvm_memory_used_bytes{");
      await().until(() -> gateway.outText().contains("\"status\":402"));
      assertThat(gateway.outText()).contains("\"endpoint\":\"" + PRICE.split("\\?", 2)[0]);
    }
  }

  @Test
  void allThatIsSaidIsLinesOfJsonWhereThatIsAskedFor() throws Exception {
    BuiltJar jar =
        serving()
            .set("gateway.log.format", "json")
            .set("gateway.access-log", "json")
            .environment("OCTROI_LOG_LEVEL", "INFO");
    try (Running gateway = jar.start()) {
      URI base = gateway.awaitReady();
      HttpResponse<String> unpaid = get(base, PRICE);
      String request = unpaid.headers().firstValue("X-Request-Id").orElseThrow();
      await().until(() -> gateway.outText().contains("\"status\":402"));
      gateway.terminate();
      assertThat(gateway.awaitExit()).as(gateway::said).isZero();

      List<JsonNode> out = Json.lines(gateway.out());
      assertThat(out.get(0).path("message").asText())
          .isEqualTo("Octroi is ready on " + base + " for the sandbox's worthless money");
      assertThat(out)
          .anySatisfy(line -> assertThat(line.path("request").asText()).isEqualTo(request));
      List<JsonNode> err = Json.lines(gateway.errText().lines().toList());
      assertThat(err)
          .isNotEmpty()
          .allSatisfy(
              line ->
                  assertThat(line.fieldNames())
                      .toIterable()
                      .contains("at", "level", "logger", "message"));
    }
  }

  /** Reads each line by itself, as a collector of logs does. */
  private static final class Json {

    private static final ObjectMapper MAPPER =
        JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    static List<JsonNode> lines(List<String> lines) throws Exception {
      List<JsonNode> read = new ArrayList<>();
      for (String line : lines) {
        JsonNode object = MAPPER.readTree(line);
        assertThat(object.isObject()).as(line).isTrue();
        read.add(object);
      }
      return read;
    }
  }

  private static HttpResponse<String> get(URI base, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(base.resolve(path)).build(), BodyHandlers.ofString());
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

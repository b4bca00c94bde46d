package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayApplication;
import dev.octroi.api.ReadFilter;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.reference.ReferenceGateway.Cdi;
import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A read is answered before JAX-RS exactly as JAX-RS answers it, whatever is wrong with it. */
class ReadFilterTest {

  private static final String READ = "/v1/marketplace/prediction/venue-a/markets?limit=1";
  private static final String OTHER = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";

  /** Made anew for each payment. */
  private static final Set<String> OF_A_PAYMENT =
      Set.of("payment-response", "x-payment-id", "x-payment-receipt", "date");

  @TempDir static Path data;

  private static Sandbox sandbox;
  private static Database database;
  private static WeldContainer container;
  private static JettyServer before;
  private static JettyServer jaxrs;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    sandbox = Sandbox.start();
    ServeOptions options =
        new ServeOptions(
            new DataDirectory(data),
            SettingsSources.none()
                .values(
                    "test", Map.of("gateway.http.port", "0", "gateway.http.gzip-from", "100B")));
    GatewaySettings settings = ReferenceGateway.settings(options, sandbox.url());
    database = Database.open(settings.database());
    container = Cdi.boot(settings, database);
    Gateway gateway = container.select(Gateway.class).get();
    before = server(gateway, List.of(new ReadFilter(gateway)));
    jaxrs = server(gateway, List.of());
  }

  private static JettyServer server(Gateway gateway, List<jakarta.servlet.Filter> first)
      throws Exception {
    return JettyServer.start(
        gateway.settings().http(),
        gateway.payments().bodies(),
        new GatewayApplication(gateway),
        first,
        gateway::broken);
  }

  @AfterAll
  static void stop() throws Exception {
    before.close();
    jaxrs.close();
    container.select(Gateway.class).get().close();
    container.shutdown();
    database.close();
    sandbox.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain | " + READ,
        "a path in the other group | " + OTHER,
        "no such row | /v1/marketplace/prediction/nothing",
        "no such group | /v1/marketplace/nothing",
        "an alias | /v1/prediction/venue-a/markets",
        "another version's prefix | /api/v1/marketplace/prediction/venue-a/markets",
        "a path parameter | /v1/marketplace/prediction/venue-a/wallet/0x12",
        "a trick | /v1/marketplace/prediction/venue-a/markets;x=1",
        "dots | /v1/marketplace/prediction/venue-a/./markets",
        "an escape | /v1/marketplace/prediction/venue%2da/markets",
        "a broken query | /v1/marketplace/prediction/venue-a/markets?limit=%E0%A4",
      })
  void withoutPayment(String what, String path) throws Exception {
    assertThat(answer(before, path, Map.of())).as(what).isEqualTo(answer(jaxrs, path, Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Accept-Encoding | gzip",
        "Accept | text/html,application/xhtml+xml",
        "Origin | https://example.com",
        "Origin | http://localhost:3000",
        "Authorization | Bearer sk-unknown",
        "Authorization | Basic abc",
        "X-Request-Id | of-mine",
        "X-Request-Id | <of mine>",
        "X-Forwarded-For | 203.0.113.7",
        "PAYMENT-SIGNATURE | nonsense",
        "traceparent | 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      })
  void withAHeader(String name, String value) throws Exception {
    Map<String, String> headers = Map.of(name, value);
    assertThat(answer(before, READ, headers)).isEqualTo(answer(jaxrs, READ, headers));
  }

  @ParameterizedTest
  @CsvSource({"HEAD", "POST", "OPTIONS", "DELETE"})
  void withAnotherMethod(String method) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder().method(method, HttpRequest.BodyPublishers.noBody());
    assertThat(answer(before, READ, request)).isEqualTo(answer(jaxrs, READ, request));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        READ,
        OTHER,
        "/v1/marketplace/prediction/venue-a/markets?limit=9999",
        "/v1/marketplace/cryptodata/exchange/price?pair=nonsense",
        "/v1/marketplace/cryptodata/exchange/price?pair=FAIL503-OCTROI",
      })
  void paidFor(String path) throws Exception {
    Map<String, String> one = answer(before, path, payment(before, path));
    assertThat(one).isEqualTo(answer(jaxrs, path, payment(jaxrs, path)));
    assertThat(one.get("status")).isNotEqualTo("402");
  }

  @Test
  void aPaymentBuysOneAnswerWhicheverWayItCame() throws Exception {
    Map<String, String> payment = payment(before, READ);
    assertThat(answer(before, READ, payment)).containsEntry("status", "200");
    assertThat(answer(jaxrs, READ, payment))
        .containsEntry("status", "402")
        .hasEntrySatisfying("body", body -> assertThat(body).contains("nonce_already_used"));
    assertThat(answer(before, OTHER, payment)).containsEntry("status", "402");
  }

  private Map<String, String> payment(JettyServer server, String path) throws Exception {
    String header =
        send(server, path, HttpRequest.newBuilder())
            .headers()
            .firstValue(PaymentHeaders.PAYMENT_REQUIRED)
            .orElseThrow();
    PaymentRequired challenge = PaymentRequired.read(header);
    PaymentSigner signer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
    return Map.of("PAYMENT-SIGNATURE", signer.sign(challenge, challenge.accepts().get(0)));
  }

  private Map<String, String> answer(JettyServer server, String path, Map<String, String> headers)
      throws Exception {
    Map<String, String> all = new HashMap<>(headers);
    all.putIfAbsent("X-Request-Id", "the-same");
    HttpRequest.Builder request = HttpRequest.newBuilder();
    all.forEach(request::header);
    Map<String, String> answer = answer(server, path, request);
    if (!headers.getOrDefault("X-Request-Id", "-").matches("[a-z-]+")) {
      answer.put("x-request-id", "made");
      answer.put("request-id", "made");
    }
    return answer;
  }

  /** All that can be compared: the port of the server is not, nor what only one payment has. */
  private Map<String, String> answer(JettyServer server, String path, HttpRequest.Builder request)
      throws Exception {
    HttpResponse<byte[]> answer = send(server, path, request);
    Map<String, String> seen = new TreeMap<>();
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              String low = name.toLowerCase(Locale.ROOT);
              String value = String.join(", ", sorted(values));
              if (low.equals("payment-required")) {
                value = new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
              }
              seen.put(low, OF_A_PAYMENT.contains(low) ? "made" : value);
            });
    for (String id : List.of("x-request-id", "request-id")) {
      seen.computeIfPresent(id, (n, v) -> v.matches("[0-9a-f]{16}") ? "made" : v);
    }
    seen.put("status", Integer.toString(answer.statusCode()));
    seen.put("body", Base64.getEncoder().encodeToString(answer.body()));
    if (!seen.containsKey("content-encoding")) {
      seen.put("body", new String(answer.body(), StandardCharsets.UTF_8));
    } else {
      seen.remove("body");
      seen.remove("content-length");
    }
    String port = ":" + server.baseUrl().getPort();
    seen.replaceAll((name, value) -> value.replace(port, ":port"));
    return seen;
  }

  private static List<String> sorted(List<String> values) {
    return values.stream().flatMap(value -> Arrays.stream(value.split(", "))).sorted().toList();
  }

  private HttpResponse<byte[]> send(JettyServer server, String path, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(
        request.copy().uri(URI.create(server.baseUrl() + path)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }
}

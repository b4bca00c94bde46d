package dev.octroi.reference.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.reference.DataDirectory;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every example of what is sold, tried with sandbox money, works and has something to show, and so
 * does every example of what is free.
 */
class ExamplesTest {

  /** What is sold for a number, a call or a job that the payer has bought before. */
  private static final Set<String> OF_THE_PAYERS_OWN =
      Set.of(
          "/v1/images/generations/{id}",
          "/v1/marketplace/phone/numbers/list",
          "/v1/marketplace/phone/numbers/release",
          "/v1/marketplace/phone/numbers/renew",
          "/v1/marketplace/voice/call",
          "/v1/marketplace/voice/call/end",
          "/v1/marketplace/voice/call/transfer",
          "/v1/marketplace/voice/call/{id}");

  /** What is free and takes something that a reader would have to make up. */
  private static final Set<String> FREE =
      Set.of(
          "POST /v1/messages/count_tokens",
          "POST /v1/responses/input_tokens",
          "GET /v1/models/{model}");

  private static final Map<String, String> SETTINGS =
      Map.of("gateway.http.port", "0", "gateway.limits.unpaid-per-minute", "1000000");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir private static Path folder;
  private static ReferenceGateway gateway;
  private static JsonNode document;

  @BeforeAll
  static void start() throws Exception {
    SettingsSources sources = SettingsSources.none().values("examples", SETTINGS);
    gateway = ReferenceGateway.start(new ServeOptions(new DataDirectory(folder), sources));
    HttpRequest ask = HttpRequest.newBuilder(gateway.baseUrl().resolve("/openapi.json")).build();
    document = JSON.readTree(HTTP.send(ask, BodyHandlers.ofByteArray()).body());
  }

  @AfterAll
  static void stop() throws IOException {
    gateway.close();
  }

  @Test
  @Tag("slow")
  void everyExampleWorksAndIsNotEmpty() throws Exception {
    List<String> faults = new ArrayList<>();
    int tried = 0;
    for (DescribedCall call : shown()) {
      HttpRequest request = call.example(gateway.baseUrl()).orElse(null);
      if (request != null) {
        tried++;
        PaidAnswer answer = paid(request);
        String told = request.method() + " " + request.uri() + " -> " + answer.status();
        if (answer.status() / 100 != 2) {
          faults.add(told + " " + text(answer));
        } else if (isEmpty(answer)) {
          faults.add(told + " is empty: " + text(answer));
        }
      } else {
        faults.add(call + " has no example");
      }
    }

    assertThat(faults).isEmpty();
    assertThat(tried).isGreaterThan(200);
    assertThat(shown()).map(DescribedCall::toString).containsAll(FREE);
  }

  private static List<DescribedCall> shown() {
    List<DescribedCall> calls = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        String verb = operation.getKey().toUpperCase(Locale.ROOT);
        calls.add(new DescribedCall(path.getKey(), verb, operation.getValue()));
      }
    }
    calls.removeIf(
        call ->
            call.isPaid()
                ? OF_THE_PAYERS_OWN.contains(call.path())
                : !FREE.contains(call.toString()) && !call.hasExample());
    return calls;
  }

  private static PaidAnswer paid(HttpRequest request) throws Exception {
    PaymentSigner signer = new PaymentSigner(Wallet.generate(), Clock.systemUTC());
    return new PayingClient(HTTP, signer, SpendingLimit.of(Usd.parse("100"))).send(request);
  }

  private static String text(PaidAnswer answer) {
    String body = new String(answer.body(), StandardCharsets.UTF_8);
    return body.substring(0, Math.min(300, body.length()));
  }

  /** Whether an answer has lists, and nothing in any of them. */
  private static boolean isEmpty(PaidAnswer answer) throws IOException {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    if (!type.startsWith("application/json")) {
      return answer.body().length == 0;
    }
    JsonNode body = JSON.readTree(answer.body());
    List<JsonNode> containers =
        StreamSupport.stream(body.spliterator(), false)
            .filter(node -> node.isArray() || (node.isObject() && node != body.get("price")))
            .toList();
    return body.isContainerNode()
        && (body.isEmpty()
            || (!containers.isEmpty() && containers.stream().allMatch(JsonNode::isEmpty)));
  }
}

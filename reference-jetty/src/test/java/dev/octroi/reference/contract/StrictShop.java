package dev.octroi.reference.contract;

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
import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole gateway before a sandbox that offers the vendors' public contracts and no more, a
 * payer, and what the contracts refused of the gateway's requests.
 */
final class StrictShop implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TOO_MANY = 429;

  private final Sandbox sandbox;
  private final ReferenceGateway gateway;
  private final Map<String, List<String>> refused = new HashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private PayingClient payer = newPayer();
  private boolean onePayer;

  StrictShop(Path folder) throws Exception {
    sandbox = Sandbox.start(0, true);
    Map<String, String> settings = new HashMap<>(sandbox.settings());
    settings.put("gateway.http.port", "0");
    settings.put("gateway.limits.unpaid-per-minute", "1000000");
    settings.put("gateway.images.fast-path", "30s");
    SettingsSources sources = SettingsSources.none().values("test", settings);
    gateway = ReferenceGateway.start(new ServeOptions(new DataDirectory(folder), sources));
  }

  private PayingClient newPayer() {
    return new PayingClient(
        http,
        new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
        SpendingLimit.of(Usd.parse("10")));
  }

  /** From now on one payer makes all calls, as who leases a number must. */
  void stayOnePayer() {
    onePayer = true;
  }

  /** An answer of the gateway's. */
  record Answer(int status, String body) {

    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException notJson) {
        return JSON.nullNode();
      }
    }
  }

  Answer get(String subject, String target) {
    return ask(subject, HttpRequest.newBuilder(gateway.baseUrl().resolve(target)).GET());
  }

  Answer post(String subject, String target, String json) {
    return ask(
        subject,
        HttpRequest.newBuilder(gateway.baseUrl().resolve(target))
            .header("Content-Type", "application/json")
            .header("anthropic-version", "2023-06-01")
            .POST(BodyPublishers.ofString(json)));
  }

  Answer post(String subject, String target, String mediaType, byte[] body) {
    return ask(
        subject,
        HttpRequest.newBuilder(gateway.baseUrl().resolve(target))
            .header("Content-Type", mediaType)
            .POST(BodyPublishers.ofByteArray(body)));
  }

  /** Asks and pays; what a contract refuses meanwhile is put down under the subject. */
  private Answer ask(String subject, HttpRequest.Builder request) {
    if (!onePayer) {
      payer = newPayer();
    }
    List<String> before = sandbox.refusals();
    Answer answer;
    try {
      PaidAnswer said = payer.send(request.build());
      answer = new Answer(said.status(), new String(said.body(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    if (answer.status() == TOO_MANY) {
      throw new AssertionError(subject + " was not let through: " + answer.body());
    }
    List<String> after = new ArrayList<>(sandbox.refusals());
    before.forEach(after::remove);
    after.forEach(line -> refused.computeIfAbsent(line, any -> new ArrayList<>()).add(subject));
    return answer;
  }

  /** What the contracts refused, a line each: what was refused, and of whose requests. */
  List<String> refused() {
    return refused.entrySet().stream()
        .map(line -> line.getKey() + "  <-  " + String.join(", ", line.getValue()))
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    gateway.close();
    sandbox.close();
  }
}

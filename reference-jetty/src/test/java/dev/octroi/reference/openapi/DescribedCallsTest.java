package dev.octroi.reference.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PayingClient.PaymentDeclined;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Generated calls of every operation get what the description promises, from the whole gateway. */
class DescribedCallsTest {

  private static final Map<String, String> SETTINGS =
      Map.of("gateway.http.port", "0", "gateway.limits.unpaid-per-minute", "1000000");

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static Path folder;
  private static ReferenceGateway gateway;
  private static JsonNode document;
  private static Promises promises;

  private record Asked(DescribedCall call, HttpRequest request) {}

  @BeforeContainer
  static void start() throws Exception {
    folder = Files.createTempDirectory("described-calls");
    SettingsSources sources = SettingsSources.none().values("calls", SETTINGS);
    gateway = ReferenceGateway.start(new ServeOptions(new DataDirectory(folder), sources));
    HttpRequest ask = HttpRequest.newBuilder(gateway.baseUrl().resolve("/openapi.json")).build();
    document = new ObjectMapper().readTree(HTTP.send(ask, BodyHandlers.ofByteArray()).body());
    promises = new Promises(document);
  }

  @AfterContainer
  static void stop() throws IOException {
    gateway.close();
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }

  @Property(tries = 1, seed = "20261121", shrinking = ShrinkingMode.OFF)
  void everyAnswerIsOneThatIsDescribed(@ForAll Random random) throws Exception {
    callAll(random);
  }

  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void soIsEachOfMany(@ForAll Random random) throws Exception {
    callAll(random);
  }

  /** What is asked is drawn first: it depends on the seed alone, and not on who is served first. */
  private static void callAll(Random random) throws Exception {
    Values values = new Values(document, random);
    List<Asked> asked = new ArrayList<>();
    for (DescribedCall call : calls()) {
      asked.add(new Asked(call, call.request(gateway.baseUrl(), values)));
    }
    long good = asked.parallelStream().filter(DescribedCallsTest::isGood).count();
    // Generated calls that were all refused would show nothing.
    assertThat(good).isGreaterThan(60);
  }

  private static boolean isGood(Asked asked) {
    try {
      PaidAnswer answer = answer(asked.call(), asked.request());
      promises.keep(asked.call(), asked.request().uri().toString(), answer);
      return answer.status() == 200;
    } catch (Exception e) {
      throw new IllegalStateException(asked.call().toString(), e);
    }
  }

  private static List<DescribedCall> calls() {
    List<DescribedCall> calls = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        calls.add(
            new DescribedCall(
                path.getKey(), operation.getKey().toUpperCase(Locale.ROOT), operation.getValue()));
      }
    }
    return calls;
  }

  private static PaidAnswer answer(DescribedCall call, HttpRequest request) throws Exception {
    if (!call.isPaid()) {
      return unpaid(request);
    }
    // A payer that the gateway has not seen before: no limit per payer is reached.
    PayingClient payer =
        new PayingClient(
            HTTP,
            new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
            SpendingLimit.of(Usd.parse("100")));
    try {
      return payer.send(request);
    } catch (PaymentDeclined declined) {
      return unpaid(request);
    }
  }

  private static PaidAnswer unpaid(HttpRequest request) throws Exception {
    var answer = HTTP.send(request, BodyHandlers.ofByteArray());
    return new PaidAnswer(
        answer.statusCode(), answer.headers(), answer.body(), null, null, null, null);
  }
}

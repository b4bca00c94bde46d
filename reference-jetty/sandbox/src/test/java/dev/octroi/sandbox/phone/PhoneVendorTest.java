package dev.octroi.sandbox.phone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.Asking;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import java.net.URLEncoder;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhoneVendorTest {

  private static final String OURS = "/2010-04-01/Accounts/AC1";
  private static final String BOUGHT = OURS + "/IncomingPhoneNumbers.json";

  private final PhoneVendor vendor = new PhoneVendor(Clock.systemUTC());

  private static JsonNode json(SandboxAnswer answer) {
    return new ObjectMapper().valueToTree(answer.json());
  }

  private SandboxAnswer ask(String method, String path, Map<String, String> fields) {
    Map<String, List<String>> query = new HashMap<>();
    StringBuilder form = new StringBuilder();
    fields.forEach(
        (name, value) -> {
          if (method.equals("POST")) {
            form.append(name).append('=').append(URLEncoder.encode(value, UTF_8)).append('&');
          } else {
            query.put(name, List.of(value));
          }
        });
    Map<String, String> headers = new HashMap<>(Map.of("authorization", "Basic QUM6dG9rZW4="));
    if (method.equals("POST")) {
      headers.put("content-type", "application/x-www-form-urlencoded");
    }
    return Asking.ask(vendor, method, path, query, headers, form.toString().getBytes(UTF_8));
  }

  private JsonNode available(String country, String area) {
    String path = OURS + "/AvailablePhoneNumbers/" + country + "/Local.json";
    return json(ask("GET", path, Map.of("AreaCode", area))).path("available_phone_numbers");
  }

  private SandboxAnswer buy(String number, String name) {
    return ask("POST", BOUGHT, Map.of("PhoneNumber", number, "FriendlyName", name));
  }

  private JsonNode named(String name) {
    return json(ask("GET", BOUGHT, Map.of("FriendlyName", name))).path("incoming_phone_numbers");
  }

  @Test
  void anAreaRunsOutAndHasAgainWhatIsGivenBack() {
    JsonNode offered = available("US", "907");
    assertThat(offered).hasSize(2);
    offered.forEach(
        one -> assertThat(buy(one.path("phone_number").asText(), "mine").status()).isEqualTo(201));
    assertThat(available("US", "907")).isEmpty();
    assertThat(named("mine")).hasSize(2);
    assertThat(named("yours")).isEmpty();
    String sid = named("mine").get(0).path("sid").asText();
    String one = OURS + "/IncomingPhoneNumbers/" + sid + ".json";
    assertThat(ask("DELETE", one, Map.of()).status()).isEqualTo(204);
    assertThat(ask("DELETE", one, Map.of()).status()).isEqualTo(404);
    assertThat(available("US", "907")).hasSize(1);
  }

  @Test
  void areasBelongToTheirCountries() {
    assertThat(available("CA", "416")).isNotEmpty();
    assertThat(available("US", "416")).isEmpty();
    assertThat(available("US", "211")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"605, 400, 0", "406, 500, 1", "802, 500, 0", "415, 201, 1"})
  void purchasesGoAsTheirAreaSays(String area, int status, int sold) {
    assertThat(buy("+1" + area + "5550100", "mine").status()).isEqualTo(status);
    assertThat(named("mine")).hasSize(sold);
  }

  @Test
  void theFirstWishOfAPurchaseMayBeGoneAndTheNextNot() {
    assertThat(json(buy("+18085550100", "mine")).path("code").asInt()).isEqualTo(21422);
    assertThat(buy("+18085550101", "mine").status()).isEqualTo(201);
  }

  @Test
  void aNumberIsSoldOnce() {
    assertThat(buy("+14155550100", "mine").status()).isEqualTo(201);
    assertThat(buy("+14155550100", "yours").status()).isEqualTo(400);
  }

  @Test
  void theSilentVendorHasSoldAndStopsWaitingWhenItsCallerGoes() {
    Thread caller = Thread.currentThread();
    CompletableFuture<Void> hangUp =
        CompletableFuture.runAsync(
            () -> {
              while (named("mine").isEmpty()) {
                Thread.onSpinWait();
              }
              caller.interrupt();
            });
    assertThat(catchThrowable(() -> buy("+13075550100", "mine")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(hangUp).isNotCompletedExceptionally();
    assertThat(named("mine")).hasSize(1);
  }

  @Test
  void lookupsAreTheSameEachTimeAndHoldOnlyWhatIsAskedFor() {
    Map<String, String> fields = Map.of("Fields", "line_type_intelligence");
    String path = "/v2/PhoneNumbers/+14155550123";
    JsonNode once = json(ask("GET", path, fields));
    assertThat(json(ask("GET", path, fields))).isEqualTo(once);
    assertThat(once.at("/line_type_intelligence/carrier_name").isTextual()).isTrue();
    assertThat(once.path("sim_swap").isNull()).isTrue();
  }

  @Test
  void textsComeFromBoughtNumbersAndAreListed() {
    Map<String, String> text =
        Map.of("From", "+14155550100", "To", "+12065550100", "Body", "hello & bye");
    assertThat(ask("POST", OURS + "/Messages.json", text).status()).isEqualTo(400);
    buy("+14155550100", "mine");
    assertThat(ask("POST", OURS + "/Messages.json", text).status()).isEqualTo(201);
    JsonNode sent =
        json(ask("GET", OURS + "/Messages.json", Map.of("To", "+12065550100"))).path("messages");
    assertThat(sent.at("/0/body").asText()).isEqualTo("hello & bye");
    Map<String, String> failing =
        Map.of("From", "+14155550100", "To", "+12065550103", "Body", "hello");
    SandboxAnswer taken = ask("POST", OURS + "/Messages.json", failing);
    assertThat(taken.status()).isEqualTo(201);
    assertThat(json(taken).path("status").asText()).isEqualTo("failed");
  }
}

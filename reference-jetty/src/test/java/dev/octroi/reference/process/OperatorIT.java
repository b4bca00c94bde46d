package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the jar that operate a running gateway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final ObjectMapper JSON = new ObjectMapper();

  private Path folder;
  private Running gateway;
  private URI base;

  @BeforeAll
  void serve(@TempDir Path data) throws Exception {
    folder = data;
    gateway = BuiltJar.quickIn(data, "--port", "0", "--data", data.toString()).start();
    base = gateway.awaitReady();
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  @Test
  @Tag("spec:operator.command_line")
  @Tag("spec:auth.api_key")
  void aKeyIsMadeCalledWithSeenInUsageAndRevoked() throws Exception {
    JsonNode issued =
        JSON.readTree(
            said(
                    "keys",
                    "create",
                    "--name",
                    "script",
                    "--fund",
                    "10",
                    "--daily",
                    "5",
                    "--groups",
                    "cryptodata",
                    "--expires",
                    "30d",
                    "--json")
                .out());
    String secret = issued.path("secret").asText();
    String id = issued.path("key").path("key").path("id").asText();

    HttpResponse<String> sold = get(READ, secret);
    assertThat(sold.statusCode()).as(sold.body()).isEqualTo(200);
    assertThat(get("/v1/usage", secret).body()).contains("\"calls\":1", "\"group\":\"cryptodata\"");
    assertThat(get("/v1/marketplace/prediction/venue-a/markets", secret).statusCode())
        .isEqualTo(403);

    assertThat(said("keys", "list").out()).contains(id, "script", "active", "5.000000");
    assertThat(said("keys", "show", id).out()).contains("1009.990500 USD", "spentToday");
    assertThat(said("wallets").out()).contains("eip155", "script");
    String payments = said("payments", "find", "--key", id).out();
    assertThat(payments).contains("settled", "0.009500", "/exchange/price");
    String payment = payments.lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
    assertThat(said("payments", "show", payment).out()).contains("reserved", "settled", "0.009500");
    assertThat(get(READ.split("\\?")[0] + "?pair=!!", secret).statusCode()).isEqualTo(400);
    String failed =
        said("payments", "find", "--key", id, "--state", "not-charged", "--group", "cryptodata")
            .out()
            .lines()
            .skip(1)
            .findFirst()
            .orElseThrow();
    assertThat(said("payments", "find", "--key", id, "--path", "no-such").out())
        .isEqualTo("There are no payments that fit.");
    assertThat(said("payments", "show", failed.split(" ", 2)[0]).out())
        .contains("not charged")
        .containsPattern("status +400")
        .containsPattern("reason +.*pair")
        .containsPattern("upstream +-");
    assertThat(said("keys", "revoke", id).out()).isEqualTo(id + " revoked");
    assertThat(get("/v1/wallet", secret).statusCode()).isEqualTo(401);
    assertThat(gateway.errText())
        .contains("POST admin/v1/keys by the operator")
        .doesNotContain(secret);
  }

  @Test
  void anOperatorIsMadeSeenAndRevoked() throws Exception {
    JsonNode issued =
        JSON.readTree(
            said("operators", "create", "--name", "anna", "--role", "read", "--json").out());
    String id = issued.path("operator").path("id").asText();
    String token = issued.path("token").asText();
    assertThat(get("/admin/v1/keys", token).statusCode()).isEqualTo(200);
    assertThat(said("operators", "list").out()).contains(id, "anna", "read", "active");
    assertThat(said("operators", "revoke", id).out()).isEqualTo(id + " revoked");
    assertThat(get("/admin/v1/keys", token).statusCode()).isEqualTo(401);
    assertThat(gateway.errText()).doesNotContain(token);
  }

  @Test
  @Tag("spec:operator.command_line")
  void limitsThatAreNotNamedStayAndNoneTakesOneAway() throws Exception {
    JsonNode issued =
        JSON.readTree(
            said("keys", "create", "--name", "limits", "--daily", "5", "--monthly", "50", "--json")
                .out());
    String id = issued.path("key").path("key").path("id").asText();

    assertThat(said("keys", "limits", id, "--daily", "2").out())
        .containsPattern("daily +2.000000")
        .containsPattern("monthly +50.000000")
        .containsPattern("perCall +100.000000");
    assertThat(said("keys", "limits", id, "--monthly", "none").out())
        .containsPattern("daily +2.000000")
        .containsPattern("monthly +no limit");
    assertThat(said("keys", "create", "--name", "free", "--per-call", "none").code()).isZero();
    assertThat(said("keys", "list").out()).containsPattern("free .* - +1000.000000 +-");
  }

  @Test
  @Tag("spec:operator.command_line")
  void listsWithNothingInThemSaySo() throws Exception {
    assertThat(said("payments", "unresolved").out()).isEqualTo("There are no payments in doubt.");
    assertThat(said("payments", "find", "--payer", "0x" + "9".repeat(40)).out())
        .isEqualTo("There are no payments that fit.");
    assertThat(said("refunds").out()).isEqualTo("There are no refunds that are owed.");
    assertThat(said("effects").out()).isEqualTo("There are no such effects.");
    assertThat(said("payments", "unresolved", "--json").out()).isEqualTo("[]");
    assertThat(said("books", "export", "--json").out()).doesNotContain("debit,credit");
  }

  @Test
  void aWrongTokenIsSaidWithWhatToGive() throws Exception {
    BuiltJar wrong =
        BuiltJar.quickIn(folder, "keys", "list", "--admin-token", "wrong")
            .and("--url", base.toString());
    try (Running running = wrong.start()) {
      assertThat(running.awaitExit()).isEqualTo(3);
      assertThat(running.errText())
          .startsWith("The gateway at " + base + " refuses this operator's token.")
          .contains("--admin-token-file", "--data");
    }
  }

  /** Colours are for terminals, unless they are forced or forbidden. */
  @Test
  void coloursAreForTerminals() throws Exception {
    BuiltJar wrong = BuiltJar.quickIn(folder, "keys", "lst");
    assertColoured(wrong.environment("CLICOLOR_FORCE", "1"), true);
    assertColoured(wrong.environment("CLICOLOR_FORCE", "1").environment("NO_COLOR", "1"), false);
    assertColoured(wrong, false);
  }

  private static void assertColoured(BuiltJar jar, boolean coloured) throws Exception {
    try (Running running = jar.start()) {
      assertThat(running.awaitExit()).isEqualTo(2);
      assertThat(running.errText().contains("\u001b[")).as(running::said).isEqualTo(coloured);
    }
  }

  @Test
  @Tag("spec:operator.command_line")
  void pricesAreListedAndExplained() throws Exception {
    assertThat(said("prices").out()).contains("/v1/marketplace/cryptodata/market/etf", "0.009500");
    assertThat(said("prices", "explain", "GET", READ.replaceAll("\\?.*", "")).out())
        .containsPattern("now +0.009500 +list");
  }

  @Test
  @Tag("spec:operator.books")
  @Tag("spec:operator.refunds")
  void theBooksAreVerifiedExportedAndCorrected() throws Exception {
    JsonNode issued =
        JSON.readTree(said("keys", "create", "--name", "books", "--fund", "1", "--json").out());
    assertThat(get(READ, issued.path("secret").asText()).statusCode()).isEqualTo(200);
    String key = issued.path("key").path("key").path("id").asText();
    String payment = said("payments", "find", "--key", key).out();
    payment = payment.lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];

    Said refund = said("refunds", "pay", payment, "--amount", "0.0005", "--reason", "late");
    assertThat(refund.out()).contains("0.000500", "paid", "sandbox-refund:");
    assertThat(said("payments", "show", payment).out()).containsPattern("refunded +0.000500");
    assertThat(said("refunds", "pay", payment, "--amount", "1", "--reason", "more").code())
        .isEqualTo(3);
    assertThat(said("books", "export").out())
        .contains(",settlement,", ",refund,", ",500,0.000500,");
    Said books = said("books", "verify");
    assertThat(books.out()).startsWith("clean: ");
    assertThat(books.code()).isZero();
  }

  @Test
  @Tag("spec:operator.command_line")
  void aNodeIsDrainedBeforeItIsStoppedAndTakenBack() throws Exception {
    assertThat(said("node", "drain").out()).endsWith(" draining");
    assertThat(get("/health/ready", "").statusCode()).isEqualTo(503);
    assertThat(said("node").out()).endsWith(" draining");
    assertThat(said("node", "resume").out()).endsWith(" wants calls");
    assertThat(get("/health/ready", "").statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:operator.command_line")
  void exitCodesTellScriptsWhatWentWrong() throws Exception {
    assertThat(said("payments", "unresolved").code()).isZero();
    assertThat(said("prices", "explain", "GET", "/v1/nothing").code()).isEqualTo(3);
    assertThat(said("keys", "list", "--admin-token", "wrong").code()).isEqualTo(3);
    assertThat(said("keys", "list", "--url", "http://127.0.0.1:1").code()).isEqualTo(1);
    assertThat(said("keys", "create").code()).isEqualTo(2);
    assertThat(said("keys").code()).isZero();
    assertThat(said("books").code()).isEqualTo(2);
  }

  @Test
  void theOperatorsTokenIsReadableByItsOwnerOnly() throws Exception {
    for (String secret : new String[] {"admin-token", "master.key"}) {
      assertThat(Files.getPosixFilePermissions(folder.resolve(secret)).toString())
          .doesNotContain("GROUP", "OTHERS");
    }
  }

  private HttpResponse<String> get(String target, String secret) throws Exception {
    return Offer.HTTP.send(
        HttpRequest.newBuilder(base.resolve(target))
            .header("Authorization", "Bearer " + secret)
            .build(),
        BodyHandlers.ofString());
  }

  private record Said(int code, String out) {}

  private Said said(String... arguments) throws Exception {
    BuiltJar command = BuiltJar.quickIn(folder, arguments).and("--data", folder.toString());
    boolean elsewhere = java.util.List.of(arguments).contains("--url");
    BuiltJar there = elsewhere ? command : command.and("--url", base.toString());
    try (Running running = there.start()) {
      int code = running.awaitExit();
      assertThat(running.errText()).doesNotContain("\tat ");
      return new Said(code, running.outText());
    }
  }
}

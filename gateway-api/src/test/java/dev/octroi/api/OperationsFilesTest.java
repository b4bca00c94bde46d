package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The dashboard, the alert rules and the runbook, held against a gateway that is scraped. */
class OperationsFilesTest {

  private static final Path DOCS = Path.of("docs");
  private static final Path DASHBOARD = DOCS.resolve("operations/dashboard.json");
  private static final Path ALERTS = DOCS.resolve("operations/alerts.yml");
  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final Pattern NAME =
      Pattern.compile("\\b(?:octroi|hikaricp|jvm|process)_[a-z0-9_]+");
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
  private static final Pattern RUNBOOK = Pattern.compile("runbook: \"operations.md#(\\w+)\"");

  /** Sandbox money with a wallet that pays for gas. */
  private record Relaying(Facilitator sandbox) implements Facilitator {

    @Override
    public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
      return sandbox.verify(payload, terms);
    }

    @Override
    public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
      return sandbox.settle(payload, terms);
    }

    @Override
    public List<String> networks() {
      return sandbox.networks();
    }

    @Override
    public boolean settlesInLedger() {
      return true;
    }

    @Override
    public Map<String, BigInteger> gasMoney() {
      return Map.of("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F", BigInteger.TEN.pow(17));
    }

    @Override
    public Map<String, BigInteger> gasGiven() {
      return Map.of("done", BigInteger.TEN.pow(15), "lost", BigInteger.TEN.pow(15));
    }
  }

  private static GatewayHost relaying() {
    var checks = new ExactEvmVerifier(Clock.systemUTC(), Signatures.fastest());
    var sandbox = new SandboxFacilitator(checks::verify, List.of("eip155:8453"));
    return GatewayHost.with(Map.of(), builder -> builder.facilitator(new Relaying(sandbox)));
  }

  private static Set<String> found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    Set<String> found = new TreeSet<>();
    while (matcher.find()) {
      found.add(matcher.groupCount() == 0 ? matcher.group() : matcher.group(1));
    }
    return found;
  }

  @Test
  void everyFigureThatTheyNameIsThere() throws IOException {
    Set<String> named = found(NAME, Files.readString(DASHBOARD));
    named.addAll(found(NAME, Files.readString(ALERTS)));
    assertThat(named).hasSizeGreaterThan(20);
    try (GatewayHost host = relaying()) {
      assertThat(host.paid(READ).status()).isEqualTo(200);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                System.gc(); // its pauses are figures too
                ScrapedMetrics scraped = new ScrapedMetrics(host.http().get("/metrics").body());
                assertThat(scraped.names()).containsAll(named);
                assertThat(scraped.sum("octroi_relayer_balance")).isEqualTo(0.1);
                assertThat(scraped.sum("octroi_approvals_given")).isEqualTo(0.002);
              });
    }
  }

  @Test
  void everyPanelAsksForSomethingAndHasATitle() throws IOException {
    JsonNode dashboard = Admin.json(Files.readString(DASHBOARD));
    Set<Integer> ids = new TreeSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(panel.path("title").asText()).isNotBlank();
      assertThat(ids.add(panel.path("id").asInt())).isTrue();
      if (!panel.path("type").asText().equals("row")) {
        assertThat(panel.path("targets")).isNotEmpty();
        panel.path("targets").forEach(each -> assertThat(each.path("expr").asText()).isNotBlank());
      }
    }
    assertThat(ids).hasSizeGreaterThan(15);
  }

  @Test
  void everyAlertHasItsChapterInTheRunbook() throws IOException {
    String alerts = Files.readString(ALERTS);
    Set<String> names = found(ALERT, alerts);
    assertThat(names).hasSizeGreaterThan(10);
    assertThat(found(RUNBOOK, alerts))
        .isEqualTo(
            names.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new)));
    assertThat(Files.readString(DOCS.resolve("operations.md")).lines())
        .containsAll(names.stream().map(name -> "### " + name).toList());
  }
}

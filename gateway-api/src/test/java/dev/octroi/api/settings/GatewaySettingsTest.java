package dev.octroi.api.settings;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.GatewaySettings.AccessLogForm;
import dev.octroi.api.settings.GatewaySettings.AnswerCacheSettings;
import dev.octroi.api.settings.GatewaySettings.CorsSettings;
import dev.octroi.api.settings.GatewaySettings.LogSettings;
import dev.octroi.api.settings.GatewaySettings.LogSettings.LogFormat;
import dev.octroi.api.settings.GatewaySettings.MarketSettings;
import dev.octroi.api.settings.GatewaySettings.MetricsSettings;
import dev.octroi.api.settings.GatewaySettings.ReceiptSettings;
import dev.octroi.api.settings.GatewaySettings.SandboxSettings;
import dev.octroi.api.settings.GatewaySettings.TraceSettings;
import dev.octroi.api.settings.GatewaySettings.UpstreamsSettings;
import dev.octroi.api.settings.HttpSettings.TlsSettings;
import dev.octroi.api.settings.PaymentSettings.ChannelSettings;
import dev.octroi.api.settings.PaymentSettings.UptoSettings;
import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.ChallengeBody;
import dev.octroi.payments.x402.PaymentIdentifier.IdentifierPolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewaySettingsTest {

  private static final GatewaySettings DEFAULTS = GatewaySettings.read(SettingsSources.none());

  private static final String KEY = "A".repeat(43) + "=";
  private static final String OTHER_KEY = "E".repeat(43) + "=";

  private static GatewaySettings with(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values));
  }

  @Test
  void theDefaultsOfHttp() {
    assertThat(DEFAULTS.http())
        .isEqualTo(
            new HttpSettings(
                "127.0.0.1",
                8402,
                200,
                Optional.empty(),
                List.of(),
                List.of(),
                new TlsSettings(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    new Secret(""),
                    Duration.ofSeconds(10)),
                true,
                new DataSize(1024),
                Duration.ofSeconds(20),
                Duration.ZERO,
                Optional.empty()));
  }

  @Test
  void everySettingOfHttp() {
    assertThat(
            with(Map.ofEntries(
                    entry("gateway.http.bind-address", "::1"),
                    entry("gateway.http.port", "0"),
                    entry("gateway.http.threads", "300"),
                    entry("gateway.http.public-url", "https://pay.example"),
                    entry("gateway.http.hosts", "api.example, [::1]"),
                    entry("gateway.http.trusted-proxies", "10.0.0.0/8, 127.0.0.1"),
                    entry("gateway.http.tls.key-store", "/etc/octroi/server.p12"),
                    entry("gateway.http.tls.password", "hush"),
                    entry("gateway.http.tls.reload", "1min"),
                    entry("gateway.http.gzip", "false"),
                    entry("gateway.http.gzip-from", "2KiB"),
                    entry("gateway.http.shutdown-grace", "1min"),
                    entry("gateway.http.drain-delay", "10s"),
                    entry("gateway.http.own-prefix", "/octroi")))
                .http())
        .isEqualTo(
            new HttpSettings(
                "::1",
                0,
                300,
                Optional.of(URI.create("https://pay.example")),
                List.of("api.example", "[::1]"),
                List.of("10.0.0.0/8", "127.0.0.1"),
                new TlsSettings(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(Path.of("/etc/octroi/server.p12")),
                    new Secret("hush"),
                    Duration.ofMinutes(1)),
                false,
                new DataSize(2048),
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Optional.of("/octroi")));
  }

  @Test
  void callsThatWaitForVendorsLeaveThreadsToAllOthers() {
    assertThat(DEFAULTS.callsThatWait()).isEqualTo(200 - 64 - 16);
    assertThat(with(Map.of("gateway.mcp.calls-at-once", "10")).callsThatWait())
        .isEqualTo(200 - 10 - 16);
    assertThat(with(Map.of("gateway.http.threads", "100")).callsThatWait()).isEqualTo(50);
  }

  @Test
  void aCertificateComesWithItsKeyInTwoFilesOrInOne() {
    TlsSettings two =
        with(Map.of("gateway.http.tls.certificate", "chain.pem", "gateway.http.tls.key", "key.pem"))
            .http()
            .tls();
    assertThat(two.isSet()).isTrue();
    assertThat(two.certificate()).contains(Path.of("chain.pem"));
    assertThat(two.key()).contains(Path.of("key.pem"));
    assertThat(DEFAULTS.http().tls().isSet()).isFalse();
    assertThatThrownBy(() -> with(Map.of("gateway.http.tls.certificate", "chain.pem")))
        .hasMessageContaining("gateway.http.tls: certificate and key belong together");
    assertThatThrownBy(
            () ->
                with(
                    Map.of(
                        "gateway.http.tls.key-store", "a.p12", "gateway.http.tls.key", "key.pem")))
        .hasMessageContaining("gateway.http.tls: key-store takes the place");
    assertThatThrownBy(() -> with(Map.of("gateway.http.tls.reload", "0s")))
        .hasMessageContaining("gateway.http.tls: reload is longer than 0s");
  }

  @Test
  void theDefaultsOfWhatOperatorsLookAt() {
    assertThat(DEFAULTS.metrics())
        .isEqualTo(new MetricsSettings(true, List.of("127.0.0.0/8", "::1")));
    assertThat(DEFAULTS.traces())
        .isEqualTo(new TraceSettings(Optional.empty(), new Secret(""), 100, "octroi"));
    assertThat(DEFAULTS.log()).isEqualTo(new LogSettings(LogFormat.TEXT));
    assertThat(DEFAULTS.accessLog()).isEqualTo(AccessLogForm.OFF);
  }

  @Test
  void everySettingOfWhatOperatorsLookAt() {
    GatewaySettings settings =
        with(
            Map.of(
                "gateway.metrics.enabled", "false",
                "gateway.metrics.readers", "10.1.0.0/16",
                "gateway.traces.endpoint", "http://traces:4318/v1/traces",
                "gateway.traces.authorization", "Bearer hush",
                "gateway.traces.percent", "5",
                "gateway.traces.service", "toll",
                "gateway.log.format", "json",
                "gateway.access-log", "json"));
    assertThat(settings.metrics()).isEqualTo(new MetricsSettings(false, List.of("10.1.0.0/16")));
    assertThat(settings.traces())
        .isEqualTo(
            new TraceSettings(
                Optional.of(URI.create("http://traces:4318/v1/traces")),
                new Secret("Bearer hush"),
                5,
                "toll"));
    assertThat(settings.log()).isEqualTo(new LogSettings(LogFormat.JSON));
    assertThat(settings.accessLog()).isEqualTo(AccessLogForm.JSON);
  }

  @Test
  void everySettingOfWebhooks() {
    assertThat(DEFAULTS.webhooks().words()).isEmpty();
    String secret = "whsec_" + "A".repeat(32);
    Map<String, String> least =
        Map.of(
            "gateway.webhooks.shop.url",
            "https://shop.example/hook",
            "gateway.webhooks.shop.secret",
            secret);
    Secret url = new Secret("https://shop.example/hook");
    assertThat(with(least).webhooks().values().get("shop"))
        .isEqualTo(new WebhookSettings(url, new Secret(secret), List.of("*"), false));
    Map<String, String> more = new HashMap<>(least);
    more.put("gateway.webhooks.shop.secret", secret + ", whsec_" + "B".repeat(84) + "AA==");
    more.put("gateway.webhooks.shop.events", "job.done,payment.in_doubt");
    more.put("gateway.webhooks.shop.private-network", "true");
    more.put("gateway.webhooks.shop.url", "https://shop.example/hook?code=a%2Fb&more");
    WebhookSettings all = with(more).webhooks().values().get("shop");
    assertThat(all.address().uri()).hasToString("https://shop.example/hook?code=a%2Fb&more");
    assertThat(all.shownAddress()).isEqualTo("https://shop.example/****");
    assertThat(all.types()).containsExactlyInAnyOrder("job.done", "payment.in_doubt");
    assertThat(all.privateNetwork()).isTrue();
    assertThat(all.keys()).extracting(key -> key.length).containsExactly(24, 64);
    for (String bad :
        List.of("", "whsec_", "A".repeat(32), "whsec_AAAA", secret + ",", "whsec_A!")) {
      more.put("gateway.webhooks.shop.secret", bad);
      assertThatThrownBy(() -> with(more))
          .hasMessageContaining("secret is whsec_ and 24 to 64 bytes in base64");
    }
    more.putAll(least);
    for (String bad :
        List.of("", "shop.example/hook", "ftp://shop.example/", "https://a:b@shop.example/")) {
      more.put("gateway.webhooks.shop.url", bad);
      assertThatThrownBy(() -> with(more))
          .hasMessageContaining("url is an address of http or https")
          .hasMessageNotContaining("a:b");
    }
    more.putAll(least);
    more.put("gateway.webhooks.shop.events", "payment.settled,payment.made");
    assertThatThrownBy(() -> with(more))
        .hasMessageContaining("events are * or of budget.nearly_used");
  }

  @Test
  @Tag("spec:money.h2_write_delay")
  void theDefaultsOfTheDatabase() {
    assertThat(DEFAULTS.database())
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:h2:async:./octroi-data/octroi;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=256",
                Optional.empty(),
                "octroi",
                new Secret(""),
                8,
                Duration.ofSeconds(5),
                Optional.empty(),
                new Secret("")));
  }

  @Test
  void everySettingOfTheDatabase() {
    assertThat(
            with(Map.of(
                    "gateway.database.url", "jdbc:postgresql://db/octroi",
                    "gateway.database.jndi-name", "jdbc/octroi",
                    "gateway.database.user", "gate",
                    "gateway.database.password", "hush",
                    "gateway.database.pool-size", "20",
                    "gateway.database.connection-timeout", "500ms",
                    "gateway.database.node", "one",
                    "gateway.database.answer-key", KEY))
                .database())
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:postgresql://db/octroi",
                Optional.of("jdbc/octroi"),
                "gate",
                new Secret("hush"),
                20,
                Duration.ofMillis(500),
                Optional.of("one"),
                new Secret(KEY)));
  }

  @Test
  void theDefaultsOfFacilitators() {
    assertThat(DEFAULTS.facilitator())
        .isEqualTo(
            new FacilitatorSettings(
                List.of(),
                FacilitatorSettings.Auth.NONE,
                new Secret(""),
                "",
                new Secret(""),
                "octroi",
                List.of(),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Duration.ofMinutes(5),
                new DataSize(65536),
                Usd.parse("1"),
                false,
                new Secret(""),
                1200));
  }

  @Test
  void everySettingOfFacilitators() {
    assertThat(
            with(Map.ofEntries(
                    entry("gateway.facilitator.urls", "https://a.example/x402, http://b.example"),
                    entry("gateway.facilitator.auth", "jwt"),
                    entry("gateway.facilitator.token", "t"),
                    entry("gateway.facilitator.key-id", "k"),
                    entry("gateway.facilitator.key", "pem"),
                    entry("gateway.facilitator.issuer", "iss"),
                    entry("gateway.facilitator.audience", "one,two"),
                    entry("gateway.facilitator.connect-timeout", "1s"),
                    entry("gateway.facilitator.verify-timeout", "4s"),
                    entry("gateway.facilitator.settle-timeout", "1min"),
                    entry("gateway.facilitator.refresh", "10s"),
                    entry("gateway.facilitator.forget-after", "30s"),
                    entry("gateway.facilitator.max-answer", "32KiB"),
                    entry("gateway.facilitator.unsettled-per-payer", "0.5"),
                    entry("gateway.facilitator.serve", "true"),
                    entry("gateway.facilitator.serve-token", "0123456789abcdef"),
                    entry("gateway.facilitator.serve-per-minute", "7")))
                .facilitator())
        .isEqualTo(
            new FacilitatorSettings(
                List.of(URI.create("https://a.example/x402"), URI.create("http://b.example")),
                FacilitatorSettings.Auth.JWT,
                new Secret("t"),
                "k",
                new Secret("pem"),
                "iss",
                List.of("one", "two"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(4),
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                new DataSize(32768),
                Usd.parse("0.5"),
                true,
                new Secret("0123456789abcdef"),
                7));
  }

  @Test
  void theDefaultsOfPrices() {
    assertThat(DEFAULTS.prices())
        .isEqualTo(
            new PriceSettings(
                Optional.empty(),
                Duration.ofSeconds(300),
                Usd.parse("0.015"),
                Usd.parse("0.542"),
                Map.of()));
  }

  @Test
  void everySettingOfPrices() {
    assertThat(
            with(Map.of(
                    "gateway.prices.file",
                    "book.properties",
                    "gateway.prices.grace",
                    "1min",
                    "gateway.prices.smart-search",
                    "0.02",
                    "gateway.prices.call-record",
                    "0",
                    "gateway.prices.cost.row.GET/v1/marketplace/a/{id}",
                    "0.000125"))
                .prices())
        .isEqualTo(
            new PriceSettings(
                Optional.of(Path.of("book.properties")),
                Duration.ofMinutes(1),
                Usd.parse("0.02"),
                Usd.ZERO,
                Map.of("row.GET/v1/marketplace/a/{id}", Usd.parse("0.000125"))));
  }

  @Test
  void theDefaultsOfTheReconciler() {
    assertThat(DEFAULTS.reconciler())
        .isEqualTo(
            new ReconcilerSettings(
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                3,
                Duration.ofSeconds(2),
                Duration.ofMinutes(5),
                Duration.ofSeconds(1)));
  }

  @Test
  void everySettingOfTheReconciler() {
    assertThat(
            with(Map.of(
                    "gateway.reconciler.start-after", "0s",
                    "gateway.reconciler.polling", "100ms",
                    "gateway.reconciler.heartbeat", "1s",
                    "gateway.reconciler.threads", "2",
                    "gateway.reconciler.shortest-pause", "200ms",
                    "gateway.reconciler.longest-pause", "3s",
                    "gateway.reconciler.follow", "300ms"))
                .reconciler())
        .isEqualTo(
            new ReconcilerSettings(
                Duration.ZERO,
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                2,
                Duration.ofMillis(200),
                Duration.ofSeconds(3),
                Duration.ofMillis(300)));
  }

  @Test
  void theDefaultsOfPayments() {
    assertThat(DEFAULTS.payments())
        .isEqualTo(
            new PaymentSettings(
                PaymentSettings.Mode.SANDBOX,
                "eip155:8453",
                "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
                "USD Coin",
                "2",
                Entries.none(),
                new UptoSettings(true, Usd.parse("1"), Usd.parse("0.10"), Usd.parse("100")),
                new ChannelSettings(
                    false, Duration.ofDays(1), Duration.ofHours(1), Usd.parse("0.10")),
                "0x0000000000000000000000000000000000008402",
                Duration.ofSeconds(300),
                List.of(
                    "cryptodata",
                    "prediction",
                    "phone",
                    "voice",
                    "websearch",
                    "smartsearch",
                    "messages",
                    "chat",
                    "music",
                    "images"),
                List.of(),
                ChallengeBody.V2,
                IdentifierPolicy.OPTIONAL,
                Duration.ofHours(24),
                new DataSize(256L << 20),
                false));
  }

  @Test
  void everySettingOfPayments() {
    assertThat(
            with(Map.ofEntries(
                    entry("gateway.payments.mode", "sandbox"),
                    entry("gateway.payments.network", "eip155:84532"),
                    entry("gateway.payments.asset", "0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
                    entry("gateway.payments.asset-name", "USDC"),
                    entry("gateway.payments.asset-version", "1"),
                    entry("gateway.payments.upto.offered", "false"),
                    entry("gateway.payments.upto.credit", "2"),
                    entry("gateway.payments.upto.stranger-credit", "0"),
                    entry("gateway.payments.upto.credit-in-all", "30"),
                    entry("gateway.payments.channels.offered", "true"),
                    entry("gateway.payments.channels.withdraw-delay", "48h"),
                    entry("gateway.payments.channels.claim-after", "6h"),
                    entry("gateway.payments.channels.claim-least", "1"),
                    entry("gateway.payments.pay-to", "0x1111111111111111111111111111111111111111"),
                    entry("gateway.payments.max-timeout", "2min"),
                    entry("gateway.payments.price-in-body", "prediction"),
                    entry("gateway.payments.denied-payers", "0xabc, 0xDEF"),
                    entry("gateway.payments.challenge-body", "v1"),
                    entry("gateway.payments.identifiers", "required"),
                    entry("gateway.payments.identifier-time", "2h"),
                    entry("gateway.payments.identifier-answers", "1MiB"),
                    entry("gateway.payments.sign-in", "true")))
                .payments())
        .isEqualTo(
            new PaymentSettings(
                PaymentSettings.Mode.SANDBOX,
                "eip155:84532",
                "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
                "USDC",
                "1",
                Entries.none(),
                new UptoSettings(false, Usd.parse("2"), Usd.ZERO, Usd.parse("30")),
                new ChannelSettings(
                    true, Duration.ofDays(2), Duration.ofHours(6), Usd.parse("1.00")),
                "0x1111111111111111111111111111111111111111",
                Duration.ofMinutes(2),
                List.of("prediction"),
                List.of("0xabc", "0xDEF"),
                ChallengeBody.V1,
                IdentifierPolicy.REQUIRED,
                Duration.ofHours(2),
                new DataSize(1L << 20),
                true));
  }

  @Test
  void theDefaultsOfKeys() {
    assertThat(DEFAULTS.keys())
        .isEqualTo(
            new KeySettings(
                new Secret(""),
                Optional.empty(),
                Usd.parse("100"),
                Usd.parse("1000"),
                Optional.empty(),
                KeySettings.Settlement.PER_CALL,
                Duration.ofHours(1),
                Usd.parse("1")));
    assertThat(DEFAULTS.keys().masterKeys()).isEmpty();
  }

  @Test
  void everySettingOfKeys(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("master.key"), OTHER_KEY + "\n");
    KeySettings keys =
        with(Map.of(
                "gateway.keys.master-key", KEY,
                "gateway.keys.master-key-file", file.toString(),
                "gateway.keys.per-call", "1",
                "gateway.keys.daily", "2",
                "gateway.keys.monthly", "3",
                "gateway.keys.settlement", "netted",
                "gateway.keys.netting-period", "5min",
                "gateway.keys.netting-threshold", "2"))
            .keys();

    assertThat(keys)
        .isEqualTo(
            new KeySettings(
                new Secret(KEY),
                Optional.of(file),
                Usd.parse("1"),
                Usd.parse("2"),
                Optional.of(Usd.parse("3")),
                KeySettings.Settlement.NETTED,
                Duration.ofMinutes(5),
                Usd.parse("2")));
    assertThat(keys.toString()).doesNotContain(KEY);
    // The file's key seals.
    assertThat(keys.masterKeys())
        .containsExactly(Base64.getDecoder().decode(OTHER_KEY), Base64.getDecoder().decode(KEY));
  }

  @Test
  void aMasterKeyOfAnotherLengthIsAProblem() {
    assertThatThrownBy(() -> with(Map.of("gateway.keys.master-key", KEY + ",c2hvcnQ=")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("master-key is 32 bytes in base64");
  }

  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void aKeyOfReceiptsIsCheckedAndNeverShown() {
    assertThat(DEFAULTS.receipts().signer()).isEmpty();
    ReceiptSettings set = with(Map.of("gateway.receipts.signing-key", "02".repeat(32))).receipts();
    assertThat(set.signer()).isPresent();
    assertThat(set.toString()).doesNotContain("0202");
    assertThatThrownBy(() -> with(Map.of("gateway.receipts.signing-key", "f".repeat(64))))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("signing-key")
        .hasMessageNotContaining("ffff");
  }

  @Test
  @Tag("spec:x402.extension.offer_receipt")
  void offersAreSignedOnlyIfThatIsAskedForAndThereIsAKey() {
    String key = "02".repeat(32);
    Map<String, String> both =
        Map.of("gateway.receipts.signing-key", key, "gateway.receipts.sign-offers", "true");

    assertThat(with(Map.of("gateway.receipts.signing-key", key)).receipts().offerSigner())
        .isEmpty();
    assertThat(with(both).receipts().offerSigner()).isPresent();
    assertThatThrownBy(() -> with(Map.of("gateway.receipts.sign-offers", "true")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("sign-offers needs signing-key");
  }

  @Test
  void theDefaultsOfTheSandbox() {
    assertThat(DEFAULTS.sandbox())
        .isEqualTo(
            new SandboxSettings(Optional.empty(), Usd.parse("1000"), false, false, List.of()));
  }

  @Test
  void everySettingOfTheSandbox() {
    assertThat(
            with(Map.of(
                    "gateway.sandbox.url",
                    "http://127.0.0.1:8403",
                    "gateway.sandbox.starting-balance",
                    "0.5",
                    "gateway.sandbox.public-address",
                    "true",
                    "gateway.sandbox"
                        + ".allow-live-upstreams-or-public-address-with-worthless-money",
                    "true",
                    "gateway.sandbox.allowed-origins",
                    "https://shop.example:444, null"))
                .sandbox())
        .isEqualTo(
            new SandboxSettings(
                Optional.of(URI.create("http://127.0.0.1:8403")),
                Usd.parse("0.5"),
                true,
                true,
                List.of("https://shop.example:444", "null")));
  }

  @ParameterizedTest
  @CsvSource({
    "gateway.http.hosts, https://api.example",
    "gateway.http.hosts, api.example:443",
    "gateway.http.hosts, *",
    "gateway.sandbox.allowed-origins, shop.example",
    "gateway.sandbox.allowed-origins, https://shop.example/",
    "gateway.sandbox.allowed-origins, *.example"
  })
  void aHostIsNoOriginAndAnOriginNoHost(String setting, String value) {
    assertThatThrownBy(() -> with(Map.of(setting, value)))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(setting.substring(setting.lastIndexOf('.') + 1));
  }

  @Test
  void theDefaultsOfVoice() {
    assertThat(DEFAULTS.voice())
        .isEqualTo(
            new VoiceSettings(
                List.of("nat", "josh", "maya", "june", "paige", "derek", "florian"),
                "nat",
                new Secret(""),
                Usd.ZERO,
                Map.of("us", Usd.parse("0.014"), "ca", Usd.parse("0.014")),
                new Secret(""),
                Duration.ofDays(30),
                Duration.ofDays(400)));
  }

  @Test
  void everySettingOfVoice() {
    assertThat(
            with(Map.of(
                    "gateway.voice.presets", "one,two",
                    "gateway.voice.preset", "two",
                    "gateway.voice.encrypted-key", "k=",
                    "gateway.voice.minute-rate", "0.14",
                    "gateway.voice.call-rates.us", "0.02",
                    "gateway.voice.call-rates.447", "0.2",
                    "gateway.voice.webhook-secret", "s",
                    "gateway.voice.transcripts", "1d",
                    "gateway.voice.retention", "2d"))
                .voice())
        .isEqualTo(
            new VoiceSettings(
                List.of("one", "two"),
                "two",
                new Secret("k="),
                Usd.parse("0.14"),
                Map.of("us", Usd.parse("0.02"), "ca", Usd.parse("0.014"), "447", Usd.parse("0.2")),
                new Secret("s"),
                Duration.ofDays(1),
                Duration.ofDays(2)));
  }

  @Test
  void callsAndTextsHaveRatesByCountryOrFirstDigits() {
    for (String place : List.of("GB", "gbr", "0", "+44")) {
      for (String rates : List.of("voice.call-rates", "phone.text-rates")) {
        assertThatThrownBy(() -> with(Map.of("gateway." + rates + "." + place, "0.05")))
            .as(place)
            .isInstanceOf(InvalidSettings.class)
            .hasMessageContaining(rates.substring(6) + " are by country or first digits, such as");
      }
    }
  }

  @Test
  void textsHaveRatesByCountry() {
    assertThat(DEFAULTS.phone().textParts()).isEqualTo(3);
    assertThat(DEFAULTS.phone().textRates())
        .isEqualTo(Map.of("us", Usd.parse("0.0145"), "ca", Usd.parse("0.0168")));
    assertThat(
            with(Map.of("gateway.phone.text-rates.gb", "0.05", "gateway.phone.text-rates.us", "0"))
                .phone()
                .textRates())
        .isEqualTo(Map.of("us", Usd.ZERO, "ca", Usd.parse("0.0168"), "gb", Usd.parse("0.05")));
  }

  @Test
  void aPresetVoiceIsOneOfThePresets() {
    assertThatThrownBy(() -> with(Map.of("gateway.voice.preset", "nobody")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.voice: preset is one of presets");
  }

  @Test
  void theKeyOfACarrierHasNoBlanks() {
    assertThatThrownBy(() -> with(Map.of("gateway.voice.encrypted-key", "a b")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.voice: encrypted-key has letters, digits and signs only")
        .hasMessageNotContaining("a b");
  }

  @Test
  void theDefaultsOfAVendor() {
    VendorSettings expected =
        new VendorSettings(
            Optional.empty(),
            new Secret(""),
            Duration.ofSeconds(20),
            64,
            2,
            VendorSettings.RecordForm.MAPPED);
    assertThat(DEFAULTS.upstream())
        .isEqualTo(
            new UpstreamsSettings(expected, expected, expected, expected, expected, expected));
  }

  @Test
  void everySettingOfAVendor() {
    assertThat(
            with(Map.of(
                    "gateway.upstream.prediction.base-address", "http://127.0.0.1:9/v2",
                    "gateway.upstream.prediction.credential", "k",
                    "gateway.upstream.prediction.deadline", "3s",
                    "gateway.upstream.prediction.connections", "5",
                    "gateway.upstream.prediction.retries", "0",
                    "gateway.upstream.prediction.records", "upstream"))
                .upstream()
                .prediction())
        .isEqualTo(
            new VendorSettings(
                Optional.of(URI.create("http://127.0.0.1:9/v2")),
                new Secret("k"),
                Duration.ofSeconds(3),
                5,
                0,
                VendorSettings.RecordForm.UPSTREAM));
  }

  @Test
  @Tag("spec:limit.request_rate")
  @Tag("spec:limit.in_flight_payer")
  @Tag("spec:limit.in_flight_group")
  @Tag("spec:limit.request_rate_other")
  @Tag("spec:limit.unpaid")
  void theDefaultsOfLimits() {
    assertThat(DEFAULTS.limits())
        .isEqualTo(
            new LimitSettings(
                Map.of("prediction", 100),
                600,
                32,
                512,
                1200,
                100_000,
                new DataSize(4 << 20),
                64,
                Duration.ofMinutes(2),
                new DataSize(1024),
                64));
    assertThat(DEFAULTS.limits().requestsPerMinute("prediction")).isEqualTo(100);
    assertThat(DEFAULTS.limits().requestsPerMinute("cryptodata")).isEqualTo(600);
  }

  @Test
  void everySettingOfLimits() {
    assertThat(
            with(Map.ofEntries(
                    Map.entry("gateway.limits.requests-per-minute.cryptodata", "7"),
                    Map.entry("gateway.limits.other-requests-per-minute", "8"),
                    Map.entry("gateway.limits.in-flight-per-payer", "9"),
                    Map.entry("gateway.limits.in-flight-per-group", "10"),
                    Map.entry("gateway.limits.unpaid-per-minute", "11"),
                    Map.entry("gateway.limits.counted", "1000"),
                    Map.entry("gateway.limits.json-body", "1MiB"),
                    Map.entry("gateway.limits.json-depth", "12"),
                    Map.entry("gateway.limits.body-time", "30s"),
                    Map.entry("gateway.limits.body-rate", "2KiB"),
                    Map.entry("gateway.limits.bodies-awaited", "13")))
                .limits())
        .isEqualTo(
            new LimitSettings(
                Map.of("prediction", 100, "cryptodata", 7),
                8,
                9,
                10,
                11,
                1000,
                new DataSize(1 << 20),
                12,
                Duration.ofSeconds(30),
                new DataSize(2048),
                13));
  }

  @Test
  void theDefaultsAndEverySettingOfThePredictionVendor() {
    assertThat(DEFAULTS.prediction())
        .isEqualTo(
            new MarketSettings(
                List.of("venue-a", "venue-b", "venue-d", "venue-e", "venue-f"), false, List.of()));
    assertThat(
            with(Map.of(
                    "gateway.prediction.millisecond-venues", "venue-d",
                    "gateway.prediction.real-names", "true",
                    "gateway.prediction.beyond-contract", "/venue-c/markets,/markets/categories"))
                .prediction())
        .isEqualTo(
            new MarketSettings(
                List.of("venue-d"), true, List.of("/venue-c/markets", "/markets/categories")));
    assertThat(
            with(Map.of("gateway.cryptodata.beyond-contract", "*")).cryptodata().beyondContract())
        .containsExactly("*");
  }

  @Test
  void theDefaultsOfTheRest() {
    assertThat(DEFAULTS.profile()).isEqualTo(Profile.NONE);
    assertThat(DEFAULTS.config()).isEmpty();
    assertThat(DEFAULTS.venues()).isEmpty();
    assertThat(DEFAULTS.aliases()).isEmpty();
    assertThat(DEFAULTS.cache()).isEqualTo(new AnswerCacheSettings(new DataSize(32 << 20)));
    assertThat(DEFAULTS.cors()).isEqualTo(new CorsSettings(List.of("*"), Duration.ofMinutes(10)));
  }

  @Test
  void everySettingOfTheRest() {
    GatewaySettings settings =
        with(
            Map.of(
                "gateway.config", "file.properties",
                "gateway.venues.venue-a", "somewhere",
                "gateway.aliases.markets", "prediction",
                "gateway.cache.size", "0B",
                "gateway.cors.origins", "https://a.example,https://b.example",
                "gateway.cors.max-age", "1h"));
    assertThat(settings.config()).contains(Path.of("file.properties"));
    assertThat(settings.venues()).isEqualTo(Map.of("venue-a", "somewhere"));
    assertThat(settings.aliases()).isEqualTo(Map.of("markets", "prediction"));
    assertThat(settings.cache()).isEqualTo(new AnswerCacheSettings(new DataSize(0)));
    assertThat(settings.cors())
        .isEqualTo(
            new CorsSettings(
                List.of("https://a.example", "https://b.example"), Duration.ofHours(1)));
  }

  @Test
  void theLiveProfileFillsInAddressesAndNamesAndLosesToEverySource() {
    GatewaySettings settings =
        with(
            Map.of(
                "gateway.profile", "live",
                "gateway.upstream.prediction.base-address", "http://127.0.0.1:9"));
    assertThat(settings.upstream().cryptodata().baseAddress()).isPresent();
    assertThat(settings.upstream().prediction().baseAddress())
        .contains(URI.create("http://127.0.0.1:9"));
    assertThat(settings.venues()).containsOnlyKeys(Aliases.VENUE_WORDS);
  }
}

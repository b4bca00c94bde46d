package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SandboxUpstreams;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of good and of bad settings, and with which exit code. */
class DoctorIT {

  private static final String SECRET = "not-for-eyes";

  @TempDir private Path folder;

  @Test
  void aNewcomersSettingsAreWellButTheMoneyIsOfTheSandbox() throws Exception {
    try (Running doctor = doctor(Map.of())) {
      assertThat(doctor.awaitExit()).as(doctor::said).isZero();
      assertThat(doctor.outText())
          .containsPattern("ok +settings")
          .containsPattern("ok +database .*the first start makes jdbc:h2")
          .containsPattern("ok +upstreams .*sandbox")
          .containsPattern("warning +payments .*sandbox money")
          .doesNotContain("bad ");
    }
  }

  @Test
  void everyWrongSettingIsToldAtOnce() throws Exception {
    try (Running doctor = doctor(Map.of("gateway.payments.mode", "chain"))) {
      assertThat(doctor.awaitExit()).as(doctor::said).isEqualTo(1);
      assertThat(doctor.outText())
          .contains(
              "gateway.chain.rpc-url", "gateway.chain.relayer-keys", "gateway.payments.pay-to")
          .containsOnlyOnce("nothing else was looked at");
    }
  }

  /** The sandbox's addresses are known at the start only; the rest is looked at before. */
  @Test
  void aWrongSettingIsToldBesideTheSandboxToo() throws Exception {
    try (Running doctor = doctor(Map.of("gateway.solana.pay-to", "nonsense"))) {
      assertThat(doctor.awaitExit()).as(doctor::said).isEqualTo(1);
      assertThat(doctor.outText()).contains("gateway.solana.pay-to");
    }
  }

  @Test
  void upstreamsAreReachedOrNot() throws Exception {
    try (Sandbox sandbox = Sandbox.start()) {
      Map<String, String> settings = new HashMap<>(sandbox.settings());
      settings.put("gateway.upstream.websearch.base-address", "http://127.0.0.1:" + closedPort());

      try (Running doctor = doctor(settings)) {
        assertThat(doctor.awaitExit()).as(doctor::said).isEqualTo(1);
        assertThat(doctor.outText())
            .containsPattern("ok +upstream.cryptodata")
            .containsPattern("ok +upstream.voice")
            .containsPattern("bad +upstream.websearch .*cannot be reached")
            .contains("gateway.upstream.websearch's address");
      }
    }
  }

  @Test
  void theModelsAreLookedUpInTheListsOfTheirVendors() throws Exception {
    try (Running doctor = doctor(Map.of(), "--models")) {
      assertThat(doctor.awaitExit()).as(doctor::said).isZero();
      assertThat(doctor.outText())
          .containsPattern("ok +models of language.messages .*has them all: claude-opus-4.8")
          .containsPattern("ok +models of language.responses ")
          .containsPattern("ok +models of language.google ")
          .containsPattern("ok +models of images.provider-a ");
    }
  }

  @Test
  void modelsThatAreGoneAreToldAndListsThatCannotBeHadToo() throws Exception {
    Path catalogue = folder.resolve("models.json");
    Files.writeString(
        catalogue,
        """
        {"models": [%s, %s, %s, %s]}
        """
            .formatted(
                model("old-model", "messages", "messages"),
                model("claude-sonnet-4-5", "messages", "messages"),
                model("gpt-5.4", "responses", "responses"),
                model("grok-4.3", "xai", "chat")));
    try (Sandbox sandbox = Sandbox.start()) {
      Map<String, String> settings = new HashMap<>(sandbox.settings());
      settings.keySet().removeIf(key -> key.startsWith("gateway.language."));
      settings.put("gateway.language.catalogue", catalogue.toString());
      settings.put("gateway.websearch.smart-model", "gpt-5.4");
      settings.put("gateway.cryptodata.question-model", "gpt-5.4");
      settings.put("gateway.language.upstreams.messages", sandbox.url() + "/messages/v1");
      settings.put("gateway.language.credentials.messages", "sandbox");
      settings.put("gateway.language.upstreams.responses", sandbox.url() + "/responses/v1");
      settings.put("gateway.language.upstreams.xai", "http://127.0.0.1:" + closedPort());

      try (Running doctor = doctor(settings, "--models")) {
        doctor.awaitExit();
        assertThat(doctor.outText())
            .containsPattern("warning +models of language.messages +old-model .*not in the list")
            .containsPattern("warning .*claude-sonnet-4-5 .*ends on 2026-11-30")
            .containsPattern("warning +models of language.responses .*answers 401 instead")
            .contains("Set the credential of gateway.language.responses")
            .containsPattern("warning +models of language.xai .*no list");
      }
    }
  }

  /** What a vendor is asked, and in whose name: nothing of it is sent, no secret is shown. */
  @Test
  void requestsArePrintedWithoutTheirSecretsAndSentToNoVendor() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    CompletableFuture<Void> listening;
    try (ServerSocket vendors = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      listening = CompletableFuture.runAsync(() -> count(vendors, connections));
      URI address = URI.create("http://127.0.0.1:" + vendors.getLocalPort());
      Map<String, String> settings =
          new HashMap<>(SandboxUpstreams.at(address, GatewaySettings.read(SettingsSources.none())));
      settings.replaceAll(
          (key, value) ->
              key.matches(".*(credential|encrypted-key|webhook-secret).*")
                  ? "AC17:" + SECRET + key.length()
                  : value);

      try (Running doctor = doctor(settings, "--requests")) {
        doctor.awaitExit();
        assertThat(doctor.outText())
            .contains("GET " + address + "/cryptodata/exchange/price?pair=BTC%2FUSDT")
            .contains("GET " + address + "/prediction/polymarket/markets")
            .contains("POST " + address + "/websearch/search")
            .contains("POST " + address + "/messages/v1/messages")
            .contains("POST " + address + "/responses/v1/responses")
            .contains("POST " + address + "/images/v1/images/generations")
            .contains("POST " + address + "/images/v1/images/edits")
            .contains("POST " + address + "/music/v1/music_generation")
            .contains("GET " + address + "/phone/v2/PhoneNumbers/%2B14155550123")
            .contains(address + "/phone/2010-04-01/Accounts/AC17/IncomingPhoneNumbers.json")
            .contains("POST " + address + "/voice/v1/calls")
            .contains("Authorization: Bearer ***", "Authorization: Basic ***", "x-api-key: ***")
            .contains("encrypted_key: ***")
            .contains("Nothing was sent.");
        assertThat(doctor.outText() + doctor.said()).doesNotContain(SECRET);
        assertThat(doctor.said()).doesNotContain("WARN", "answer-key");
      }
    }
    listening.join();
    assertThat(connections).hasValue(0);
  }

  private static void count(ServerSocket listening, AtomicInteger connections) {
    try {
      while (true) {
        listening.accept().close();
        connections.incrementAndGet();
      }
    } catch (IOException closed) {
      // that was all
    }
  }

  @Test
  void whatTheLiveProfileAsksIsWhatTheVendorsContractsTake() throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("gateway.profile", "live");
    for (String vendor : List.of("cryptodata", "prediction", "websearch", "lookup", "phone")) {
      settings.put("gateway.upstream." + vendor + ".credential", "AC17:" + SECRET);
    }
    settings.put("gateway.upstream.voice.credential", SECRET);
    settings.put("gateway.voice.encrypted-key", SECRET);
    settings.put("gateway.language.credentials.messages", SECRET);
    settings.put("gateway.images.credentials.provider-a", SECRET);
    settings.put("gateway.music.credential", SECRET);

    try (Running doctor = doctor(settings, "--requests", "--json")) {
      assertThat(doctor.awaitExit()).as(doctor::said).isZero();
      JsonNode told = new ObjectMapper().readTree(doctor.outText());
      assertThat(told.path("refused")).isEmpty();
      assertThat(told.path("calls").findValuesAsText("address"))
          .contains("https://api.exa.ai/search", "https://api.anthropic.com/v1/messages");
      assertThat(told.at("/calls/0/asked/0/headers")).isNotEmpty();
      assertThat(told.toString()).contains("not offer /venue-c/markets").doesNotContain(SECRET);
    }
  }

  private static String model(String id, String upstream, String protocol) {
    return """
        {"id": "%s", "vendor": "vendor", "upstream": "%s", "protocol": "%s",
         "released": "2025-01-01", "context_window": 100000, "max_output": 10000,
         "prices": {"input": 1, "output": 2}}
        """
        .formatted(id, upstream, protocol);
  }

  @Test
  void whatIsNotSoldIsToldWithWhatItLacks() throws Exception {
    try (Sandbox sandbox = Sandbox.start()) {
      Map<String, String> settings = new HashMap<>(sandbox.settings());
      settings.remove("gateway.upstream.voice.base-address");
      settings.remove("gateway.upstream.lookup.credential");

      try (Running doctor = doctor(settings)) {
        assertThat(doctor.awaitExit()).as(doctor::said).isZero();
        assertThat(doctor.outText())
            .containsPattern("warning +groups +Voice, or a part of it, is not sold")
            .contains("gateway.upstream.voice.base-address is not set")
            .containsPattern("warning +groups +Phone, or a part of it, is not sold")
            .contains("gateway.upstream.lookup.credential is not set")
            .doesNotContain("Music, or a part of it");
      }
    }
  }

  @Test
  void aDatabaseThatCannotBeOpenedIsToldWithoutItsPassword() throws Exception {
    try (Running doctor =
        doctor(
            Map.of(
                "gateway.database.url",
                "jdbc:postgresql://127.0.0.1:" + closedPort() + "/octroi",
                "gateway.database.password",
                "hunter2"))) {
      assertThat(doctor.awaitExit()).as(doctor::said).isEqualTo(1);
      assertThat(doctor.outText())
          .containsPattern("bad +database +No database server answers at jdbc:postgresql")
          .doesNotContain("hunter2");
    }
  }

  @Test
  void aRunningGatewaysDatabaseIsLeftAlone() throws Exception {
    try (Running gateway =
        BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString()).start()) {
      gateway.awaitReady();
      try (Running doctor = doctor(Map.of())) {
        assertThat(doctor.awaitExit()).as(doctor::said).isZero();
        assertThat(doctor.outText())
            .containsPattern("warning +database +Another process uses the database");
        assertThat(folder.resolve("octroi.trace.db")).doesNotExist();
      }
    }
  }

  @Test
  void theSchemaOfAGatewayThatWasStoppedIsLookedAt() throws Exception {
    try (Running gateway =
        BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString()).start()) {
      gateway.awaitReady();
      gateway.terminate();
      assertThat(gateway.awaitExit()).as(gateway::said).isZero();
    }
    try (Running doctor = doctor(Map.of())) {
      assertThat(doctor.awaitExit()).as(doctor::said).isZero();
      assertThat(doctor.outText())
          .containsPattern("ok +database .*jdbc:h2")
          .containsPattern("ok +schema +that of this version");
    }
  }

  @Test
  void theChainItsTokenAndItsRelayersAreLookedAt() throws Exception {
    try (ChainShop shop = new ChainShop();
        Running doctor = shop.quickJar(folder, "doctor").start()) {
      assertThat(doctor.awaitExit()).as(doctor::said).isZero();
      assertThat(doctor.outText())
          .containsPattern("ok +chain .*has the asset")
          .containsPattern("ok +relayer .* ether");
    }
  }

  @Test
  void channelsForWhichNoFacilitatorNamesAKeyAreTold() throws Exception {
    String exact =
        """
        {"kinds": [{"x402Version": 2, "scheme": "exact", "network": "eip155:8453"}],
         "extensions": [], "signers": {}}
        """;
    HttpServer facilitator = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    facilitator.createContext(
        "/supported",
        exchange -> {
          byte[] body = exact.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    facilitator.start();
    URI address = URI.create("http://127.0.0.1:" + facilitator.getAddress().getPort());
    try (ChainShop shop = new ChainShop();
        Running doctor =
            shop.quickJarBehind(address, folder, "doctor")
                .set("gateway.payments.channels.offered", "true")
                .start()) {
      assertThat(doctor.awaitExit()).as(doctor::said).isZero();
      assertThat(doctor.outText())
          .containsPattern("ok +facilitator .*settles on eip155:8453")
          .containsPattern("warning +channels +no facilitator names a key");
    } finally {
      facilitator.stop(0);
    }
  }

  private Running doctor(Map<String, String> settings, String... options) throws Exception {
    BuiltJar jar =
        BuiltJar.quickIn(
            folder,
            Stream.concat(Stream.of("doctor", "--data", folder.toString()), Stream.of(options))
                .toArray(String[]::new));
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    return jar.start();
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

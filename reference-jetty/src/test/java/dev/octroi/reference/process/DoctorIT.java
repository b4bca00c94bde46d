package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of good and of bad settings, and with which exit code. */
class DoctorIT {

  @TempDir private Path folder;

  @Test
  void aNewcomersSettingsAreWellButTheMoneyIsOfTheSandbox() throws Exception {
    try (Running doctor = doctor(Map.of())) {
      assertThat(doctor.awaitExit()).as(doctor::said).isZero();
      assertThat(doctor.outText())
          .containsPattern("ok +settings")
          .containsPattern("ok +database .*is made at the first start")
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
              "gateway.chain.rpc-url", "gateway.chain.relayer-keys", "gateway.payments.pay-to");
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
          .containsPattern("bad +database .*cannot be opened")
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
        assertThat(doctor.outText()).containsPattern("warning +database .*open in another process");
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

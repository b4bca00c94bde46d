package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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

  private Running doctor(Map<String, String> settings) throws Exception {
    BuiltJar jar = BuiltJar.quickIn(folder, "doctor", "--data", folder.toString());
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

package dev.octroi.api.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelayAssemblyTest {

  private static final String KEY = "0x" + "46".repeat(32);

  @TempDir private Path directory;

  private static List<String> problems(Map<String, String> values) {
    Map<String, String> all = new HashMap<>(values);
    all.put("gateway.payments.mode", "chain");
    all.put("gateway.chain.rpc-url", "http://127.0.0.1:1/");
    return FacilitatorAssembly.problems(settings(all));
  }

  private static GatewaySettings settings(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values));
  }

  @Test
  void settlingOnAChainNeedsAKeyThatPaysForGasAndSomebodyToBePaid() {
    assertThat(problems(Map.of()))
        .anyMatch(problem -> problem.contains("gateway.chain.relayer-keys"))
        .anyMatch(problem -> problem.contains("gateway.payments.pay-to"));
  }

  @Test
  void withANodeAKeyAndAnAddressOfOnesOwnItStarts() {
    assertThat(
            problems(
                Map.of(
                    "gateway.chain.relayer-keys",
                    KEY,
                    "gateway.payments.pay-to",
                    "0x209693Bc6afc0C5328bA36FaF03C514EF312287C")))
        .isEmpty();
  }

  @Test
  void aBadKeyIsRefusedAndNotRepeated() {
    assertThat(problems(Map.of("gateway.chain.relayer-keys", "4646zz")))
        .anyMatch(problem -> problem.contains("gateway.chain.relayer-keys"))
        .noneMatch(problem -> problem.contains("4646"));
  }

  @Test
  void keysMayLieInAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("keys"), KEY + "\n\n");

    assertThat(problems(Map.of("gateway.chain.relayer-keys-file", file.toString())))
        .noneMatch(problem -> problem.contains("relayer-keys"));
    assertThat(problems(Map.of("gateway.chain.relayer-keys-file", file + ".missing")))
        .anyMatch(problem -> problem.contains("cannot be read"));
  }

  @Test
  void theSandboxNeedsNoKey() {
    assertThat(RelayAssembly.problems(settings(Map.of()))).isEmpty();
  }
}

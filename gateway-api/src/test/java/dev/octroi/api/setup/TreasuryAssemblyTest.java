package dev.octroi.api.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreasuryAssemblyTest {

  private static final String KEY = "0x" + "47".repeat(32);
  private static final String SETTING = "gateway.books.treasury-key";

  @TempDir private Path directory;

  private static List<String> problems(Map<String, String> values) {
    Map<String, String> all = new HashMap<>(values);
    all.putIfAbsent("gateway.payments.mode", "chain");
    return TreasuryAssembly.problems(
        GatewaySettings.read(SettingsSources.none().values("test", all)));
  }

  @Test
  void aTreasuryIsNoneOfTheGatewaysNeeds() {
    assertThat(problems(Map.of())).isEmpty();
    assertThat(problems(Map.of(SETTING, KEY))).isEmpty();
  }

  @Test
  void aTreasuryThatWouldPayNothingIsRefused() {
    for (String mode : List.of("sandbox", "remote")) {
      assertThat(problems(Map.of(SETTING, KEY, "gateway.payments.mode", mode)))
          .singleElement()
          .satisfies(problem -> assertThat(problem).contains("only where gateway.payments.mode"));
    }
  }

  @Test
  void refundsInAnotherTokenNeedATreasury() {
    String token = "gateway.payments.tokens.plain.";
    Map<String, String> refunded =
        Map.of(
            token + "asset",
            "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb",
            token + "decimals",
            "18",
            token + "refunds",
            "true");

    assertThat(problems(refunded))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem).contains(token + "refunds", "gateway.books.treasury-key"));
    Map<String, String> paid = new HashMap<>(refunded);
    paid.put(SETTING, KEY);
    assertThat(problems(paid)).isEmpty();
  }

  @Test
  void aBadKeyIsRefusedAndNotRepeated() {
    assertThatThrownBy(() -> problems(Map.of(SETTING, "4747zz")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("treasury-key")
        .hasMessageNotContaining("4747");
  }

  @Test
  void theKeyMayLieInAFile() throws IOException {
    Path good = Files.writeString(directory.resolve("key"), KEY + "\n");
    Path bad = Files.writeString(directory.resolve("bad"), "4747zz");

    assertThat(problems(Map.of(SETTING + "-file", good.toString()))).isEmpty();
    assertThat(problems(Map.of(SETTING + "-file", bad.toString())))
        .singleElement()
        .satisfies(
            problem -> assertThat(problem).contains("treasury-key-file").doesNotContain("4747zz"));
    assertThat(problems(Map.of(SETTING + "-file", good + ".missing")))
        .anyMatch(problem -> problem.contains("cannot be read"));
  }

  @Test
  void twoTreasuriesAreOneTooMany() throws IOException {
    Path file = Files.writeString(directory.resolve("key"), KEY);

    assertThatThrownBy(() -> problems(Map.of(SETTING, KEY, SETTING + "-file", file.toString())))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("exclude each other");
  }
}

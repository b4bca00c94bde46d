package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainSettingsTest {

  private static final String FACTORY = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

  private static GatewaySettings with(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values));
  }

  @Test
  void theDefaultsReadNoChain() {
    ChainSettings chain = with(Map.of()).chain();

    assertThat(chain.nodes()).isEmpty();
    assertThat(chain.rpcDeadline()).isEqualTo(Duration.ofSeconds(5));
    assertThat(chain.confirmations()).isEqualTo(1);
    assertThat(chain.finalDepth()).isZero();
    assertThat(chain.logBlocks()).isEqualTo(1_000);
    assertThat(chain.erc6492Factories()).isEmpty();
  }

  @Test
  void everySettingThatReadsAChain() {
    ChainSettings chain =
        with(Map.of(
                "gateway.chain.rpc-url", "https://one.example/v2/key, http://two.example?key=1",
                "gateway.chain.rpc-deadline", "2s",
                "gateway.chain.confirmations", "5",
                "gateway.chain.final-depth", "64",
                "gateway.chain.log-blocks", "500",
                "gateway.chain.erc6492-factories", FACTORY))
            .chain();

    assertThat(chain.nodes())
        .containsExactly(
            URI.create("https://one.example/v2/key"), URI.create("http://two.example?key=1"));
    assertThat(chain.rpcDeadline()).isEqualTo(Duration.ofSeconds(2));
    assertThat(chain.confirmations()).isEqualTo(5);
    assertThat(chain.finalDepth()).isEqualTo(64);
    assertThat(chain.logBlocks()).isEqualTo(500);
    assertThat(chain.erc6492Factories()).containsExactly(FACTORY);
  }

  @Test
  void aNodesAddressShowsNowhere() {
    GatewaySettings settings = with(Map.of("gateway.chain.rpc-url", "https://one.example/v2/hush"));

    assertThat(settings.toString()).doesNotContain("hush").doesNotContain("one.example");
    assertThat(SettingsInForce.of(settings)).containsEntry("gateway.chain.rpc-url", "****");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://hush.example",
        "hush.example",
        "https://me:hush@x.example",
        "https://hu sh"
      })
  void anAddressThatDoesNotDoIsRefusedWithoutRepeatingIt(String address) {
    assertThatThrownBy(() -> with(Map.of("gateway.chain.rpc-url", address)))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.chain")
        .hasMessageNotContaining("hush")
        .hasMessageNotContaining("hu sh");
  }

  @ParameterizedTest
  @CsvSource({
    "rpc-deadline, 100ms",
    "rpc-deadline, 2min",
    "confirmations, 0",
    "final-depth, -1",
    "log-blocks, 1",
    "erc6492-factories, 0x12",
  })
  void whatIsOutOfRangeIsRefused(String name, String value) {
    assertThatThrownBy(() -> with(Map.of("gateway.chain." + name, value)))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(name);
  }
}

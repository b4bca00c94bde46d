package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChainAssemblyTest {

  private static GatewaySettings with(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values));
  }

  @Test
  void withoutANodeThereIsNoChain() {
    assertThat(ChainAssembly.of(with(Map.of()))).isEmpty();
    assertThat(ChainAssembly.problems(with(Map.of()))).isEmpty();
  }

  @Test
  void settlingOnAChainNeedsANode() {
    assertThat(ChainAssembly.problems(with(Map.of("gateway.payments.mode", "chain"))))
        .singleElement()
        .asString()
        .contains("gateway.chain.rpc-url");
  }

  @Test
  void aNodeGivesEverythingThatReadsAndIsNotAskedYet() {
    GatewaySettings settings =
        with(
            Map.of(
                "gateway.payments.network", "eip155:84532",
                "gateway.chain.rpc-url", "http://127.0.0.1:1/key"));

    ChainAssembly chain = ChainAssembly.of(settings).orElseThrow();

    assertThat(chain.rpc().chainId()).isEqualTo(84_532);
    assertThat(chain.verifier(Clock.systemUTC())).isNotNull();
    assertThat(chain.evidence()).isNotNull();
    String nobody = "0x00000000000000000000000000000000000000cc";
    assertThat(chain.balances().of(nobody, nobody)).isEmpty();
  }
}

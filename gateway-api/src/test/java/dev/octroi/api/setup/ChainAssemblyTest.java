package dev.octroi.api.setup;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.facilitator.Facilitator;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ChainAssemblyTest {

  private static final String BASE = "eip155:8453";

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
    assertThat(chain.verifier(Clock.systemUTC(), Optional.empty())).isNotNull();
    assertThat(chain.evidence()).isNotNull();
    String nobody = "0x00000000000000000000000000000000000000cc";
    assertThat(chain.balances().of(nobody, nobody)).isEmpty();
  }

  @Test
  @Tag("spec:x402.uncertain.3")
  void whatARemoteFacilitatorLeavesOpenIsFoundOutWhereThereIsANode() {
    Map<String, String> remote =
        Map.of(
            "gateway.payments.mode", "remote",
            "gateway.facilitator.urls", "http://127.0.0.1:1");
    Map<String, String> watched = new HashMap<>(remote);
    watched.put("gateway.chain.rpc-url", "http://127.0.0.1:1/key");

    Facilitator alone = only(with(remote));
    Facilitator both = only(with(watched));

    assertThat(alone.evidence(BASE)).isEmpty();
    assertThat(alone.balances(BASE)).isEmpty();
    assertThat(both.evidence(BASE)).isPresent();
    assertThat(both.balances(BASE)).isPresent();
    assertThat(both.evidence("eip155:84532")).isEmpty();
    assertThat(both.networks()).isEqualTo(alone.networks());
    alone.close();
    both.close();
  }

  private static Facilitator only(GatewaySettings settings) {
    // A remote facilitator stores nothing, so the database is never connected to.
    DataSource none = new HikariDataSource();
    return new FacilitatorAssembly(settings, none, Clock.systemUTC()).facilitators().get(0);
  }
}

package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.db.PostgresServer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentPayload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes with one relayer key and one database, which hands out the key's nonces. */
class TwoNodesTest extends RelayFixture {

  @BeforeAll
  static void startServer() {
    PostgresServer.require();
  }

  @Override
  DataSource emptyDatabase() {
    return PostgresServer.require().emptyDatabase();
  }

  @Test
  @Tag("spec:money.10")
  void twoNodesNeverTakeTheSameNonceAndLeaveNoneOut() throws Exception {
    RelaySettings.Builder settings = settings().batching(2, Duration.ZERO);
    List<EvmFacilitator> nodes = List.of(started(settings), started(settings));
    Wallet payer = payer();
    List<Callable<Settlement>> calls = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      EvmFacilitator node = nodes.get(i % 2);
      PaymentPayload payment = payment(payer);
      calls.add(() -> node.settle(payment, terms()));
    }

    List<Settlement> settlements = all(calls);

    assertThat(settlements).allMatch(Settlement.Settled.class::isInstance);
    assertThat(earned()).isEqualTo(60 * PRICE);
    assertThat(mined()).isEqualTo(count("SELECT next_nonce FROM relayer"));
    assertThat(count("SELECT COUNT(*) FROM (SELECT DISTINCT nonce FROM chain_tx) n"))
        .isEqualTo(mined());
    assertThat(count("SELECT COUNT(DISTINCT node) FROM chain_tx")).isEqualTo(2);
  }
}

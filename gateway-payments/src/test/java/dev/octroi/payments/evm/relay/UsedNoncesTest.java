package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.chain.PlayedNode;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.testchain.Anvil;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A transaction that is mined by the time a node is asked to take it once more. */
@Tag("spec:money.10")
class UsedNoncesTest extends RelayFixture {

  private final AtomicInteger handedOver = new AtomicInteger();
  private volatile boolean behind;
  private PlayedNode twice;

  @BeforeEach
  void startNode() {
    twice = new PlayedNode(Anvil.CHAIN_ID, this::answer);
  }

  @AfterEach
  void stopNode() {
    twice.close();
  }

  @Test
  void ourOwnMinedTransactionIsNoStrangers() {
    EvmFacilitator facilitator = started();

    assertThat(facilitator.settle(payment(payer()), terms()))
        .isInstanceOf(Settlement.Settled.class);

    assertThat(mined()).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM chain_tx WHERE state = 'FINAL'")).isEqualTo(1);
    assertThat(count("SELECT COUNT(*) FROM chain_tx")).isEqualTo(1);
  }

  @Test
  void aNodeThatIsBehindCannotSayThatItWasAStrangers() throws Exception {
    behind = true;
    EvmFacilitator facilitator = started();

    Future<Settlement> settlement = beside(facilitator, payment(payer()));
    await().until(() -> earned() == PRICE);
    await().until(() -> handedOver.get() > 1);
    behind = false;

    assertThat(settlement.get()).isInstanceOf(Settlement.Settled.class);
    assertThat(mined()).isEqualTo(1);
    assertThat(count("SELECT COUNT(DISTINCT nonce) FROM chain_tx")).isEqualTo(1);
  }

  private EvmFacilitator started() {
    EvmFacilitator facilitator = opened(facilitator(settings(), twice.url(), database, relayer));
    facilitator.start();
    return facilitator;
  }

  /** The answer to the first sending is lost. */
  private String answer(JsonNode call) {
    String method = call.path("method").asText();
    if (method.equals("eth_sendRawTransaction")) {
      handedOver.incrementAndGet();
      PlayedNode.asked(anvil.url(), call);
    }
    boolean isOfState =
        method.equals("eth_getTransactionReceipt")
            || (method.equals("eth_getTransactionCount")
                && call.path("params").path(1).asText().equals("latest"));
    if (isOfState && behind) {
      return method.equals("eth_getTransactionReceipt")
          ? "{\"result\":null}"
          : PlayedNode.result("0x0");
    }
    return PlayedNode.asked(anvil.url(), call);
  }
}

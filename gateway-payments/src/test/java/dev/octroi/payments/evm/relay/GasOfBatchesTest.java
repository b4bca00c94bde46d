package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.chain.GasLimits;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.x402.PaymentPayload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a payment costs in company, measured with the real stablecoin and printed. */
class GasOfBatchesTest extends RelayFixture {

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 32})
  void aBatchIsOneTransactionAndItsGasIsKnown(int size) throws Exception {
    EvmFacilitator facilitator = started(settings().batching(size, Duration.ofSeconds(10)));
    coin.mint(SELLER.toString(), 1);
    List<PaymentPayload> payments = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Wallet payer = payer();
      payments.add(payment(payer));
    }

    List<Settlement> settlements = together(facilitator, payments);

    assertThat(settlements).allMatch(Settlement.Settled.class::isInstance);
    assertThat(settlements.stream().distinct()).hasSize(1);
    String hash = ((Settlement.Settled) settlements.get(0)).transaction();
    long gas = Long.decode(anvil.receipt(hash).path("gasUsed").textValue());
    System.out.printf("GAS batch of %d: %d, %d a payment%n", size, gas, gas / size);
    assertThat(gas).isLessThan(GasLimits.TRANSFER * size);
  }
}

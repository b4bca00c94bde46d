package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.web3j.crypto.Credentials;
import org.web3j.crypto.RawTransaction;
import org.web3j.crypto.TransactionEncoder;

class SignedTransactionTest {

  private static final String KEY =
      "0x4646464646464646464646464646464646464646464646464646464646464646";

  private static final EvmAddress TO =
      EvmAddress.parse("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");

  @Test
  void itIsByteForByteWhatTheLibrarySigns() {
    Fees fees = new Fees(BigInteger.valueOf(3_000_000_000L), BigInteger.valueOf(1_000_000));
    Draft draft = new Draft(TO, new byte[] {1, 2, 3, (byte) 0xff}, 130_000, List.of());

    SignedTransaction signed = SignedTransaction.of(RelayerKey.fromHex(KEY), 8453, 7, draft, fees);

    RawTransaction same =
        RawTransaction.createTransaction(
            8453,
            BigInteger.valueOf(7),
            BigInteger.valueOf(130_000),
            TO.toString(),
            BigInteger.ZERO,
            "0x010203ff",
            fees.tip(),
            fees.max());
    assertThat(Hex.of(signed.raw()))
        .isEqualTo(Hex.of(TransactionEncoder.signMessage(same, Credentials.create(KEY))))
        .startsWith("0x02");
  }

  @Test
  void aReplacementOffersAtLeastAnEighthMore() {
    Fees raised = new Fees(BigInteger.valueOf(1_001), BigInteger.ZERO).raised();

    assertThat(raised.max()).isEqualTo(BigInteger.valueOf(1_127));
    assertThat(raised.tip()).isEqualTo(BigInteger.ONE);
  }
}

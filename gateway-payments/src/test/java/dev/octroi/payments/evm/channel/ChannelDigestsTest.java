package dev.octroi.payments.evm.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.channel.ClaimBatch.ChannelClaim;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Known answers of the contract, which viem gives as well. */
class ChannelDigestsTest {

  private static final BigInteger MAX = BigInteger.valueOf(10_000);

  private final byte[] id = ChannelSamples.config(0).id(ChannelSamples.CHAIN);

  @Test
  void aChannelIsNamedByItsTerms() {
    assertThat(Hex.of(id))
        .isEqualTo("0xf48d491e84f063c88cff0365600eaf812d3da770c09f2ef17caf0c4adba0f77b");
    assertThat(ChannelSamples.config(1).id(ChannelSamples.CHAIN)).isNotEqualTo(id);
    assertThat(ChannelSamples.config(0).id(1)).isNotEqualTo(id);
  }

  @Test
  void aVoucherIsSignedForAChannelAndASum() {
    assertThat(Hex.of(new Voucher(id, MAX).digest(ChannelSamples.CHAIN)))
        .isEqualTo("0x7305a1aa789b027f2ac6d7af865d343835376b4c1b807ae7d75fe8fa2869a64e");
  }

  @Test
  void aRefundIsSignedWithItsNonce() {
    ChannelRefund refund = new ChannelRefund(id, BigInteger.ZERO, BigInteger.valueOf(90_000));

    assertThat(Hex.of(refund.digest(ChannelSamples.CHAIN)))
        .isEqualTo("0xcc57aa0e1fbafadd4d6792a956d781d70023cf8fb0a349e8faaed9084e06ed34");
  }

  @Test
  void aBatchOfClaimsIsSignedAsAWhole() {
    ClaimBatch batch =
        new ClaimBatch(List.of(new ChannelClaim(new Voucher(id, MAX), BigInteger.valueOf(7_000))));

    assertThat(Hex.of(batch.digest(ChannelSamples.CHAIN)))
        .isEqualTo("0x80a0cf8462629e1a4a6799b9d295f38a8ea7c776ec7d611761962b59f055c7bd");
  }

  /** As viem signs what the published client has it sign. */
  @Test
  void aDepositByPermit2NamesItsChannel() {
    PermitDeposit deposit =
        PermitDeposit.unsigned(
            ChannelSamples.config(0),
            id,
            BigInteger.valueOf(100_000),
            BigInteger.ONE,
            BigInteger.valueOf(2_000_000_000));

    assertThat(Hex.of(deposit.digest(ChannelSamples.CHAIN)))
        .isEqualTo("0xf34faba62d1e344285a1fdb83032c6181e5221809503124009bd5febbe414b54");
  }

  @Test
  void aDepositsNonceNamesItsChannel() {
    TokenDeposit deposit =
        new TokenDeposit(MAX, BigInteger.ZERO, BigInteger.TEN, BigInteger.ONE, new byte[0]);

    assertThat(Hex.of(deposit.nonce(id)))
        .isEqualTo("0x3501258ae83658456f5fe7a5e558c0a1239010a0c3aa2c7009b9a3e88e9d040f");
  }
}

package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Known answers: the protocol's published example as the contract takes it. */
class TransferCallTest {

  private static final EvmAddress TOKEN =
      EvmAddress.parse("0x036CbD53842c5426634e7929541eC2318f3dCF7e");

  private static final TransferAuthorization AUTHORIZATION =
      new TransferAuthorization(
          EvmAddress.parse("0x857b06519E91e3A54538791bDbb0E22373e36b66"),
          EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C"),
          BigInteger.valueOf(10_000),
          BigInteger.valueOf(1_740_672_089L),
          BigInteger.valueOf(1_740_672_154L),
          Hex.parse("0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"));

  private static final byte[] SIGNATURE =
      Hex.parse(
          "0x2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a12832597641736"
              + "08a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b571c");

  private static final String TERMS =
      "000000000000000000000000857b06519e91e3a54538791bdbb0e22373e36b66"
          + "000000000000000000000000209693bc6afc0c5328ba36faf03c514ef312287c"
          + "0000000000000000000000000000000000000000000000000000000000002710"
          + "0000000000000000000000000000000000000000000000000000000067c08c59"
          + "0000000000000000000000000000000000000000000000000000000067c08c9a"
          + "f3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480";

  private static final String R_AND_S =
      "2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a12832597641736"
          + "08a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b57";

  private static final String V_28 =
      "000000000000000000000000000000000000000000000000000000000000001c";

  @Test
  @Tag("spec:x402.settle.overload")
  void aSignatureOf65BytesGoesInThreeParts() {
    TransferCall call = call(SIGNATURE);

    assertThat(Hex.of(call.data())).isEqualTo("0xe3ee160e" + TERMS + V_28 + R_AND_S);
    assertThat(call.isForBatches()).isTrue();
  }

  @Test
  @Tag("spec:x402.settle.overload")
  void anyOtherSignatureGoesWhole() {
    TransferCall call = call(Arrays.copyOf(SIGNATURE, 66));

    assertThat(Hex.of(call.data()))
        .isEqualTo(
            "0xcf092995"
                + TERMS
                + "00000000000000000000000000000000000000000000000000000000000000e0"
                + "0000000000000000000000000000000000000000000000000000000000000042"
                + R_AND_S
                + "1c00000000000000000000000000000000000000000000000000000000000000");
    assertThat(call.isForBatches()).isFalse();
  }

  @Test
  void whatWasSignedCanBeReadBack() {
    TransferCall call = call(SIGNATURE);

    assertThat(call.payer()).isEqualTo(AUTHORIZATION.from());
    assertThat(call.payTo()).isEqualTo(AUTHORIZATION.to());
    assertThat(call.amount()).isEqualTo(AUTHORIZATION.value());
    assertThat(call.validBefore()).isEqualTo(AUTHORIZATION.validBefore());
    assertThat(call.nonce()).isEqualTo(AUTHORIZATION.nonce());
  }

  private static TransferCall call(byte[] signature) {
    return TransferCall.of(TOKEN, new SignedAuthorization(AUTHORIZATION, signature));
  }
}

package dev.octroi.payments.evm.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The protocol's published payment, encoded by an independent library: its data, or its hash. */
@Tag("spec:x402.known_answer")
class KnownEncodingsTest {

  private static final EvmAddress PAYER =
      EvmAddress.parse("0x857b06519E91e3A54538791bDbb0E22373e36b66");
  private static final EvmAddress PAY_TO =
      EvmAddress.parse("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
  private static final byte[] NONCE =
      Hex.parse("0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480");
  private static final byte[] SIGNATURE =
      Hex.parse(
          "0x2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a1283259764173608a2ce6496642e377d6da8db"
              + "bf5836e9bd15092f9ecab05ded3d6293af148b571c");
  private static final String RESULTS =
      "0x"
          + word(0x20)
          + word(2)
          + word(0x40)
          + word(0xc0)
          + word(1)
          + word(0x40)
          + word(0x20)
          + word(7)
          + word(0)
          + word(0x40)
          + word(2)
          + "0102"
          + "0".repeat(60);
  private static final String DEPLOYING =
      "0x000000000000000000000000209693bc6afc0c5328ba36faf03c514ef312287c"
          + word(0x60)
          + word(0xa0)
          + word(3)
          + "aabbcc"
          + "0".repeat(58)
          + word(2)
          + "0102"
          + "0".repeat(60)
          + "6492".repeat(16);

  private static String word(int value) {
    return String.format("%064x", value);
  }

  private static SignedAuthorization published(byte[] signature) {
    TransferAuthorization authorization =
        new TransferAuthorization(
            PAYER,
            PAY_TO,
            BigInteger.valueOf(10_000),
            BigInteger.valueOf(1_740_672_089),
            BigInteger.valueOf(1_740_672_154),
            NONCE);
    return new SignedAuthorization(authorization, signature);
  }

  private static String hash(byte[] data) {
    return Hex.of(Keccak.hash(data));
  }

  @Test
  void aSignatureOf65BytesGoesAsItsParts() {
    byte[] data = TokenCalls.transfer(published(SIGNATURE));

    assertThat(Hex.of(data)).startsWith("0xe3ee160e");
    assertThat(hash(data))
        .isEqualTo("0xe55cf0659e233ee60a2a54c202db3089428c615f6e9d81a90f3f62eb05efde50");
  }

  @Test
  void aSignatureThatSays1ForItsVGoesAs28() {
    byte[] other = SIGNATURE.clone();
    other[64] = 1;

    assertThat(TokenCalls.transfer(published(other)))
        .isEqualTo(TokenCalls.transfer(published(SIGNATURE)));
  }

  @Test
  void anyOtherSignatureGoesAsItsBytes() {
    byte[] data = TokenCalls.transfer(published(new byte[] {1, 2, 3, 4, 5}));

    assertThat(Hex.of(data)).startsWith("0xcf092995");
    assertThat(hash(data))
        .isEqualTo("0xdc2a89d20e9196165f38f99fb48a22f5b4c3c0264a9ee216b748f92532acda6e");
  }

  @Test
  void stateAndSignatureAreAskedFor() {
    assertThat(Hex.of(TokenCalls.authorizationState(PAYER, NONCE)))
        .isEqualTo(
            "0xe94a0102000000000000000000000000857b06519e91e3a54538791bdbb0e22373e36b66"
                + "f3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480");
    assertThat(hash(TokenCalls.isValidSignature(NONCE, new byte[] {1, 2})))
        .isEqualTo("0xd099774323264b488e81283b76738ebcf0e294927529d0d1f4bb766fbe3129c3");
  }

  @Test
  void severalCallsGoAsOne() {
    byte[] data =
        Multicall3.aggregate3(
            List.of(
                new Multicall3.Call(PAY_TO, TokenCalls.authorizationState(PAYER, NONCE)),
                new Multicall3.Call(
                    PAYER, TokenCalls.transfer(published(new byte[] {1, 2, 3, 4, 5})))));

    assertThat(Hex.of(data)).startsWith("0x82ad56cb");
    assertThat(hash(data))
        .isEqualTo("0xdc5d259a1be12d2843b948e15b9c273d17c94aa1774e32aca4d9f1429ed881eb");
  }

  @Test
  void resultsAreReadInTheirOrder() {
    List<Multicall3.Result> results = Multicall3.results(Hex.parse(RESULTS), 2);

    assertThat(results.get(0).success()).isTrue();
    assertThat(TokenCalls.number(results.get(0))).isEqualTo(7);
    assertThat(results.get(1).success()).isFalse();
    assertThat(results.get(1).data()).containsExactly(1, 2);
  }

  @Test
  void anyResultsThatEndTooEarlyAreNone() {
    byte[] whole = Hex.parse(RESULTS);
    int needed = whole.length - 30;
    for (int length = 0; length < needed; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> Multicall3.results(part, 2)).isInstanceOf(ChainUnavailable.class);
    }
    assertThatThrownBy(() -> Multicall3.results(whole, 3)).isInstanceOf(ChainUnavailable.class);
  }

  @Test
  @Tag("spec:x402.verify.signature.erc6492")
  void aDeployingSignatureIsTakenApart() {
    byte[] signature = Hex.parse(DEPLOYING);

    assertThat(DeployingSignature.marks(signature)).isTrue();
    assertThat(DeployingSignature.marks(SIGNATURE)).isFalse();
    DeployingSignature parts = DeployingSignature.read(signature).orElseThrow();
    assertThat(parts.factory()).isEqualTo(PAY_TO);
    assertThat(parts.factoryData()).isEqualTo(Hex.parse("0xaabbcc"));
    assertThat(parts.signature()).isEqualTo(Hex.parse("0x0102"));
  }

  @Test
  void anyByteOfADeployingSignatureMayBeWrong() {
    byte[] signature = Hex.parse(DEPLOYING);
    for (int i = 0; i < signature.length - 32; i++) {
      byte[] wrong = signature.clone();
      wrong[i] = (byte) 0xff;
      // What comes of it does not matter here, only that nothing is thrown.
      assertThat(DeployingSignature.read(wrong)).isNotNull();
    }
  }

  @Test
  void topicsAreTheHashesOfTheEvents() {
    assertThat(PaidTransfer.USED).isEqualTo(event("AuthorizationUsed(address,bytes32)"));
    assertThat(PaidTransfer.CANCELED).isEqualTo(event("AuthorizationCanceled(address,bytes32)"));
    assertThat(PaidTransfer.TRANSFER).isEqualTo(event("Transfer(address,address,uint256)"));
  }

  private static String event(String signature) {
    return hash(signature.getBytes(StandardCharsets.US_ASCII));
  }
}

package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SolanaWalletTest {

  /** RFC 8032, section 7.1, test 2. */
  private static final byte[] SEED =
      HexFormat.of().parseHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");

  private static final byte[] PUBLIC =
      HexFormat.of().parseHex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");

  private final SolanaWallet wallet = SolanaWallet.of(SEED);

  @Test
  void thePublishedSignatureIsMade() {
    byte[] signature = wallet.sign(new byte[] {0x72});

    assertThat(wallet.address().bytes()).isEqualTo(PUBLIC);
    assertThat(HexFormat.of().formatHex(signature))
        .isEqualTo(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
    assertThat(Ed25519.verify(wallet.address(), new byte[] {0x72}, signature)).isTrue();
    assertThat(Ed25519.verify(wallet.address(), new byte[] {0x73}, signature)).isFalse();
  }

  @Test
  void everyFormOfAKeyIsTheSameWallet() {
    byte[] keypair = wallet.keypair();
    String array = Arrays.toString(toInts(keypair));

    assertThat(SolanaWallet.of(keypair)).isEqualTo(wallet);
    assertThat(SolanaWallet.parse(Base58.encode(keypair) + "\n")).isEqualTo(wallet);
    assertThat(SolanaWallet.parse(Base58.encode(SEED))).isEqualTo(wallet);
    assertThat(SolanaWallet.parse(array)).isEqualTo(wallet);
    assertThat(SolanaWallet.parse(array.replace(" ", "\n "))).isEqualTo(wallet);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "[1,2,3]", "[1,", "0x12", "abc", "[999]"})
  void whatIsNoKeyIsRefusedWithoutRepeatingIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SolanaWallet.parse(text))
        .satisfies(e -> assertThat(text.isEmpty() || !e.getMessage().contains(text)).isTrue());
  }

  @Test
  void halvesOfTwoWalletsAreNoKeyPair() {
    byte[] keypair = wallet.keypair();
    keypair[63] ^= 1;

    assertThatIllegalArgumentException().isThrownBy(() -> SolanaWallet.of(keypair));
  }

  @Test
  void theKeyIsMasked() {
    assertThat(wallet.toString())
        .contains(wallet.address().toString())
        .doesNotContain(Base58.encode(SEED))
        .doesNotContain(Base58.encode(wallet.keypair()))
        .contains("***");
  }

  @Test
  void twoGeneratedWalletsDiffer() {
    assertThat(SolanaWallet.generate()).isNotEqualTo(SolanaWallet.generate());
  }

  /** With the identity point as the key, one signature fits every message. */
  @Test
  void aKeyOfSmallOrderHasSignedNothing() {
    byte[] identity = new byte[32];
    identity[0] = 1;
    byte[] signature = new byte[64];
    signature[0] = 1;

    assertThat(Ed25519.verify(SolanaAddress.of(identity), new byte[] {1}, signature)).isFalse();
  }

  private static int[] toInts(byte[] bytes) {
    int[] ints = new int[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      ints[i] = bytes[i] & 0xff;
    }
    return ints;
  }
}

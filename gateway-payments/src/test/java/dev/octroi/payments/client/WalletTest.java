package dev.octroi.payments.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WalletTest {

  /** A key that development chains publish. */
  private static final String KEY =
      "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

  @Test
  void aKeyHasItsKnownAddress() {
    assertThat(Wallet.fromHex(KEY).address())
        .hasToString("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
    assertThat(Wallet.fromHex("0x" + KEY)).isEqualTo(Wallet.fromHex(KEY));
  }

  @Test
  void theKeyIsNeverShown() {
    assertThat(Wallet.fromHex(KEY).toString()).doesNotContain(KEY.substring(0, 8)).contains("***");
  }

  @Test
  void everyGeneratedWalletIsAnother() {
    assertThat(Wallet.generate()).isNotEqualTo(Wallet.generate());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0x",
        "ac09",
        "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ffzz",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
      })
  void whatIsNoKeyIsRefusedWithoutRepeatingIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Wallet.fromHex(text))
        .withMessage("a private key is 64 hex digits within the curve's order");
  }
}

package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.x402.SignInMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Signatures of texts that the published client wrote, of all members and of the fewest. */
class SolanaSignInTest {

  private static final String ADDRESS = "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB";
  private static final String CHAIN = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
  private static final String URI = "http://127.0.0.1:8402/v1/x";
  private static final String NONCE = "00112233445566778899aabbccddeeff";
  private static final String NOW = "2026-11-27T03:00:00Z";

  private static final String SIGNATURE =
      "66sDXSQDsP1ELJbUHkxHYasp3PGi7gCANuoHn48jkuiHb7GSHwCndwAVkiVCSLAN6FT1SUvuH9RD6XE3hYogwKEm";

  private static final String SHORT_SIGNATURE =
      "3pWz1EvM8Rz1EEFWfcwjhjRGqjuGUVfGnrS72RQoHBm6rdkt8sMN7dkuqEcdgzUcWbRPVrcykekEcW8GVMv5NHKC";

  @Test
  void whatThePublishedClientWritesIsKnownAgain() {
    assertThat(whole(ADDRESS, SIGNATURE).isSigned()).isTrue();
    assertThat(
            SolanaSignIn.of(
                    new SignInMessage(
                        "127.0.0.1:8402",
                        ADDRESS,
                        null,
                        URI,
                        CHAIN,
                        NONCE,
                        NOW,
                        null,
                        NOW,
                        "r",
                        List.of(),
                        SHORT_SIGNATURE))
                .isSigned())
        .isTrue();
  }

  @Test
  void anAddressInOtherCaseIsAnotherWallet() {
    String lower = ADDRESS.replace("aD", "ad");

    assertThat(whole(lower, SIGNATURE).isSigned()).isFalse();
    assertThat(SolanaAddress.parse(lower)).isNotEqualTo(SolanaAddress.parse(ADDRESS));
  }

  @Test
  void keysThatSignForEverybodyAndWhatIsNoSignatureAreRefused() {
    // The neutral point: this signature by it fits any message.
    byte[] neutral = new byte[SolanaAddress.BYTES];
    neutral[0] = 1;
    byte[] forged = new byte[Ed25519.SIGNATURE_BYTES];
    forged[0] = 1;

    assertThat(whole(Base58.encode(neutral), Base58.encode(forged)).isSigned()).isFalse();
    assertThatThrownBy(() -> whole(ADDRESS, SIGNATURE.substring(4)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> whole(ADDRESS, "0OIl")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> whole("abc", SIGNATURE)).isInstanceOf(IllegalArgumentException.class);
  }

  private static SolanaSignIn whole(String address, String signature) {
    return SolanaSignIn.of(message(address, signature));
  }

  private static SignInMessage message(String address, String signature) {
    return new SignInMessage(
        "127.0.0.1:8402",
        address,
        "Sign in to see again what you paid for.",
        URI,
        CHAIN,
        NONCE,
        NOW,
        "2026-11-27T03:05:00Z",
        null,
        null,
        List.of(URI),
        signature);
  }
}

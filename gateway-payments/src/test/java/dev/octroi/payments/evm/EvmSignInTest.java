package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.x402.SignInMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Signatures that the published client made, of all members and of the fewest. */
class EvmSignInTest {

  private static final String ADDRESS = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
  private static final String URI = "http://127.0.0.1:8402/v1/x";
  private static final String NONCE = "00112233445566778899aabbccddeeff";
  private static final String NOW = "2026-11-27T03:00:00Z";
  private static final String END = "2026-11-27T03:05:00Z";
  private static final String STATEMENT = "Sign in to see again what you paid for.";

  private static final String SIGNATURE =
      "0x1f2b5ae334b2d2a395dae0f4a49d2be4fad0f8b45911076c8bbf1c1b650563704b2b47a6eaa4ef587fa54aa633"
          + "a061cba90226aa742394c9b6c6f4dc2e21fb701b";

  private static final String SHORT_SIGNATURE =
      "0x8e053684a398135fa591bb09859271a01bb74079f497a2658f685a1447ea6e163d7dd07e612cccc1bdd3ca2ef2"
          + "8bdb2f62fd5e5d4053dc0704be6749184d02421b";

  @Test
  void whatThePublishedClientSignsIsKnownAgain() {
    assertThat(whole(STATEMENT, URI, ADDRESS, SIGNATURE).isSignedByKey()).isTrue();
    assertThat(
            EvmSignIn.of(
                    new SignInMessage(
                        "127.0.0.1:8402",
                        ADDRESS,
                        null,
                        URI,
                        "eip155:8453",
                        NONCE,
                        NOW,
                        null,
                        NOW,
                        "r",
                        null,
                        SHORT_SIGNATURE))
                .isSignedByKey())
        .isTrue();
  }

  @Test
  void anyOtherTextOrSignerIsNot() {
    assertThat(whole("Another statement.", URI, ADDRESS, SIGNATURE).isSignedByKey()).isFalse();
    assertThat(whole(null, URI, ADDRESS, SIGNATURE).isSignedByKey()).isFalse();
    assertThat(whole(STATEMENT, URI + "y", ADDRESS, SIGNATURE).isSignedByKey()).isFalse();
    assertThat(
            whole(STATEMENT, URI, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", SIGNATURE)
                .isSignedByKey())
        .isFalse();
    assertThat(whole(STATEMENT, URI, ADDRESS, "0x").isSignedByKey()).isFalse();
    assertThat(whole(STATEMENT, URI, ADDRESS, "0x" + "ff".repeat(65)).isSignedByKey()).isFalse();
    assertThatThrownBy(() -> whole(STATEMENT, URI, ADDRESS, "mine"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static EvmSignIn whole(
      @Nullable String statement, String uri, String address, String signature) {
    return EvmSignIn.of(
        new SignInMessage(
            "127.0.0.1:8402",
            address,
            statement,
            uri,
            "eip155:8453",
            NONCE,
            NOW,
            END,
            null,
            null,
            List.of(uri),
            signature));
  }
}

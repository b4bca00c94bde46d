package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class Base58Test {

  @Test
  void knownTextsAreSpelled() {
    byte[] greeting = "Hello World!".getBytes(StandardCharsets.US_ASCII);

    assertThat(Base58.encode(greeting)).isEqualTo("2NEpo7TZRRrLZSi2U");
    assertThat(Base58.encode(new byte[] {0, 0, 0x28, 0x7f, (byte) 0xb4, (byte) 0xcd}))
        .isEqualTo("11233QC4");
    assertThat(Base58.encode(new byte[32])).isEqualTo("1".repeat(32));
    assertThat(Base58.encode(new byte[0])).isEmpty();
    assertThat(Base58.decode("2NEpo7TZRRrLZSi2U")).isEqualTo(greeting);
  }

  @Property
  void whatWasWrittenIsReadAgain(@ForAll @Size(max = Base58.MAX_BYTES) byte[] bytes) {
    assertThat(Base58.decode(Base58.encode(bytes))).isEqualTo(bytes);
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll @StringLength(max = 300) String text) {
    try {
      byte[] bytes = Base58.decode(text);
      assertThat(Base58.encode(bytes)).isEqualTo(text);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).contains("base58");
    }
  }

  @Test
  void lookAlikesAndTooMuchAreRefused() {
    for (String wrong : new String[] {"0", "O", "I", "l", " ", "é", "1".repeat(129)}) {
      assertThatIllegalArgumentException().isThrownBy(() -> Base58.decode(wrong));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Base58.decode("z".repeat(10_000)));
    assertThatIllegalArgumentException().isThrownBy(() -> Base58.encode(new byte[129]));
  }
}

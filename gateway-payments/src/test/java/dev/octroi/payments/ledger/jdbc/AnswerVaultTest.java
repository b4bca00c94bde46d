package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.StoredAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spec:money.3")
class AnswerVaultTest {

  private static final UUID PAYMENT = UUID.randomUUID();
  private static final StoredAnswer SECRET =
      new StoredAnswer(
          201,
          Map.of("Content-Type", "text/plain; charset=utf-8"),
          "what the payer bought".getBytes(StandardCharsets.UTF_8));

  private final AnswerVault vault = new AnswerVault(new byte[32]);

  @Test
  void anAnswerComesOutAsItWentIn() {
    StoredAnswer opened = vault.open(PAYMENT, vault.seal(PAYMENT, SECRET));

    assertThat(opened.status()).isEqualTo(201);
    assertThat(opened.headers()).isEqualTo(SECRET.headers());
    assertThat(opened.body()).isEqualTo(SECRET.body());
  }

  @Test
  void nothingOfItCanBeReadAndNoTwoSealsAreAlike() {
    byte[] sealed = vault.seal(PAYMENT, SECRET);

    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("bought");
    assertThat(sealed).isNotEqualTo(vault.seal(PAYMENT, SECRET));
  }

  @Test
  void itOpensForItsPaymentAndKeyOnlyAndUnchanged() {
    byte[] sealed = vault.seal(PAYMENT, SECRET);
    byte[] otherKey = new byte[32];
    otherKey[0] = 1;
    byte[] changed = sealed.clone();
    changed[changed.length - 1] ^= 1;

    assertThatIllegalStateException().isThrownBy(() -> vault.open(UUID.randomUUID(), sealed));
    assertThatIllegalStateException()
        .isThrownBy(() -> new AnswerVault(otherKey).open(PAYMENT, sealed));
    assertThatIllegalStateException().isThrownBy(() -> vault.open(PAYMENT, changed));
    assertThatIllegalStateException()
        .isThrownBy(() -> vault.open(PAYMENT, Arrays.copyOf(sealed, 5)));
  }

  @Test
  void aKeyOfAnotherLengthIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new AnswerVault(new byte[16]));
  }
}

package dev.octroi.services.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spec:language.translation.thinking")
class SealTest {

  @ParameterizedTest
  @EnumSource(Seal.Kind.class)
  void aSealComesBackFromItsToken(Seal.Kind kind) {
    Seal seal = new Seal(kind, "rs_ä.1", "a.b+/=");

    assertThat(Seal.read(seal.token(), null, "")).isEqualTo(seal);
  }

  @Test
  void aSealIsItselfInItsOwnProtocolOnly() {
    Seal seal = new Seal(Seal.Kind.SIGNATURE, "", "c2ln");

    assertThat(seal.in(Seal.Kind.SIGNATURE)).isEqualTo("c2ln");
    assertThat(seal.in(Seal.Kind.ENCRYPTED)).isEqualTo(seal.token());
  }

  @ParameterizedTest
  @ValueSource(strings = {"octroi.", "octroi.unknown..x", "octroi.signature.x", "plain"})
  void whatIsNoTokenIsTheProtocolsOwn(String text) {
    assertThat(Seal.read(text, Seal.Kind.ENCRYPTED, "rs_1"))
        .isEqualTo(new Seal(Seal.Kind.ENCRYPTED, "rs_1", text));
    assertThat(Seal.read(text, null, "")).isNull();
  }

  @Test
  void anIdThatCannotBeReadIsNone() {
    assertThat(Seal.read("octroi.encrypted.*.x", null, ""))
        .isEqualTo(new Seal(Seal.Kind.ENCRYPTED, "", "x"));
  }
}

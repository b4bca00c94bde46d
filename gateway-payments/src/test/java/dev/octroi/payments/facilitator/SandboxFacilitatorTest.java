package dev.octroi.payments.facilitator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spec:payment.sandbox")
class SandboxFacilitatorTest {

  private static final String NETWORK = "eip155:8453";
  private static final PaymentPayload PAYLOAD =
      new PaymentPayload(
          2,
          null,
          null,
          "exact",
          NETWORK,
          JsonNodeFactory.instance.objectNode(),
          null,
          new byte[0]);
  private static final PaymentRequirements TERMS =
      new PaymentRequirements("exact", NETWORK, "1", "0x01", "0x02", 60, null);

  @Test
  void whatWouldBeValidInItsTimeIsLate() {
    Instant end = Instant.EPOCH;
    Verification late =
        new Verification.Late(
            "late", new Verification.Valid("0x03", "0x04", end, OptionalLong.of(7)));

    assertThat(facilitator(late).verify(PAYLOAD, TERMS))
        .isEqualTo(
            new Verification.Late(
                "late", new Verification.Valid("0x03", "0x04", end, OptionalLong.empty())));
  }

  @Test
  void whatTheSchemeRefusesIsRefusedWithItsReason() {
    Verification refused = new Verification.Invalid("invalid_exact_evm_signature", "0x03");

    assertThat(facilitator(refused).verify(PAYLOAD, TERMS)).isEqualTo(refused);
  }

  @Test
  void theBalanceOfAGoodPaymentIsLeftToTheLedger() {
    Instant end = Instant.parse("2030-01-01T00:00:00Z");
    Verification good = new Verification.Valid("0x03", "0x04", end, OptionalLong.of(7));

    assertThat(facilitator(good).verify(PAYLOAD, TERMS))
        .isEqualTo(new Verification.Valid("0x03", "0x04", end, OptionalLong.empty()));
  }

  @Test
  void itSettlesInTheLedgerAndNowhereElse() {
    Facilitator facilitator = facilitator(new Verification.Invalid("none", null));

    assertThat(facilitator.settlesInLedger()).isTrue();
    assertThat(facilitator.networks()).containsExactly(NETWORK);
    assertThatThrownBy(() -> facilitator.settle(PAYLOAD, TERMS))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static Facilitator facilitator(Verification verification) {
    return new SandboxFacilitator((payload, terms) -> verification, List.of(NETWORK));
  }
}

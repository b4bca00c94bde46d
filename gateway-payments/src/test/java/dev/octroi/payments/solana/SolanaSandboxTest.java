package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.SolanaSigner;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.IOException;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class SolanaSandboxTest {

  private final SandboxFacilitator sandbox =
      SolanaSandbox.facilitator(Examples.USDC.network(), Clock.systemUTC());

  private final PaymentRequirements offer =
      Examples.terms(sandbox.offerExtra(Examples.USDC.network()).orElseThrow());

  private final SolanaSigner signer =
      new SolanaSigner(
          Examples.PAYER,
          () -> {
            throw new IOException("this test asks no chain");
          });

  @Test
  void aPayerNeedsNoChain() {
    String transaction = (String) signer.payload(offer).get("transaction");

    assertThat(sandbox.verify(Examples.payment(transaction), offer))
        .isInstanceOf(Verification.Valid.class);
  }

  @Test
  void noKeySignsForItsFeePayer() {
    assertThat(Ed25519.isOnCurve(SolanaSandbox.FEE_PAYER.bytes())).isFalse();
  }

  @Test
  void theRulesAreTheRealOnes() {
    assertThat(sandbox.verify(Examples.payment(Examples.PUBLISHED), offer))
        .isEqualTo(new Verification.Invalid("invalid_exact_svm_fee_payer_mismatch", null));
  }

  @Test
  void aSignerTakesOffersOfItsKindOfChain() {
    assertThat(signer.account()).isEqualTo(Examples.PAYER.address().toString());
    assertThat(signer.signs(offer)).isTrue();
    assertThat(
            signer.signs(
                new PaymentRequirements(
                    "exact", "eip155:8453", "1", offer.asset(), offer.payTo(), 60, null)))
        .isFalse();
  }
}

package dev.octroi.api.docs;

import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.util.Optional;

/**
 * Pays for the calls that a visitor tries on the gateway's pages, with worthless money: a wallet
 * that is made when it is first needed and forgotten with the process. Thread-safe.
 */
public final class SandboxPayer {

  private final String payTo;
  private final Clock clock;
  private Optional<PaymentSigner> signer = Optional.empty();

  /**
   * @param payTo the only address that it pays
   */
  public SandboxPayer(String payTo, Clock clock) {
    this.payTo = payTo;
    this.clock = clock;
  }

  /** A payment. */
  record Signed(String payment, String payer, String amount) {}

  /** Signs what this gateway asks for; empty for another server's challenge. */
  Optional<Signed> sign(PaymentRequired challenge) {
    PaymentSigner one = signer();
    return challenge.accepts().stream()
        .filter(offer -> offer.payTo().equalsIgnoreCase(payTo) && one.signs(offer))
        .findFirst()
        .map(offer -> signed(one, challenge, offer));
  }

  private static Signed signed(
      PaymentSigner signer, PaymentRequired challenge, PaymentRequirements offer) {
    return new Signed(signer.sign(challenge, offer), signer.account(), offer.amount());
  }

  private synchronized PaymentSigner signer() {
    PaymentSigner known = signer.orElseGet(() -> new PaymentSigner(Wallet.generate(), clock));
    signer = Optional.of(known);
    return known;
  }
}

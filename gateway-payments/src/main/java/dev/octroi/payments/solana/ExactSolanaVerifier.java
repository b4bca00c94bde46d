package dev.octroi.payments.solana;

import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.solana.PaymentRules.Judgement;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Clock;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The rules of the exact scheme on Solana that need no chain, in the protocol's order; the first
 * that is broken gives the reason. Thread-safe.
 *
 * <p>Whether the payer has the money, whether the message's blockhash still lives and whether the
 * payment was made before is the facilitator's to find out.
 */
public final class ExactSolanaVerifier {

  private final Clock clock;
  private final PaymentRules rules;

  /**
   * Makes the verifier.
   *
   * @param clock by which a payment is said to end: its blockhash dates it, but not in time
   * @param isFeePayer whether this facilitator signs for a fee payer, given in base58
   * @param maxFeeLamports the most that a transaction may cost the fee payer
   */
  public ExactSolanaVerifier(Clock clock, Predicate<String> isFeePayer, long maxFeeLamports) {
    this.clock = clock;
    this.rules = new PaymentRules(isFeePayer, maxFeeLamports);
  }

  /**
   * Verifies a payment against this server's own terms.
   *
   * @return valid, with an unknown balance and {@code maxTimeoutSeconds} from now as its end, or
   *     the reason of the first broken rule
   * @throws MalformedPayment if the payload has no transaction
   */
  public Verification verify(PaymentPayload payment, PaymentRequirements terms) {
    Judgement judgement = judge(payment, terms);
    return judgement instanceof Judgement.Sound sound
        ? valid(sound, terms, OptionalLong.empty())
        : ((Judgement.Broken) judgement).toVerification();
  }

  Judgement judge(PaymentPayload payment, PaymentRequirements terms) {
    return rules.judge(payment, terms);
  }

  /** What is said of a payment that keeps all rules. */
  Verification.Valid valid(
      Judgement.Sound sound, PaymentRequirements terms, OptionalLong spendable) {
    return new Verification.Valid(
        sound.payer(),
        sound.transaction().messageHash(),
        clock.instant().plusSeconds(terms.maxTimeoutSeconds()),
        spendable);
  }
}

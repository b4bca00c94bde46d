package dev.octroi.api.facilitator;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.RequestBinding;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles other servers' payments, each a row of its own in the ledger: claimed, settled, and
 * written down before and after, exactly as a call of the gateway (money rules 1 to 3). Of any
 * number of requests for one payment, on any node, one sends it; the others hear that it is pending
 * or what came of it. Thread-safe.
 */
public final class ServedSettlement {

  private static final Logger LOG = LoggerFactory.getLogger(ServedSettlement.class);

  /** What is kept is only that it settled; with which transaction, the ledger knows. */
  private static final StoredAnswer SETTLED = new StoredAnswer(200, Map.of(), new byte[0]);

  private final Ledger ledger;
  private final long unsettledPerPayer;

  /**
   * @param unsettledPerPayer atomic units that a payer may have unsettled where nobody tells a
   *     balance (money rule 8)
   */
  public ServedSettlement(Ledger ledger, long unsettledPerPayer) {
    this.ledger = ledger;
    this.unsettledPerPayer = unsettledPerPayer;
  }

  /**
   * Settles a payment once.
   *
   * @param verification valid or late; a late one may have settled before
   * @throws LedgerUnavailable if nothing was sent because the ledger did not answer
   */
  ServedOutcome settle(
      Facilitator facilitator,
      PaymentPayload payload,
      PaymentRequirements terms,
      Verification verification) {
    if (verification instanceof Verification.Late late) {
      ClaimRequest request = request(facilitator, payload, terms, late.payment());
      ClaimResult result = ledger.redeliver(request);
      return result instanceof ClaimResult.Failed
          ? ServedOutcome.failed(late.reason(), late.payment().payer())
          : told(result, request, late.payment().payer());
    }
    Verification.Valid valid = (Verification.Valid) verification;
    ClaimRequest request = request(facilitator, payload, terms, valid);
    ClaimResult result = ledger.claim(request);
    return result instanceof ClaimResult.Claimed claimed
        ? sent(facilitator, payload, terms, claimed.claim(), valid.payer())
        : told(result, request, valid.payer());
  }

  private ServedOutcome sent(
      Facilitator facilitator,
      PaymentPayload payload,
      PaymentRequirements terms,
      Claim claim,
      String payer) {
    if (facilitator.settlesInLedger()) {
      return outcome(ledger.settleHere(claim, SETTLED), claim, payer);
    }
    if (!ledger.settling(claim, SETTLED)) {
      // Somebody else has taken the claim over, and may be sending it.
      return ServedOutcome.pending(null, payer);
    }
    Settlement outcome = attempt(facilitator, payload, terms);
    try {
      return ledger.settled(claim, outcome)
          ? outcome(outcome, claim, payer)
          : ServedOutcome.pending(null, payer);
    } catch (LedgerUnavailable e) {
      // The outcome itself is certain; the ledger will find it on the chain, from SETTLING.
      LOG.error("Payment {}: {} could not be written down", claim.id(), outcome, e);
      return outcome(outcome, claim, payer);
    }
  }

  private static Settlement attempt(
      Facilitator facilitator, PaymentPayload payload, PaymentRequirements terms) {
    try {
      return facilitator.settle(payload, terms);
    } catch (RuntimeException | Error e) {
      LOG.error("The facilitator of {} failed during settlement", terms.network(), e);
      return new Settlement.Unknown("facilitator_failed", null);
    }
  }

  /** What it settled is told as often as asked, so that no repeat has to wait for this one. */
  private ServedOutcome outcome(Settlement outcome, Claim claim, String payer) {
    if (outcome.deliverable().isPresent()) {
      ledger.unanswered(claim);
    }
    if (outcome instanceof Settlement.Settled settled) {
      return ServedOutcome.settled(settled.transaction(), payer, Long.toString(claim.amount()));
    }
    if (outcome instanceof Settlement.Refused refused) {
      return ServedOutcome.failed(refused.reason(), payer);
    }
    if (outcome instanceof Settlement.Unsent) {
      return ServedOutcome.failed(ServedOutcome.NOT_SENT, payer);
    }
    return outcome instanceof Settlement.Sent sent
        ? ServedOutcome.pending(sent.transaction(), payer)
        : ServedOutcome.pending(((Settlement.Unknown) outcome).transaction(), payer);
  }

  /** What is told of a payment that somebody else sends, or has sent. */
  private ServedOutcome told(ClaimResult result, ClaimRequest request, String payer) {
    if (result instanceof ClaimResult.Replay replay) {
      ledger.unanswered(replay.claim());
      return ServedOutcome.settled(replay.transaction(), payer, Long.toString(request.amount()));
    }
    if (result instanceof ClaimResult.Failed failed) {
      return ServedOutcome.failed(failed.reason(), payer);
    }
    if (result instanceof ClaimResult.Insufficient) {
      return ServedOutcome.failed("insufficient_funds", payer);
    }
    return result instanceof ClaimResult.InFlight || result instanceof ClaimResult.InDoubt
        ? ServedOutcome.pending(null, payer)
        : ServedOutcome.failed(used(request.key().network()), payer);
  }

  private static String used(String network) {
    return network.startsWith("eip155:")
        ? "invalid_exact_evm_nonce_already_used"
        : "duplicate_settlement";
  }

  private ClaimRequest request(
      Facilitator facilitator,
      PaymentPayload payload,
      PaymentRequirements terms,
      Verification.Valid valid) {
    long amount = Long.parseLong(terms.amount());
    boolean told = valid.spendable().isPresent() || facilitator.settlesInLedger();
    String recipient = terms.payTo() + " " + terms.asset();
    return new ClaimRequest(
        new PaymentKey(terms.network(), valid.payer(), valid.nonce()),
        new RequestBinding("POST", "/facilitator/settle", "", Sha256.hex(bytes(recipient))),
        Sha256.hex(payload.envelope()),
        amount,
        terms.asset(),
        terms.payTo(),
        valid.validBefore(),
        told ? valid.spendable() : OptionalLong.of(Math.max(unsettledPerPayer, amount)),
        Redelivery.STORED);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

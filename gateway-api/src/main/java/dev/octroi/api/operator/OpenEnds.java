package dev.octroi.api.operator;

import dev.octroi.api.house.Refused;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.jdbc.PaymentRecords;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.PaymentRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the operator may do about payments whose end the gateway has not seen: ask the chain at
 * once, or give one up that can settle no more (money rule 5).
 *
 * @param payments the ledger's
 * @param evidence by network; a network may have none
 * @param unread the networks without evidence, whose payments in doubt wait for the operator
 */
public record OpenEnds(
    UnresolvedPayments payments,
    PaymentRecords records,
    Map<String, Evidence> evidence,
    List<String> unread,
    Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger("dev.octroi.operator");

  /** No chain takes an authorization that is over, but its clock may lag behind ours. */
  private static final Duration MARGIN = Duration.ofMinutes(10);

  private static final int LONGEST_REASON = 150;

  public OpenEnds {
    evidence = Map.copyOf(evidence);
    unread = List.copyOf(unread);
  }

  /**
   * Closes a payment with what the chain proves now; leaves it as it is if that is nothing. A
   * payment that counts as failed or released settles by proof of its transfer, and stays as it is
   * without.
   */
  void redrive(UUID id, @Nullable String reason) {
    if (reason != null && reason.length() > LONGEST_REASON) {
      throw Refused.invalid("A reason has 150 characters at most.");
    }
    boolean unresolved = record(id).doubtSince() != null;
    UnresolvedPayment payment =
        payments
            .find(id)
            .orElseThrow(() -> Refused.of(409, "The payment has settled, or a call holds it."));
    if (!evidence.containsKey(payment.key().network())) {
      throw Refused.of(
          409,
          "The gateway has no node of that network to ask. Look the payer's address up in a block"
              + " explorer.");
    }
    LOG.info(
        "The chain is asked about payment {}: {}", id, reason == null ? "" : printable(reason));
    (unresolved ? proof(payment) : transfer(payment))
        .ifPresent(proof -> payments.close(payment, proof));
  }

  /**
   * Closes a payment as failed. 409 before its authorization is over by the database's clock and by
   * this node's, since either may be wrong, and where the chain proves that it was paid.
   */
  void writeOff(UUID id, @Nullable String reason) {
    if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON) {
      throw Refused.invalid("A write-off needs a reason of 1 to 150 characters.");
    }
    UnresolvedPayment payment = open(id);
    Instant over = payment.validBefore().plus(MARGIN);
    if (records.now().isBefore(over) || clock.instant().isBefore(over)) {
      throw Refused.of(409, "The payment may still settle until " + over + ".");
    }
    if (proof(payment).filter(Settlement.Settled.class::isInstance).isPresent()) {
      throw Refused.of(409, "The chain proves that it was paid: redrive it instead.");
    }
    if (!payments.close(payment, new Settlement.Refused("written off: " + reason.strip()))) {
      throw Refused.of(409, "The payment was decided in this moment.");
    }
    LOG.info("Payment {} was written off: {}", id, printable(reason));
  }

  private static String printable(String reason) {
    return reason.replaceAll("\\p{Cntrl}", " ");
  }

  private UnresolvedPayment open(UUID id) {
    boolean unresolved = record(id).doubtSince() != null;
    return payments
        .find(id)
        .filter(payment -> unresolved)
        .orElseThrow(() -> Refused.of(409, "The payment is not among the unresolved ones."));
  }

  private PaymentRecord record(UUID id) {
    return records.payment(id).orElseThrow(() -> Refused.unknown("There is no such payment."));
  }

  /** Of a payment that has ended, which the question must leave as it is. */
  private Optional<Settlement> transfer(UnresolvedPayment payment) {
    Evidence known = evidence.get(payment.key().network());
    return known == null ? Optional.empty() : known.transfer(payment).map(Settlement.Settled::new);
  }

  private Optional<Settlement> proof(UnresolvedPayment payment) {
    Evidence known = evidence.get(payment.key().network());
    return known == null ? Optional.empty() : known.of(payment);
  }
}

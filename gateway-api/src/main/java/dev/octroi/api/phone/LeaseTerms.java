package dev.octroi.api.phone;

import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.account.AccountCharges.ChargeResult;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of leases whose term is over (decisions, automatic renewal): those of accounts are
 * renewed from their managed wallets, those of others wait for their owners, and a lease that is
 * not paid for in the days of grace expires. Thread-safe, on any number of nodes: a term is paid
 * for once, because the payment takes the lease by compare-and-set before it settles (money rule
 * 9).
 *
 * @param price of a renewal now; nothing is charged where it is zero
 */
record LeaseTerms(
    Leases leases, AccountCharges charges, PaymentStatuses paymentStatuses, Supplier<Usd> price) {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseTerms.class);

  /** Between two attempts to charge a wallet that is short of funds. */
  static final Duration CHARGED_AGAIN = Duration.ofHours(1);

  /** Between two looks at a payment whose outcome is not known. */
  static final Duration ASKED_AGAIN = Duration.ofMinutes(1);

  /** Does what is due on a lease that an owner holds. */
  void lookAt(Lease lease, Instant now) {
    if (lease.renewal().isPresent()) {
      lookAtPayment(lease, lease.renewal().get(), now);
    } else if (now.isBefore(lease.expiresAt())) {
      leases.replace(lease, lease.lookedAt(lease.expiresAt()));
    } else if (isWorthATerm(lease, now)) {
      renew(lease, lease.deed().account().orElseThrow(), now);
    } else {
      unpaid(lease, now);
    }
  }

  /** An account is not charged for a term that is over before it is paid for. */
  private static boolean isWorthATerm(Lease lease, Instant now) {
    return lease.deed().account().isPresent() && now.isBefore(lease.expiresAt().plus(Lease.TERM));
  }

  private void lookAtPayment(Lease lease, PaymentUse use, Instant now) {
    switch (paymentStatuses.of(use)) {
      case SETTLED -> renewed(lease, use);
      case DEAD -> leases.replace(lease, lease.paidForBy(Optional.empty()));
      case OPEN -> leases.replace(lease, lease.lookedAt(now.plus(ASKED_AGAIN)));
    }
  }

  private void renew(Lease lease, UUID account, Instant now) {
    Usd amount = price.get();
    if (amount.isZero()) {
      leases.replace(lease, lease.renewed());
      return;
    }
    String purpose = "phone/renewal/" + lease.deed().id() + "/" + lease.expiresAt();
    ChargeResult result = charges.charge(account, amount, purpose, use -> leases.payBy(lease, use));
    if (result instanceof ChargeResult.Settled settled) {
      renewed(lease, settled.use());
    } else if (result instanceof ChargeResult.NoFunds || result instanceof ChargeResult.Refused) {
      LOG.info("Lease {} is not renewed: {}", lease.deed().id(), result);
      leases.find(lease.deed().id()).ifPresent(left -> unpaidNow(left, now));
    }
  }

  /** What another node, or its owner, has done to it meanwhile stands. */
  private void unpaidNow(Lease lease, Instant now) {
    boolean pending =
        lease.renewal().filter(use -> paymentStatuses.of(use) != PaymentStatus.DEAD).isPresent();
    if (lease.state().isHeld() && !pending && !now.isBefore(lease.expiresAt())) {
      unpaid(lease, now);
    }
  }

  private void unpaid(Lease lease, Instant now) {
    if (!now.isBefore(lease.graceEnd())) {
      leases.replace(lease, lease.expired(now));
      return;
    }
    Instant again = now.plus(CHARGED_AGAIN);
    boolean tried = lease.deed().account().isPresent() && again.isBefore(lease.graceEnd());
    leases.replace(lease, lease.due().lookedAt(tried ? again : lease.graceEnd()));
  }

  private void renewed(Lease found, PaymentUse use) {
    boolean written =
        leases
            .find(found.deed().id())
            .filter(now -> now.renewal().equals(Optional.of(use)))
            .filter(now -> leases.replace(now, now.renewedItself()))
            .isPresent();
    LOG.info(
        "Lease {} {} by payment {}",
        found.deed().id(),
        written ? "is renewed" : "was renewed before",
        use.payment());
  }
}

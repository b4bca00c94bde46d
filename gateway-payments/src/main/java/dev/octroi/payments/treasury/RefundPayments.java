package dev.octroi.payments.treasury;

import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.chain.ChainPermit2Verifier;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Payouts;
import dev.octroi.payments.ledger.Payouts.Payout;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.x402.PaymentHeaders;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pays what is owed to payers out of a treasury, and closes what was sent by what the chain proves.
 * Run again and again; bears to be run twice at once.
 *
 * <p>The order is what makes it safe: a refund is noted as SENDING, then its transaction is stored,
 * then sent. A crash in between leaves it SENDING, and whichever node runs next goes on. All
 * authorizations of a refund have one nonce, so that the chain takes only one of them; a refund is
 * owed again only once the chain proves that nothing can take the last one any more.
 */
public final class RefundPayments implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(RefundPayments.class);

  private static final int MOST_UNDER_WAY = 50;
  private static final int BEGUN_A_RUN = 20;
  private static final Duration AGAIN = Duration.ofMinutes(1);

  /** Another node that looks at the same moment would only send it a second time, for nothing. */
  private static final Duration HEAD_START = Duration.ofSeconds(10);

  private static final Duration SHORTEST_LOOK = Duration.ofSeconds(2);

  /**
   * What it works with.
   *
   * @param network the chain of the refunds, as CAIP-2 id
   * @param evidence what that chain proves
   * @param treasury who pays; empty: what was sent before is closed, and nothing else is sent
   */
  public record Parts(
      Payouts payouts, String network, Evidence evidence, Optional<Treasury> treasury) {}

  private final Parts parts;
  private final Clock clock;

  public RefundPayments(Parts parts, Clock clock) {
    this.parts = parts;
    this.clock = clock;
  }

  /** Looks once at what is under way, and sends what is owed. */
  @Override
  public void run() {
    try {
      List<Payout> underWay = parts.payouts().underWay(parts.network(), MOST_UNDER_WAY);
      for (Payout payout : underWay) {
        if (!payout.due().isAfter(clock.instant())) {
          goOn(payout);
        }
      }
      parts.treasury().ifPresent(treasury -> payOwed(treasury, underWay));
    } catch (ChainUnavailable | LedgerUnavailable e) {
      LOG.warn("Refunds are left for the next run: {}", e.getMessage());
    }
  }

  private void goOn(Payout payout) {
    Optional<Settlement> proof = parts.evidence().ofTreasury(payout.question());
    if (proof.isPresent()) {
      close(payout, proof.get());
    } else if (parts.treasury().filter(treasury -> treasury.isOwn(payout)).isPresent()) {
      send(parts.treasury().get(), payout);
    } else {
      look(payout, null, strange(payout));
    }
  }

  private String strange(Payout payout) {
    String signed = "It was signed by " + payout.key().payer();
    return parts.treasury().filter(treasury -> treasury.hasSigned(payout)).isPresent()
        ? signed + " before its token was set to move in another way: it waits for the end of that."
        : signed + ", whose key is not set here.";
  }

  private void close(Payout payout, Settlement proof) {
    if (proof instanceof Settlement.Settled settled) {
      if (parts.payouts().settled(payout, settled.transaction())) {
        LOG.info("Refund {} was paid by {}", payout.refund().id(), settled.transaction());
      }
    } else if (proof instanceof Settlement.Refused refused) {
      String note = new Advice(payout.key().payer()).on(refused.reason(), payout.refund());
      if (parts.payouts().failed(payout, note, clock.instant().plus(AGAIN))) {
        LOG.warn("Refund {} is owed again: {}", payout.refund().id(), note);
      }
    }
  }

  /** Whether a transaction carries it now. What does not is sent again by the next run. */
  private boolean send(Treasury treasury, Payout payout) {
    Settlement outcome = treasury.send(payout);
    if (outcome instanceof Settlement.Settled) {
      close(payout, outcome);
      return true;
    }
    if (outcome instanceof Settlement.Sent sent) {
      look(payout, sent.transaction(), null);
      return true;
    }
    if (outcome instanceof Settlement.Unknown unknown) {
      look(payout, unknown.transaction(), null);
    } else {
      // A refusal is no proof that nothing takes the authorization before it ends.
      String reason = outcome instanceof Settlement.Unsent unsent ? unsent.reason() : "refused";
      look(payout, null, new Advice(treasury.account()).on(reason, payout.refund()));
    }
    return false;
  }

  private void look(Payout payout, @Nullable String transaction, @Nullable String note) {
    Instant now = clock.instant();
    Instant begun = payout.validBefore().minus(Treasury.LIFE);
    Duration pause = Duration.between(begun, now).dividedBy(2);
    pause = pause.compareTo(AGAIN) > 0 ? AGAIN : pause;
    pause = pause.compareTo(SHORTEST_LOOK) < 0 ? SHORTEST_LOOK : pause;
    parts.payouts().look(payout, transaction, note, now.plus(pause));
  }

  private void payOwed(Treasury treasury, List<Payout> underWay) {
    int room = Math.min(MOST_UNDER_WAY - underWay.size(), BEGUN_A_RUN);
    Map<String, Long> promised =
        underWay.stream()
            .filter(treasury::hasSigned)
            .map(Payout::refund)
            .collect(Collectors.toMap(RefundPayments::token, Refund::amount, Long::sum));
    List<Refund> owed =
        room <= 0
            ? List.of()
            : parts.payouts().owed(parts.network(), treasury.assets(), clock.instant(), room);
    for (Refund refund : owed) {
      if (isPayable(treasury, refund, promised.getOrDefault(token(refund), 0L))) {
        if (!begin(treasury, refund)) {
          return;
        }
        promised.merge(token(refund), refund.amount(), Long::sum);
      }
    }
  }

  private static String token(Refund refund) {
    return refund.asset().toLowerCase(Locale.ROOT);
  }

  /** What the treasury may spend must cover it besides what is under way (money rule 8). */
  private boolean isPayable(Treasury treasury, Refund refund, long promised) {
    Verification verification = treasury.check(refund, end());
    if (verification instanceof Verification.Valid valid
        && valid.spendable().orElse(Long.MAX_VALUE) - promised >= refund.amount()) {
      return true;
    }
    String reason = Advice.POOR;
    if (verification instanceof Verification.Late late) {
      reason = late.reason();
    } else if (verification instanceof Verification.Invalid invalid) {
      reason = invalid.reason();
    }
    String note = new Advice(treasury.account()).on(reason, refund);
    LOG.warn("Refund {} stays owed: {}", refund.id(), note);
    parts.payouts().postpone(refund.id(), note, clock.instant().plus(AGAIN));
    return false;
  }

  /** Whether the next one may follow: where one cannot be sent, the others wait. */
  private boolean begin(Treasury treasury, Refund refund) {
    Instant others = clock.instant().plus(HEAD_START);
    Optional<Payout> payout =
        parts.payouts().begin(refund.id(), treasury.key(refund), end(), others);
    return payout.isEmpty() || send(treasury, payout.get());
  }

  private Instant end() {
    return clock.instant().plus(Treasury.LIFE).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Says to the operator why a refund is not paid, and what to do about it. */
  private record Advice(String treasury) {

    private static final String POOR = "invalid_exact_evm_insufficient_balance";

    /** What to do where a transfer would not succeed, or has not. */
    String on(String reason, Refund refund) {
      return switch (reason) {
        case POOR, ChainPermit2Verifier.BALANCE ->
            "The treasury %s has less than the %s of it besides what is under way: send it more; then it is"
                    .formatted(treasury, new Usd(refund.amount()))
                + " paid by itself.";
        case PaymentHeaders.ALLOWANCE_MISSING ->
            "The treasury %s has not let Permit2 (%s) move so much of the token %s: send its approval once."
                .formatted(treasury, Permit2.ADDRESS, refund.asset());
        case "invalid_exact_evm_nonce_already_used",
            "authorization_canceled",
            "permit2_invalid_nonce" ->
            "The treasury %s has used or cancelled its authorization of it: look on the chain whether"
                    .formatted(treasury)
                + " the payer has the money; if not, pay it yourself. Note what paid it.";
        case "permit2_simulation_failed" ->
            "Permit2 does not move it: look on the chain whether the treasury %s has used or cancelled"
                    .formatted(treasury)
                + " its permit, and whether the payer has the money; else the token may be paused, or"
                + " one of them blocked. It is tried again every minute.";
        case "invalid_exact_evm_transaction_simulation_failed" ->
            "The token refuses to move it: it may be paused, or the payer or the treasury %s blocked."
                    .formatted(treasury)
                + " It is tried again every minute.";
        case "invalid_exact_evm_payload_authorization_valid_before", "permit2_deadline_expired" ->
            "No block took it in time: see whether the relayers have ether and the fee cap is not too"
                + " low. It is tried again.";
        default -> "It cannot be sent now: " + reason + ". It is tried again.";
      };
    }
  }
}

package dev.octroi.payments.netting;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.account.ManagedWallet;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Debts;
import dev.octroi.payments.ledger.Debts.Debt;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pays for what accounts owe, one transfer for many calls, signed by the managed wallet exactly as
 * a call's payment is. Run again and again; bears to be run twice at once.
 *
 * <p>The order is what makes it safe: the transfer is claimed, then named as what pays for the
 * calls, then sent. A crash before the sending releases the claim, and the calls are owed again; a
 * crash after it leaves a payment in doubt, which the chain decides.
 */
public final class Netting implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Netting.class);

  private static final int TRANSFERS_A_RUN = 20;

  /** So many that cannot pay now are passed over in a run. */
  private static final int MOST_LEFT = 1_000;

  private static final int VERSION = 2;

  /** The reservation was made call by call; the transfer only takes it over. */
  private static final long COVERED = Long.MAX_VALUE / 2;

  /**
   * What it works with.
   *
   * @param facilitators by network
   */
  public record Parts(
      Ledger ledger,
      Debts debts,
      Accounts accounts,
      Offers offers,
      Map<String, Facilitator> facilitators) {

    public Parts {
      facilitators = Map.copyOf(facilitators);
    }
  }

  /** A transfer, signed and verified. */
  private record Transfer(
      PaymentPayload payload, PaymentRequirements terms, Verification.Valid payment) {}

  private final Parts parts;
  private final NettingTerms terms;
  private final Clock clock;

  public Netting(Parts parts, NettingTerms terms, Clock clock) {
    this.parts = parts;
    this.terms = terms;
    this.clock = clock;
  }

  /** Books the transfers that have ended and sends those that are due. */
  @Override
  public void run() {
    parts.debts().close();
    Instant before = clock.instant().minus(terms.period());
    Set<String> away = new HashSet<>();
    int left = 0;
    int begun = 0;
    List<Debt> due;
    do {
      // Those that cannot pay now stay the oldest: the others come after them.
      due = parts.debts().due(terms.threshold().micros(), before, left, TRANSFERS_A_RUN);
      for (Debt debt : due) {
        if (isBegun(debt, away)) {
          begun++;
        } else {
          left++;
        }
      }
    } while (due.size() == TRANSFERS_A_RUN && begun < TRANSFERS_A_RUN && left < MOST_LEFT);
    parts.debts().close();
  }

  /**
   * Whether a transfer was begun, or another node has.
   *
   * @param away networks whose facilitator has failed in this run, and is not waited for again
   */
  private boolean isBegun(Debt debt, Set<String> away) {
    if (away.contains(debt.network())) {
      return false;
    }
    try {
      return pay(debt);
    } catch (RuntimeException e) {
      LOG.warn("What {} owes on {} stays owed for now", debt.payer(), debt.network(), e);
      away.add(debt.network());
      return false;
    }
  }

  private boolean pay(Debt debt) {
    Optional<Transfer> signed = signed(debt);
    if (signed.isEmpty()) {
      LOG.warn(
          "{} owes {} on {}, and its wallet cannot pay for that at the moment",
          debt.payer(),
          new Usd(debt.amount()),
          debt.network());
      return false;
    }
    Transfer transfer = signed.get();
    ClaimResult result = parts.ledger().claim(request(debt, transfer));
    if (!(result instanceof ClaimResult.Claimed claimed)) {
      LOG.warn("A transfer of {} cannot be reserved: {}", debt.payer(), result);
      return false;
    }
    Claim claim = claimed.claim();
    if (!isAssigned(debt, claim)) {
      parts.ledger().release(claim);
    } else if (parts.ledger().settling(claim, null)) {
      Settlement outcome = sent(transfer, claim);
      if (parts.ledger().settled(claim, outcome) && outcome.deliverable().isPresent()) {
        // What it pays for was delivered long before.
        parts.ledger().delivered(claim);
      }
      LOG.info(
          "{} calls of {} were netted in payment {}: {}",
          debt.payments().size(),
          debt.payer(),
          claim.id(),
          outcome);
    }
    return true;
  }

  /** A transfer whose calls are not known for certain is not sent: no call holds its claim. */
  private boolean isAssigned(Debt debt, Claim claim) {
    try {
      return parts.debts().assign(debt, claim);
    } catch (RuntimeException e) {
      parts.ledger().release(claim);
      throw e;
    }
  }

  private Settlement sent(Transfer transfer, Claim claim) {
    try {
      return facilitator(transfer.terms())
          .settle(transfer.payload(), transfer.terms(), claim.attemptName());
    } catch (RuntimeException | Error e) {
      LOG.error("The facilitator failed during a transfer", e);
      return new Settlement.Unknown("facilitator_failed", null);
    }
  }

  /** Signed by the wallet that owes; empty if it cannot pay. */
  private Optional<Transfer> signed(Debt debt) {
    Optional<PaymentRequirements> offer = offer(debt);
    Optional<ManagedWallet> wallet =
        parts.accounts().key(debt.key()).map(ApiKey::account).stream()
            .flatMap(account -> parts.accounts().payers(account).stream())
            .filter(candidate -> isSame(candidate.address().address(), debt.payer()))
            .findFirst();
    if (offer.isEmpty() || wallet.isEmpty()) {
      return Optional.empty();
    }
    PaymentRequired asked =
        new PaymentRequired(
            VERSION, null, ResourceInfo.at("urn:octroi:netting"), List.of(offer.get()), null);
    PaymentPayload payload = PaymentPayload.read(wallet.get().signer().sign(asked, offer.get()));
    return facilitator(offer.get()).verify(payload, offer.get())
            instanceof Verification.Valid payment
        ? Optional.of(new Transfer(payload, offer.get(), payment))
        : Optional.empty();
  }

  /** What is offered now on that network, to whom it is owed. */
  private Optional<PaymentRequirements> offer(Debt debt) {
    return parts.offers().accepts(new Usd(debt.amount())).stream()
        .filter(offer -> offer.network().equals(debt.network()))
        .filter(offer -> isSame(offer.asset(), debt.asset()))
        .findFirst()
        .map(
            offer ->
                new PaymentRequirements(
                    offer.scheme(),
                    offer.network(),
                    offer.amount(),
                    offer.asset(),
                    debt.payTo(),
                    offer.maxTimeoutSeconds(),
                    offer.extra(),
                    offer.decimals()));
  }

  private ClaimRequest request(Debt debt, Transfer transfer) {
    return new ClaimRequest(
        new PaymentKey(debt.network(), debt.payer(), transfer.payment().nonce()),
        new RequestBinding("NET", "/", "", Sha256.hex(new byte[0])),
        Sha256.hex(transfer.payload().envelope()),
        debt.amount(),
        debt.asset(),
        debt.payTo(),
        transfer.payment().validBefore(),
        OptionalLong.of(COVERED),
        Redelivery.STORED);
  }

  private Facilitator facilitator(PaymentRequirements offer) {
    return Optional.ofNullable(parts.facilitators().get(offer.network()))
        .orElseThrow(() -> new IllegalStateException("no facilitator for " + offer.network()));
  }

  private static boolean isSame(String one, String other) {
    return PaymentKey.spelling(one).equals(PaymentKey.spelling(other));
  }

  /**
   * When what is owed is paid for.
   *
   * @param period a call is paid for on the chain at the latest so long after it, but for the time
   *     that the transfer takes
   * @param threshold as soon as so much has come together it is paid for before
   */
  public record NettingTerms(Duration period, Usd threshold) {

    /** For what is left where no more is to come. */
    public static final NettingTerms AT_ONCE = new NettingTerms(Duration.ofSeconds(1), new Usd(1));

    public NettingTerms {
      if (period.isNegative() || period.isZero() || threshold.isZero()) {
        throw new IllegalArgumentException("netting has a period and a threshold above zero");
      }
    }
  }
}

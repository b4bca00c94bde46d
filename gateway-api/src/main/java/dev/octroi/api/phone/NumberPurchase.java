package dev.octroi.api.phone;

import dev.octroi.api.phone.PhoneGroup.VendorDeadlines;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.VendorRefusal;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers;
import dev.octroi.services.phone.PhoneNumbers.Country;
import dev.octroi.services.phone.PhoneNumbers.LeasedNumber;
import dev.octroi.services.phone.PhoneNumbers.PurchaseOutcome;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buys a number (money rule 6). The effect's key is the name under which the vendor keeps what was
 * bought, so that the vendor can be asked what became of a purchase. Thread-safe.
 */
record NumberPurchase(PhoneNumbers numbers, Leases leases, VendorDeadlines deadlines, Clock clock)
    implements EffectVendor {

  private static final String KIND = "number";
  private static final String NOT_ASKED = "the vendor cannot be asked";
  private static final String NEVER_BOUGHT = "the vendor has not sold it";
  private static final int MOST_TRIES = 3;

  private static final Logger LOG = LoggerFactory.getLogger(NumberPurchase.class);

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void requireReachable() {
    numbers.requireReachable();
  }

  @Override
  public Attempt attempt(Effect effect) {
    NumberOrder order = NumberOrder.parse(effect.intent());
    Deadline deadline = deadlines.deadline();
    List<PhoneNumber> offered;
    try {
      offered = numbers.available(order.country(), order.areaCode(), deadline);
    } catch (Failure unreachable) {
      return new Attempt.NotDone(NOT_ASKED);
    }
    return buy(effect, offered, deadline);
  }

  /**
   * Each purchase begins at another place of the list, so that two at once seldom want the same.
   */
  private Attempt buy(Effect effect, List<PhoneNumber> offered, Deadline deadline) {
    int first = Math.floorMod(effect.id().hashCode(), Math.max(1, offered.size()));
    for (int tried = 0; tried < Math.min(MOST_TRIES, offered.size()); tried++) {
      PhoneNumber number = offered.get((first + tried) % offered.size());
      PurchaseOutcome purchase = numbers.buy(number, effect.vendorKey(), deadline);
      if (purchase instanceof PurchaseOutcome.Bought bought) {
        return bought(effect, bought.leased());
      }
      if (purchase instanceof PurchaseOutcome.Unknown) {
        return found(effect).map(leased -> bought(effect, leased)).orElseGet(Attempt.Unknown::new);
      }
      if (purchase instanceof PurchaseOutcome.Refused refused) {
        return notDone(refused.why());
      }
    }
    return notDone(VendorRefusal.SOLD_OUT);
  }

  private static Attempt notDone(VendorRefusal why) {
    return new Attempt.NotDone(why.reason());
  }

  /** What the vendor does not know may be on its way to it, as long as a call may last. */
  @Override
  public Attempt ask(Effect effect) {
    Optional<LeasedNumber> found = found(effect);
    if (found.isPresent()) {
      return bought(effect, found.get());
    }
    return deadlines.isOver(effect.begun(), clock.instant())
        ? new Attempt.NotDone(NEVER_BOUGHT)
        : new Attempt.Unknown();
  }

  private Optional<LeasedNumber> found(Effect effect) {
    return numbers.named(effect.vendorKey(), deadlines.deadline()).stream().findFirst();
  }

  /** Two payers of one number would each release it, and call from it, under the other. */
  private Attempt bought(Effect effect, LeasedNumber leased) {
    NumberOrder order = NumberOrder.parse(effect.intent());
    if (!order.country().has(leased.number(), order.areaCode())
        || leases.isAnothers(effect.id(), leased)) {
      LOG.error(
          "The vendor has sold {} ({}) to effect {}, and it is another lease's or of another place:"
              + " refunded",
          leased.number(),
          leased.reference(),
          effect.id());
      return notDone(VendorRefusal.SOLD_OUT);
    }
    return new Attempt.Done(leased.reference(), leased.number().e164());
  }

  @Override
  public void record(Handle handle, Effect effect, Attempt.Done done) {
    NumberOrder order = NumberOrder.parse(effect.intent());
    Deed deed =
        new Deed(
            effect.id(),
            new LeasedNumber(done.reference(), new PhoneNumber(done.details())),
            order.country(),
            order.owner(),
            order.network(),
            clock.instant().truncatedTo(ChronoUnit.SECONDS));
    Leases.open(handle, Lease.bought(deed));
  }

  /**
   * What never changes about a lease.
   *
   * @param id of the effect that bought it
   * @param leased the number, and the vendor's id of it
   * @param owner as {@link dev.octroi.payments.Payment#owner} names it
   * @param network that it was bought on, as CAIP-2 id
   */
  record Deed(
      UUID id,
      LeasedNumber leased,
      Country country,
      String owner,
      String network,
      Instant boughtAt) {

    private static final String ACCOUNT = "account:";

    /**
     * The account whose wallet can be charged without its owner; empty for who signs for itself.
     */
    Optional<UUID> account() {
      return owner.startsWith(ACCOUNT)
          ? Optional.of(UUID.fromString(owner.substring(ACCOUNT.length())))
          : Optional.empty();
    }
  }

  /**
   * What a purchase is to buy, and for whom.
   *
   * @param areaCode three digits; empty for any
   * @param network that it is paid on, as CAIP-2 id
   */
  record NumberOrder(Country country, Optional<String> areaCode, String network, String owner) {

    private static final String ANY = "*";

    /** As the effect keeps it. */
    String text() {
      return String.join(" ", country.name(), areaCode.orElse(ANY), network, owner);
    }

    static NumberOrder parse(String text) {
      List<String> words = List.of(text.split(" ", 4));
      return new NumberOrder(
          Country.valueOf(words.get(0)),
          Optional.of(words.get(1)).filter(code -> !code.equals(ANY)),
          words.get(2),
          words.get(3));
    }
  }
}

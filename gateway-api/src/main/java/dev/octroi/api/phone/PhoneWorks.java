package dev.octroi.api.phone;

import dev.octroi.api.Works;
import dev.octroi.api.Workshop;
import dev.octroi.api.phone.LeaseChanges.Change;
import dev.octroi.api.settings.PhoneSettings;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Usd;
import dev.octroi.payments.effect.EffectDesk;
import dev.octroi.payments.reconcile.Chore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Leases of phone numbers, and what is done with them beside the calls. Thread-safe. */
public final class PhoneWorks implements Works {

  private static final Duration LOOKS = Duration.ofSeconds(10);
  private static final Duration FORGETS = Duration.ofHours(1);

  private final PhoneDesk desk;
  private final Leases leases;
  private final List<Chore> chores;

  private PhoneWorks(PhoneDesk desk, Leases leases, List<Chore> chores) {
    this.desk = desk;
    this.leases = leases;
    this.chores = chores;
  }

  /**
   * Lays out the group's desks.
   *
   * @param renewalPrice what a renewal costs now, without a key
   */
  public static PhoneWorks open(
      PhoneVendors vendors,
      PhoneSettings settings,
      BodyReader bodies,
      Supplier<Usd> renewalPrice,
      Workshop workshop) {
    Leases leases = new Leases(workshop.statements(), workshop.standings());
    LeaseChanges changes = new LeaseChanges(workshop.statements(), leases, workshop.clock());
    Patience patience =
        new Patience(vendors.deadline(), workshop.longestCall().plus(vendors.deadline()));
    LeaseDesk desk =
        new LeaseDesk(
            leases,
            vendors.numbers(),
            vendors
                .numbers()
                .map(of -> workshop.effects(new NumberPurchase(of, patience, workshop.clock()))),
            workshop.effects(new LeaseEffect(Change.RENEWAL, changes)),
            workshop.effects(new LeaseEffect(Change.RELEASE, changes)),
            workshop.clock());
    Optional<EffectDesk> texts =
        vendors
            .messages()
            .map(of -> workshop.effects(new TextSending(of, patience, workshop.clock())));
    return new PhoneWorks(
        new PhoneDesk(
            vendors.lookups(),
            desk,
            texts,
            new PhoneRecords(settings.chain(), settings.base58Chain()),
            bodies,
            vendors.deadline(),
            workshop.clock()),
        leases,
        chores(leases, vendors, settings, renewalPrice, workshop));
  }

  private static List<Chore> chores(
      Leases leases,
      PhoneVendors vendors,
      PhoneSettings settings,
      Supplier<Usd> renewalPrice,
      Workshop workshop) {
    LeaseTerms terms =
        new LeaseTerms(leases, workshop.charges(), workshop.standings(), renewalPrice);
    return List.of(
        new Chore(
            "leases", LOOKS, new LeaseChore(leases, terms, vendors.numbers(), workshop.clock())),
        new Chore(
            "forget-leases",
            FORGETS,
            () -> leases.forget(workshop.clock().instant().minus(settings.retention()))));
  }

  /** What serves the calls. */
  public PhoneDesk desk() {
    return desk;
  }

  /** Whose numbers are whose. */
  public OwnedNumbers numbers() {
    return leases;
  }

  @Override
  public List<Chore> chores() {
    return chores;
  }

  @Override
  public void close() {
    // Nothing is under way but chores and calls, which their own keepers end.
  }
}

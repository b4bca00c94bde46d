package dev.octroi.api.phone;

import dev.octroi.api.BackgroundService;
import dev.octroi.api.JobContext;
import dev.octroi.api.phone.LeaseChanges.Change;
import dev.octroi.api.settings.PhoneSettings;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.Usd;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.reconcile.RecurringTask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Leases of phone numbers, and what is done with them beside the calls. Thread-safe. */
public final class PhoneBackgroundService implements BackgroundService {

  private static final Duration LOOKS = Duration.ofSeconds(10);
  private static final Duration FORGETS = Duration.ofHours(1);

  private final PhoneService service;
  private final Leases leases;
  private final List<RecurringTask> tasks;

  private PhoneBackgroundService(PhoneService service, Leases leases, List<RecurringTask> tasks) {
    this.service = service;
    this.leases = leases;
    this.tasks = tasks;
  }

  /**
   * Makes the group's services.
   *
   * @param renewalPrice what a renewal costs now, without a key
   */
  public static PhoneBackgroundService open(
      PhoneVendors vendors,
      PhoneSettings settings,
      BodyReader bodies,
      Supplier<Usd> renewalPrice,
      JobContext context) {
    Leases leases = new Leases(context.statements(), context.paymentStatuses());
    LeaseChanges changes = new LeaseChanges(context.statements(), leases, context.clock());
    VendorDeadlines deadlines =
        new VendorDeadlines(vendors.deadline(), context.longestCall().plus(vendors.deadline()));
    LeaseService leasing =
        new LeaseService(
            leases,
            vendors.numbers(),
            vendors
                .numbers()
                .map(of -> context.effects(new NumberPurchase(of, deadlines, context.clock()))),
            context.effects(new LeaseEffect(Change.RENEWAL, changes)),
            context.effects(new LeaseEffect(Change.RELEASE, changes)),
            context.clock());
    Optional<EffectRunner> texts =
        vendors
            .messages()
            .map(of -> context.effects(new TextSending(of, deadlines, context.clock())));
    return new PhoneBackgroundService(
        new PhoneService(
            vendors.lookups(),
            leasing,
            texts,
            new PhoneRecords(settings.chain(), settings.base58Chain()),
            bodies,
            vendors.deadline(),
            context.clock()),
        leases,
        tasks(leases, vendors, settings, renewalPrice, context));
  }

  private static List<RecurringTask> tasks(
      Leases leases,
      PhoneVendors vendors,
      PhoneSettings settings,
      Supplier<Usd> renewalPrice,
      JobContext context) {
    LeaseTerms terms =
        new LeaseTerms(leases, context.charges(), context.paymentStatuses(), renewalPrice);
    return List.of(
        new RecurringTask(
            "leases", LOOKS, new LeaseTask(leases, terms, vendors.numbers(), context.clock())),
        new RecurringTask(
            "forget-leases",
            FORGETS,
            () -> leases.forget(context.clock().instant().minus(settings.retention()))));
  }

  /** What serves the calls. */
  public PhoneService service() {
    return service;
  }

  /** Whose numbers are whose. */
  public OwnedNumbers numbers() {
    return leases;
  }

  @Override
  public List<RecurringTask> tasks() {
    return tasks;
  }

  @Override
  public void close() {
    // The reconciler ends the tasks that are under way, and the gateway the calls.
  }
}

package dev.octroi.api.phone;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.Groups;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.house.Listing;
import dev.octroi.api.phone.LeaseChanges.Change;
import dev.octroi.api.phone.LeasesResource.LeaseList;
import dev.octroi.api.phone.PhoneResource.LookupTariff;
import dev.octroi.api.phone.PhoneResource.NumberListTariff;
import dev.octroi.api.phone.PhoneResource.TextTariff;
import dev.octroi.api.phone.PhoneService.PhoneRecords;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.settings.VendorSettings.RecordForm;
import dev.octroi.payments.Usd;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.Lookups;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.PhoneNumbers;
import dev.octroi.services.phone.VendorAccount;
import dev.octroi.services.phone.VendorLookups;
import dev.octroi.services.phone.VendorMessages;
import dev.octroi.services.phone.VendorNumbers;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.VenueWords;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Phone: numbers that are leased, texts from them, and lookups. What has no vendor is not sold; a
 * payer who leases a number keeps it, and may renew or release it, without the vendor too.
 */
public final class PhoneGroup extends BuiltInGroup {

  static final String WORD = "phone";
  static final String BASE = "/v1/marketplace/phone";

  private static final String NUMBERS = BASE + "/numbers";
  private static final String BUY = NUMBERS + "/buy";
  private static final String RENEW = NUMBERS + "/renew";
  private static final String LOOKUP = BASE + "/lookup";
  private static final String TEXT = BASE + "/sms/send";

  private static final Duration LOOKS = Duration.ofSeconds(10);
  private static final Duration FORGETS = Duration.ofHours(1);

  /** Whose numbers are whose, for groups that call from them. */
  public static OwnedNumbers numbers(GroupContext context) {
    return leases(context);
  }

  private static Leases leases(GroupContext context) {
    return context.once(
        Leases.class, () -> new Leases(context.statements(), context.paymentStatuses()));
  }

  public PhoneGroup() {
    super(
        new Profile(
            WORD,
            "Phone",
            "Numbers of the US and Canada for 30 days, carrier and fraud lookups, texts.",
            ErrorShape.NESTED,
            List.of(BASE),
            List.of(
                ErrorCode.INVALID_PHONE_NUMBER,
                ErrorCode.NUMBER_NOT_OWNED,
                ErrorCode.NUMBER_UNAVAILABLE,
                ErrorCode.SMS_UNAVAILABLE)),
        PhoneResource.class,
        LeasesResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this, settings);
  }

  private record Configured(Group group, GatewaySettings settings) implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      LookupTariff lookups = LookupTariff.of(settings.phone());
      return List.of(
          SoldRow.post(group, "/numbers/buy", ListPrices.NUMBER_BUY),
          SoldRow.post(group, "/numbers/list", ListPrices.NUMBER_LIST),
          SoldRow.post(group, "/numbers/release", ListPrices.NUMBER_RELEASE),
          SoldRow.post(group, "/numbers/renew", ListPrices.NUMBER_RENEW),
          SoldRow.post(group, "/lookup", lookups.carrier().dollars()),
          SoldRow.post(group, "/lookup/fraud", lookups.fraud().dollars()),
          SoldRow.postAtLeast(group, "/sms/send", ListPrices.TEXT));
    }

    @Override
    public List<Upstream> upstreams() {
      return Stream.of(lookups(), numbers()).flatMap(Optional::stream).toList();
    }

    private Optional<Upstream> lookups() {
      return vendor("lookup", settings.upstream().lookup());
    }

    private Optional<Upstream> numbers() {
      return vendor(WORD, settings.upstream().phone());
    }

    /** Without a credential nothing is sold of a vendor: the live profile has none. */
    private static Optional<Upstream> vendor(String word, VendorSettings vendor) {
      String pair = vendor.credential().value();
      String secret = pair.substring(Math.min(pair.length(), name(vendor).length() + 1));
      return Upstream.vendor(
              word, WORD, vendor, VenueWords.none(), any -> Credential.basic(name(vendor), secret))
          .map(one -> new Upstream(one.setting(), one.address(), one.settings(), !pair.isEmpty()));
    }

    private static String name(VendorSettings vendor) {
      return vendor.credential().value().split(":", 2)[0];
    }

    @Override
    public List<String> problems() {
      List<String> problems = new ArrayList<>();
      if (isIncomplete(settings.upstream().lookup())) {
        problems.add("gateway.upstream.lookup.credential has the form account:secret");
      }
      if (isIncomplete(settings.upstream().phone())) {
        problems.add("gateway.upstream.phone.credential has the form account:secret");
      }
      return problems;
    }

    private static boolean isIncomplete(VendorSettings vendor) {
      String credential = vendor.credential().value();
      return !credential.isEmpty() && !credential.matches("[A-Za-z0-9]+:.+");
    }

    @Override
    public List<String> missing() {
      List<String> missing = new ArrayList<>();
      missing("lookup", settings.upstream().lookup(), missing);
      missing(WORD, settings.upstream().phone(), missing);
      return missing;
    }

    private static void missing(String word, VendorSettings vendor, List<String> missing) {
      if (vendor.baseAddress().isEmpty()) {
        missing.add(Upstream.missing(word));
      } else if (vendor.credential().value().isEmpty()) {
        missing.add("gateway.upstream." + word + ".credential is not set: it is account:secret");
      }
    }

    private static boolean isSold(VendorSettings vendor) {
      return vendor.baseAddress().isPresent() && !vendor.credential().value().isEmpty();
    }

    /** Payers who have a number already need the rest, which says itself if it has no vendor. */
    @Override
    public boolean serves(String path) {
      if (Groups.isAtOrBelow(LOOKUP, path)) {
        return isSold(settings.upstream().lookup());
      }
      return !path.equals(BUY) || isSold(settings.upstream().phone());
    }

    @Override
    public boolean lists(SoldRow row) {
      if (row.path().equals(TEXT)) {
        return settings.phone().sms() && isSold(settings.upstream().phone());
      }
      return serves(row.path())
          && (!Groups.isAtOrBelow(NUMBERS, row.path()) || isSold(settings.upstream().phone()));
    }

    @Override
    public OpenGroup open(GroupContext context) {
      VendorSettings phone = settings.upstream().phone();
      Optional<VendorAccount> account =
          numbers()
              .filter(Upstream::isCalled)
              .map(one -> new VendorAccount(context.client(one), name(phone)));
      Optional<PhoneNumbers> numbers =
          account.map(of -> new VendorNumbers(of, settings.phone().sms()));
      boolean stated = settings.upstream().lookup().records() == RecordForm.MAPPED;
      Optional<Lookups> lookups =
          lookups()
              .filter(Upstream::isCalled)
              .map(one -> new VendorLookups(context.client(one), stated));
      Leases leases = leases(context);
      VendorDeadlines deadlines =
          new VendorDeadlines(phone.deadline(), context.longestCall().plus(phone.deadline()));
      Optional<EffectRunner> texts =
          account
              .filter(any -> settings.phone().sms())
              .map(VendorMessages::new)
              .map(
                  of ->
                      context.effects(
                          new TextSending(
                              of, deadlines, context.alike(deadlines.over()), context.clock())));
      TextTariff textTariff = new TextTariff(settings.phone(), context.bodies());
      return OpenGroup.of(
              new PhoneService(
                  lookups,
                  leasing(leases, numbers, deadlines, context),
                  texts,
                  textTariff,
                  new PhoneRecords(settings.phone().chain(), settings.phone().solanaChain()),
                  context.bodies(),
                  phone.deadline(),
                  context.deadlines()),
              new LeaseList(context.given(Listing.class)))
          .with(
              LookupTariff.of(settings.phone()),
              textTariff,
              new NumberListTariff(
                  owner -> !leases.held(owner, context.clock().instant()).isEmpty()))
          .withTasks(tasks(leases, numbers, context));
    }

    private static LeaseService leasing(
        Leases leases,
        Optional<PhoneNumbers> numbers,
        VendorDeadlines deadlines,
        GroupContext context) {
      LeaseChanges changes = new LeaseChanges(context.statements(), leases, context.clock());
      return new LeaseService(
          leases,
          numbers,
          numbers.map(
              of -> context.effects(new NumberPurchase(of, leases, deadlines, context.clock()))),
          context.effects(new LeaseEffect(Change.RENEWAL, changes)),
          context.effects(new LeaseEffect(Change.RELEASE, changes)),
          context.clock());
    }

    private List<RecurringTask> tasks(
        Leases leases, Optional<PhoneNumbers> numbers, GroupContext context) {
      // An account's lease is renewed at the price without an API key, whatever its keys pay.
      Supplier<Usd> price =
          () -> context.price("POST", RENEW).orElseGet(() -> Usd.parse(ListPrices.NUMBER_RENEW));
      LeaseTerms terms =
          new LeaseTerms(leases, context.charges(), context.paymentStatuses(), price);
      return List.of(
          new RecurringTask(
              "leases", LOOKS, new LeaseTask(leases, terms, numbers, context.clock())),
          new RecurringTask(
              "forget-leases",
              FORGETS,
              () -> leases.forget(context.clock().instant().minus(settings.phone().retention()))));
    }
  }

  /** A change of a lease as an effect whose vendor is our own database. Thread-safe. */
  private record LeaseEffect(Change change, LeaseChanges changes) implements EffectVendor {

    @Override
    public String kind() {
      return "lease-" + change.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Attempt attempt(Effect effect) {
      return changes.make(effect.id(), UUID.fromString(effect.intent()), change);
    }

    @Override
    public Attempt ask(Effect effect) {
      return changes.madeOrNever(effect.id(), UUID.fromString(effect.intent()));
    }

    @Override
    public void record(Handle handle, Effect effect, Attempt.Done done) {
      // The change wrote itself down.
    }
  }

  /**
   * How long the vendor is waited for.
   *
   * @param longest for all that one effect asks of it
   * @param over after which time nothing of an effect can be on its way any more: its call may
   *     begin late, and the vendor's answer come later still
   */
  record VendorDeadlines(Duration longest, Duration over) {

    Deadline deadline() {
      return Deadline.in(longest);
    }

    boolean isOver(Instant begun, Instant now) {
      return now.isAfter(begun.plus(over));
    }
  }

  /** Says whose numbers are whose (specification, payment rule 4). Thread-safe. */
  public interface OwnedNumbers {

    /**
     * Whether a number is leased to an owner, the days of grace included.
     *
     * @param owner as {@link dev.octroi.payments.Payment#owner} names it
     * @throws dev.octroi.payments.ledger.LedgerUnavailable when the database does not answer in
     *     time
     */
    boolean isOwned(String owner, PhoneNumber number, Instant now);
  }

  /**
   * Looks after the leases at which something is to be done: one run. Numbers whose lease has ended
   * go back to the vendor, who is asked until that is done. Thread-safe.
   */
  record LeaseTask(Leases leases, LeaseTerms terms, Optional<PhoneNumbers> vendor, Clock clock)
      implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseTask.class);

    private static final int LEASES_A_RUN = 50;

    /** A task's run ends within a minute; what is left waits for the next run. */
    private static final Duration LONGEST_RUN = Duration.ofSeconds(30);

    private static final Duration RELEASED_AGAIN = Duration.ofMinutes(1);
    private static final Duration VENDOR_ANSWERS = Duration.ofSeconds(20);

    @Override
    public void run() {
      Deadline end = Deadline.in(LONGEST_RUN);
      for (Lease lease : leases.toLookAt(clock.instant(), LEASES_A_RUN)) {
        if (end.remaining().isZero()) {
          return;
        }
        lookAt(lease);
      }
    }

    /** One lease whose turn fails must not keep the others from theirs. */
    private void lookAt(Lease lease) {
      Instant now = clock.instant();
      try {
        if (lease.state().isHeld()) {
          terms.lookAt(lease, now);
        } else {
          giveBack(lease, now);
        }
      } catch (RuntimeException e) {
        LOG.error("Lease {} could not be looked after", lease.deed().id(), e);
        leases.replace(lease, lease.lookedAt(now.plus(RELEASED_AGAIN)));
      }
    }

    /** The vendor says yes to what it has back already, so that a lost answer does no harm. */
    private void giveBack(Lease lease, Instant now) {
      if (vendor.isEmpty()) {
        leases.replace(lease, lease.lookedAt(now.plus(RELEASED_AGAIN)));
        return;
      }
      try {
        vendor.get().release(lease.deed().leased().reference(), Deadline.in(VENDOR_ANSWERS));
        leases.replace(lease, lease.givenBack());
      } catch (Failure unreachable) {
        LOG.warn("Lease {} could not be given back to the vendor now", lease.deed().id());
        leases.replace(lease, lease.lookedAt(now.plus(RELEASED_AGAIN)));
      }
    }
  }
}

package dev.octroi.api.setup;

import dev.octroi.api.asset.AssetStore;
import dev.octroi.api.asset.Assets;
import dev.octroi.api.asset.DatabaseAssets;
import dev.octroi.api.asset.FileAssets;
import dev.octroi.api.asset.S3Assets;
import dev.octroi.api.asset.S3Assets.S3Bucket;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.http.TrustedProxies;
import dev.octroi.api.limit.Limits;
import dev.octroi.api.operator.OperatorServices.BookServices;
import dev.octroi.api.settings.AssetSettings;
import dev.octroi.api.settings.AssetSettings.S3Settings;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.settings.ReconcilerSettings;
import dev.octroi.api.webhook.Webhooks;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.AccountCharges;
import dev.octroi.payments.account.AccountCharges.ChargeResult;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.books.BookExport;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerSettings.ReplayLimits;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.Statements;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import dev.octroi.payments.reconcile.LedgerTasks;
import dev.octroi.payments.reconcile.Reconciler;
import dev.octroi.payments.reconcile.Reconciler.ScheduleSettings;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.payments.setup.Payments;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the ledger, with the facilitators and the limits that go with it.
 *
 * @param reads the database for what operators read, the books among it
 * @param files keeps the files that answers link to, in place of what the settings say
 * @param longestAnswer in bytes
 */
public record LedgerAssembly(
    GatewaySettings settings,
    DataSource database,
    DataSource reads,
    Optional<AssetStore> files,
    int longestAnswer,
    Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerAssembly.class);

  private static final Duration NETTING_PAUSE = Duration.ofSeconds(5);
  private static final Duration LEFT_PAUSE = Duration.ofMinutes(10);
  private static final Duration CLOSING_PAUSE = Duration.ofMinutes(1);

  /** Money rule 4. */
  private static final Duration ANSWERS_KEPT = Duration.ofMinutes(10);

  private static final int NAME_LENGTH = 64;

  /** Opens the groups. */
  @FunctionalInterface
  public interface Opening {
    OpenGroups open(GroupContext.Money money, Assets assets);
  }

  /**
   * Builds payments that own the opened ledger, and what goes on beside them.
   *
   * @param longestCall how long a paid call may last
   */
  public PaymentRuntime keep(
      Payments.Builder payments,
      List<Facilitator> facilitators,
      KeyAssembly keys,
      Duration longestCall,
      Opening opening) {
    AnswerVault vault = vault(settings.database());
    JdbcLedger ledger = open(vault);
    Optional<OpenGroups> opened = Optional.empty();
    try {
      facilitators.forEach(payments::facilitator);
      Limits limits =
          new Limits(
              settings.limits(),
              settings.callsThatWait(),
              new TrustedProxies(settings.http().trustedProxies()),
              clock,
              () -> ledger.pulse().nodes());
      payments.ledger(ledger).admission(limits);
      Accounts accounts = keys.accounts(ledger.statements());
      payments.callers(keys.callers(accounts));
      settings.keys().netting().ifPresent(payments::netted);
      ChargesOnceBuilt charges = new ChargesOnceBuilt();
      Assets assets =
          new AssetAssembly(settings.assets(), files, clock).open(ledger.statements(), database);
      OpenGroups groups =
          opening.open(new GroupContext.Money(ledger, charges, vault, longestCall), assets);
      opened = Optional.of(groups);
      groups.tariffs().forEach(payments::tariff);
      Payments built = payments.build();
      charges.are(built.charges());
      List<RecurringTask> tasks = new ArrayList<>(tasks(built, ledger, facilitators, assets));
      tasks.addAll(groups.tasks());
      Webhooks webhooks =
          new Webhooks(
              settings.webhooks(), ledger, database, reads, groups.context().threads(), clock);
      tasks.addAll(webhooks.tasks());
      return new PaymentRuntime(
          built,
          facilitators,
          ledger,
          accounts,
          limits,
          books(ledger, facilitators),
          assets,
          groups,
          webhooks,
          reconciler(ledger, facilitators, tasks));
    } catch (RuntimeException e) {
      opened.ifPresent(OpenGroups::close);
      ledger.close();
      throw e;
    }
  }

  private Reconciler reconciler(
      JdbcLedger ledger, List<Facilitator> facilitators, List<RecurringTask> tasks) {
    return new ReconcilerAssembly(settings.reconciler(), database)
        .reconciler(
            node(),
            new LedgerTasks(ledger, ledger.unresolved(), facilitators, clock),
            tasks,
            () -> ledger.pulse().alive());
  }

  private JdbcLedger open(AnswerVault vault) {
    LedgerSettings.Builder kept =
        LedgerSettings.builder(node())
            .maxAnswer(longestAnswer)
            .answerRetention(ANSWERS_KEPT)
            .startingBalance(settings.sandbox().startingBalance().micros())
            .replays(replays(settings.payments()));
    if (!clock.equals(Clock.systemUTC())) {
      // A clock of the host's own may tell what it likes.
      kept.clockDifference(ChronoUnit.FOREVER.getDuration());
    }
    return new JdbcLedger(
        database, reads, vault, kept.build(), Webhooks.outbox(settings.webhooks()), clock);
  }

  private List<RecurringTask> tasks(
      Payments payments, JdbcLedger ledger, List<Facilitator> facilitators, Assets assets) {
    List<RecurringTask> tasks = new ArrayList<>(netting(payments, ledger));
    tasks.add(assets.retention());
    tasks.add(new RecurringTask("close-books", CLOSING_PAUSE, ledger.closing()));
    TreasuryAssembly treasury = new TreasuryAssembly(settings, database, clock);
    tasks.addAll(treasury.tasks(facilitators, ledger.refunds().payouts()));
    tasks.addAll(treasury.claims(facilitators, ledger.channels()));
    return tasks;
  }

  /**
   * Looks often, so that a threshold is seen soon; it pays no more often than the terms say. Where
   * calls are netted no more, it pays for what is left.
   */
  private List<RecurringTask> netting(Payments payments, JdbcLedger ledger) {
    Duration pause = settings.keys().netting().isPresent() ? NETTING_PAUSE : LEFT_PAUSE;
    return payments.netting(ledger.debts()).stream()
        .map(netting -> new RecurringTask("net-accounts", pause, netting))
        .toList();
  }

  private BookServices books(JdbcLedger ledger, List<Facilitator> facilitators) {
    return new BookServices(
        new BookVerification(
            reads, LedgerTasks.evidence(facilitators), ledger.settings().recordRetention(), clock),
        new BookExport(reads),
        ledger.refunds());
  }

  private static ReplayLimits replays(PaymentSettings payments) {
    return new ReplayLimits(
        payments.identifierTime(),
        payments.identifierAnswers().bytes(),
        ReplayLimits.DEFAULT.count(),
        payments.signIn());
  }

  private String node() {
    String name = settings.database().node().orElseGet(() -> host() + ":" + settings.http().port());
    return name.substring(0, Math.min(name.length(), NAME_LENGTH));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static AnswerVault vault(DatabaseSettings database) {
    return database
        .answerKeyBytes()
        .map(AnswerVault::new)
        .orElseGet(
            () -> {
              LOG.warn(
                  "gateway.database.answer-key is not set: answers that were stored before this"
                      + " start cannot be had again");
              return AnswerVault.ofThisProcess();
            });
  }

  /**
   * What works charge accounts by: they are opened before the payments that they need are built.
   */
  private static final class ChargesOnceBuilt implements AccountCharges {

    private volatile Optional<AccountCharges> built = Optional.empty();

    void are(Optional<AccountCharges> charges) {
      built = charges;
    }

    @Override
    public ChargeResult charge(
        UUID account, Usd amount, String purpose, Predicate<PaymentUse> beforeSettling) {
      return built
          .map(charges -> charges.charge(account, amount, purpose, beforeSettling))
          .orElseGet(() -> new ChargeResult.Refused("no_accounts"));
    }
  }

  /** Opens what keeps the files that answers link to. */
  private record AssetAssembly(AssetSettings settings, Optional<AssetStore> own, Clock clock) {

    Assets open(Statements statements, DataSource database) {
      AssetStore store = own.orElseGet(() -> named(statements, database));
      return new Assets(store, settings.keep(), settings.maxSize().bytes(), clock);
    }

    private AssetStore named(Statements statements, DataSource database) {
      return switch (settings.store()) {
        case DATABASE -> new DatabaseAssets(statements, database);
        case FILES -> files(settings.directory().orElseThrow());
        case S3 -> new S3Assets(bucket(settings.s3()), settings.keep());
      };
    }

    private static S3Bucket bucket(S3Settings s3) {
      return new S3Bucket(
          s3.address(),
          s3.region(),
          s3.bucket().orElseThrow(),
          s3.prefix(),
          s3.accessKey().value(),
          s3.secretKey().value());
    }

    private static AssetStore files(Path directory) {
      try {
        return new FileAssets(directory);
      } catch (IOException e) {
        throw new InvalidSettings(
            List.of("gateway.assets.directory is " + directory + ", which cannot be made: " + e));
      }
    }
  }

  /** Collects what is to be done beside the calls. */
  record ReconcilerAssembly(ReconcilerSettings settings, DataSource database) {

    private static final Logger LOG = LoggerFactory.getLogger(ReconcilerAssembly.class);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

    /**
     * What decides payments and follows transactions, at rest until it is started.
     *
     * @param alive whether this node may settle; while it may not, such as for its clock, by which
     *     chores tell what is over, it leaves them to others
     */
    Reconciler reconciler(
        String node, LedgerTasks ofLedger, List<RecurringTask> more, BooleanSupplier alive) {
      LedgerTasks.unread(ofLedger.facilitators())
          .forEach(
              network ->
                  LOG.warn(
                      "Payments in doubt on {} will wait for the operator, because no node of that chain"
                          + " is configured. Set gateway.chain.rpc-url (for Solana"
                          + " gateway.solana.rpc-url), so that the gateway asks the chain itself",
                      network));
      List<RecurringTask> tasks = new ArrayList<>(more);
      tasks.addAll(
          ofLedger.of(
              new Backoff(settings.shortestPause(), settings.longestPause()), settings.follow()));
      ScheduleSettings schedule =
          new ScheduleSettings(
              settings.startAfter(),
              settings.polling(),
              settings.heartbeat(),
              settings.threads(),
              STOP_WITHIN);
      return new Reconciler(database, node, LedgerTasks.whileAlive(tasks, alive), schedule);
    }
  }
}

package dev.octroi.api.setup;

import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.health.Readiness;
import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Refused;
import dev.octroi.api.live.LiveSettings;
import dev.octroi.api.observe.CallOutcomes;
import dev.octroi.api.observe.OutcomeSums;
import dev.octroi.api.operator.ChannelsResource.ChannelList;
import dev.octroi.api.operator.Faucet;
import dev.octroi.api.operator.OpenEnds;
import dev.octroi.api.operator.OperatorActions;
import dev.octroi.api.operator.OperatorServices;
import dev.octroi.api.operator.OperatorServices.CreditServices;
import dev.octroi.api.operator.OperatorServices.EffectEnds;
import dev.octroi.api.operator.OperatorServices.FailureServices;
import dev.octroi.api.operator.OperatorServices.MonitoringServices;
import dev.octroi.api.operator.Operators;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.wallet.WalletResource.Funds;
import dev.octroi.api.wallet.WalletResource.OwnerServices;
import dev.octroi.api.wallet.WalletUsage;
import dev.octroi.payments.books.Earnings;
import dev.octroi.payments.books.GasSpent;
import dev.octroi.payments.books.PayerLosses;
import dev.octroi.payments.books.UnchargedPayments;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Facilitator.Balances;
import dev.octroi.payments.ledger.SandboxBank;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import dev.octroi.payments.ledger.jdbc.PaymentRecords;
import dev.octroi.payments.reconcile.LedgerTasks;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * Lays out what the operator and the keys' owners work with.
 *
 * @param reads the database for what may take long to read
 */
public record OperatorAssembly(
    GatewaySettings settings,
    DataSource database,
    DataSource reads,
    PaymentRuntime runtime,
    ConfiguredGroups groups,
    LiveSettings live,
    Clock clock) {

  /** Of the connections, besides one for an export of the books and one for a verification. */
  private static final int SHARE = 4;

  private static final int BOOKS = 2;

  /** For the writers, the heartbeat and the housekeeping, however few there are. */
  private static final int OF_PAYMENTS = 2;

  private static final int OF_WALLETS = 1;

  /**
   * The database for what operators read: reads that do not end leave connections to payments, and
   * to wallets, which take no turns of operators either.
   */
  public static DataSource reads(DataSource database, DatabaseSettings settings) {
    int left = settings.poolSize() - OF_PAYMENTS - OF_WALLETS;
    return few(database, Math.max(1, Math.min(settings.poolSize() / SHARE + BOOKS, left)));
  }

  private static DataSource few(DataSource database, int most) {
    return LedgerReads.few(
        database, most, () -> Refused.busy("Other reads are under way: ask again."));
  }

  public OperatorServices operators(PriceBook prices, Readiness readiness, CallOutcomes counting) {
    PaymentRecords records = new PaymentRecords(reads);
    OpenEnds openEnds =
        new OpenEnds(
            runtime.ledger().unresolved(),
            records,
            LedgerTasks.evidence(runtime.facilitators()),
            LedgerTasks.unread(runtime.facilitators()),
            clock);
    return new OperatorServices(
        settings,
        groups,
        prices,
        live,
        runtime.accounts(),
        funds(),
        records,
        openEnds,
        runtime.books(),
        new EffectEnds(runtime.ledger().effects(), runtime.groups().context()::runner),
        faucet(),
        work(),
        credit(),
        failures(counting),
        new OperatorActions(runtime.ledger().statements(), reads, clock),
        new Operators(runtime.ledger().statements(), database, clock),
        runtime.webhooks(),
        readiness,
        clock);
  }

  private FailureServices failures(CallOutcomes counting) {
    OutcomeSums sums =
        new OutcomeSums(
            runtime.ledger().statements(), reads, runtime.groups().context().node(), clock);
    if (!settings.admin().token().value().isEmpty()) {
      counting.keepIn(sums);
    }
    return new FailureServices(counting, sums, new UnchargedPayments(reads));
  }

  private MonitoringServices work() {
    GroupContext context = runtime.groups().context();
    return new MonitoringServices(
        new Earnings(reads), new GasSpent(reads), context::clients, context.node());
  }

  private CreditServices credit() {
    return new CreditServices(
        runtime.payments().flow()::owed,
        settings.payments().upto().creditInAll(),
        new PayerLosses(reads),
        new ChannelList(new Listing(reads)));
  }

  public OwnerServices owners() {
    return new OwnerServices(
        runtime.accounts(),
        funds(),
        runtime.limits(),
        runtime.payments().signIns(),
        new WalletUsage(few(database, OF_WALLETS)),
        clock);
  }

  /** The token that is taken, by network. */
  private Map<String, String> assets() {
    Map<String, String> assets = new HashMap<>();
    assets.put(settings.payments().network(), settings.payments().asset());
    SolanaAssembly.option(settings)
        .ifPresent(option -> assets.put(option.network(), option.asset()));
    return assets;
  }

  private Faucet faucet() {
    boolean sandbox = runtime.facilitators().stream().anyMatch(Facilitator::settlesInLedger);
    return new Faucet(
        sandbox ? Optional.of(runtime.ledger().sandboxBank()) : Optional.empty(), assets());
  }

  private Funds funds() {
    SandboxBank bank = runtime.ledger().sandboxBank();
    Map<String, Balances> balances = new HashMap<>();
    for (Facilitator facilitator : runtime.facilitators()) {
      for (String network : facilitator.networks()) {
        if (facilitator.settlesInLedger()) {
          balances.put(
              network, (asset, account) -> OptionalLong.of(bank.balance(network, account, asset)));
        } else {
          facilitator.balances(network).ifPresent(known -> balances.put(network, known));
        }
      }
    }
    return new Funds(assets(), balances);
  }
}

package dev.octroi.api.operator;

import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.health.Readiness;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Refused;
import dev.octroi.api.live.LiveSettings;
import dev.octroi.api.observe.CallOutcomes;
import dev.octroi.api.observe.OutcomeSums;
import dev.octroi.api.operator.ChannelsResource.ChannelList;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.wallet.WalletResource.Funds;
import dev.octroi.api.webhook.Webhooks;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.books.BookExport;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Earnings;
import dev.octroi.payments.books.GasSpent;
import dev.octroi.payments.books.PayerLosses;
import dev.octroi.payments.books.UnchargedPayments;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Refunds;
import dev.octroi.payments.ledger.jdbc.PaymentRecords;
import dev.octroi.services.upstream.UpstreamClient;
import jakarta.ws.rs.ext.Providers;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the operator's resources work with. Thread-safe.
 *
 * @param live routes and prices that change while the gateway serves
 * @param funds what managed wallets have
 * @param unresolved payments in doubt
 * @param faucet gives sandbox money away
 * @param work what is looked at
 * @param actions what operators did
 * @param operators those with tokens of their own
 * @param webhooks where events are sent to
 * @param readiness whether this node wants calls
 */
public record OperatorServices(
    GatewaySettings settings,
    ConfiguredGroups groups,
    PriceBook prices,
    LiveSettings live,
    Accounts accounts,
    Funds funds,
    PaymentRecords records,
    OpenEnds unresolved,
    BookServices books,
    EffectEnds effects,
    Faucet faucet,
    MonitoringServices work,
    CreditServices credit,
    FailureServices failures,
    OperatorActions actions,
    Operators operators,
    Webhooks webhooks,
    Readiness readiness,
    Clock clock) {

  private static final Logger LOG = LoggerFactory.getLogger("dev.octroi.operator");

  /** The operator's resource classes, for {@code Application#getClasses}; groups have their own. */
  public static final List<Class<?>> RESOURCES =
      List.of(
          AccountsResource.class,
          ActionsResource.class,
          BooksResource.class,
          ChangesResource.class,
          ChannelsResource.class,
          CreditResource.class,
          EffectsResource.class,
          FailuresResource.class,
          KeysResource.class,
          MarginResource.class,
          NodeResource.class,
          OperatorsResource.class,
          PaymentsResource.class,
          PricesResource.class,
          RefundsResource.class,
          RevenueResource.class,
          RoutesResource.class,
          SettingsResource.class,
          UpstreamsResource.class,
          WalletsResource.class,
          WebhooksResource.class);

  /**
   * The services that are mounted in an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static OperatorServices of(Providers providers) {
    return Mounted.of(providers, OperatorServices.class);
  }

  /** What is read of a period, as JSON; 503 where the database does not answer in time. */
  static byte[] ofPeriod(Supplier<?> reading) {
    try {
      return HouseJson.of(reading.get());
    } catch (LedgerUnavailable e) {
      LOG.warn("The figures of a period could not be read", e);
      throw Refused.of(503, "The database did not answer in time: ask for a shorter period.");
    }
  }

  KeyIssue keys() {
    return new KeyIssue(accounts, settings.keys().limits(), groups::words, faucet, clock);
  }

  /**
   * Where it is seen what fails.
   *
   * @param counting what this node has counted and not yet added up
   * @param sums how all calls ended, on all nodes
   * @param uncharged payments that bought nothing, from the ledger
   */
  public record FailureServices(
      CallOutcomes counting, OutcomeSums sums, UnchargedPayments uncharged) {}

  /** What bookkeeping works with. */
  public record BookServices(BookVerification verification, BookExport export, Refunds refunds) {}

  /**
   * What the operator looks at to see how business goes; nothing of it changes anything.
   *
   * @param connections those of this node at the moment
   * @param node this node's name
   */
  public record MonitoringServices(
      Earnings earnings, GasSpent gas, Supplier<List<UpstreamClient>> connections, String node) {

    List<UpstreamClient> upstreams() {
      return connections.get();
    }
  }

  /**
   * Where it is seen what is owed by payers that sign for themselves.
   *
   * @param owed what all payers owe together for answers that left before they were paid for
   * @param most what that may come to
   */
  public record CreditServices(
      Supplier<Usd> owed, Usd most, PayerLosses losses, ChannelList channels) {}

  /**
   * What the operator may do about effects whose end the gateway does not know: look at them, and
   * close them with what the vendor told by other ways (money rule 6).
   *
   * @param effects the ledger's
   * @param runners by the kind of effect; empty for a kind that nothing here does
   */
  public record EffectEnds(Effects effects, Function<String, Optional<EffectRunner>> runners) {

    /** Closes an effect. 404 if there is none, 409 if it is closed or its call is not over. */
    void close(UUID id, Attempt told, String reason) {
      Effects.Effect effect = find(id);
      EffectRunner runner =
          runners
              .apply(effect.kind())
              .orElseThrow(() -> Refused.of(409, "Nothing here does effects of this kind."));
      if (!runner.closeByHand(effect, told, reason)) {
        throw Refused.of(409, "The effect is closed already, or its call is not over yet.");
      }
      LOG.info("Effect {} was closed by hand: {}", id, reason.replaceAll("\\p{Cntrl}", " "));
    }

    Effects.Effect find(UUID id) {
      return effects
          .find(id)
          .orElseThrow(() -> Refused.unknown("There is no effect with this id."));
    }
  }
}

package dev.octroi.api.setup;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.settings.PaymentSettings.ChannelSettings;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.Payouts;
import dev.octroi.payments.reconcile.LedgerTasks;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.payments.treasury.RefundPayments;
import dev.octroi.payments.treasury.Treasury;
import dev.octroi.payments.treasury.VoucherClaims;
import dev.octroi.payments.x402.PaymentOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * What pays refunds and claims what channels owe on the chain of {@code gateway.payments.network}.
 */
record TreasuryAssembly(GatewaySettings settings, DataSource database, Clock clock) {

  /** What forbids the start, one sentence each, never with a key in it; empty if nothing does. */
  static List<String> problems(GatewaySettings settings) {
    List<String> problems = new ArrayList<>();
    try {
      PaymentSettings payments = settings.payments();
      boolean given = settings.books().treasury().isPresent();
      if (!given) {
        payments.tokens().words().stream()
            .filter(word -> payments.tokens().of(word).refunds())
            .map(
                word ->
                    "gateway.payments.tokens.%s.refunds needs an account that pays them: set"
                            .formatted(word)
                        + " gateway.books.treasury-key, or take it out")
            .forEach(problems::add);
      } else if (payments.mode() != PaymentSettings.Mode.CHAIN) {
        problems.add(
            "gateway.books.treasury-key pays refunds only where gateway.payments.mode=chain: take it"
                + " out, or settle on the chain yourself");
      }
    } catch (InvalidSettings e) {
      problems.addAll(e.problems());
    }
    return problems;
  }

  /** One where a chain can tell what became of refunds: without a treasury it only closes them. */
  List<RecurringTask> tasks(List<Facilitator> facilitators, Payouts payouts) {
    String network = settings.payments().network();
    Evidence evidence = LedgerTasks.evidence(facilitators).get(network);
    return evidence == null ? List.of() : List.of(task(facilitators, payouts, network, evidence));
  }

  private RecurringTask task(
      List<Facilitator> facilitators, Payouts payouts, String network, Evidence evidence) {
    RefundPayments refunds =
        new RefundPayments(
            new RefundPayments.Parts(payouts, network, evidence, treasury(facilitators)), clock);
    return new RecurringTask(
        "pay-refunds",
        settings.reconciler().shortestPause(),
        refunds,
        Optional.of(settings.payments().network()));
  }

  /** Claims what channels owe, also where they are offered no longer. */
  List<RecurringTask> claims(List<Facilitator> facilitators, Channels channels) {
    return settlements(facilitators).map(sender -> claims(sender, channels)).stream().toList();
  }

  /** This node's relay, or what asks a remote facilitator. */
  private Optional<ChannelSettlements> settlements(List<Facilitator> facilitators) {
    String network = settings.payments().network();
    return facilitators.stream()
        .flatMap(each -> Stream.concat(Stream.of(each), each.channelRefunds(network).stream()))
        .filter(ChannelSettlements.class::isInstance)
        .map(ChannelSettlements.class::cast)
        .findFirst();
  }

  private RecurringTask claims(ChannelSettlements sender, Channels channels) {
    PaymentSettings payments = settings.payments();
    ChannelSettings terms = payments.channels();
    VoucherClaims claims =
        new VoucherClaims(
            new VoucherClaims.Parts(
                channels,
                payments.network(),
                ChainAssembly.of(settings).orElseThrow().channels(database, clock),
                sender,
                EvmAddress.parse(payments.payTo()),
                FacilitatorAssembly.options(settings).stream()
                    .filter(PaymentOption::isChannel)
                    .map(option -> EvmAddress.parse(option.asset()))
                    .toList()),
            new VoucherClaims.ClaimTerms(terms.claimAfter(), terms.claimLeast().micros()),
            clock);
    return new RecurringTask(
        "claim-vouchers",
        settings.reconciler().shortestPause(),
        claims,
        Optional.of(payments.network()));
  }

  private Optional<Treasury> treasury(List<Facilitator> facilitators) {
    List<PaymentOption> tokens = FacilitatorAssembly.refunded(settings.payments());
    return RelayAssembly.in(facilitators)
        .flatMap(
            relay ->
                settings.books().treasury().map(wallet -> new Treasury(wallet, tokens, relay)));
  }
}

package dev.octroi.api;

import dev.octroi.api.health.Readiness;
import dev.octroi.api.house.Listing;
import dev.octroi.api.image.JobList;
import dev.octroi.api.operator.EffectEnds;
import dev.octroi.api.operator.Gifts;
import dev.octroi.api.operator.OpenEnds;
import dev.octroi.api.operator.OperatorDesk;
import dev.octroi.api.operator.WorkDesk;
import dev.octroi.api.phone.LeaseList;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.voice.CallList;
import dev.octroi.api.wallet.Funds;
import dev.octroi.api.wallet.OwnerDesk;
import dev.octroi.payments.books.Earnings;
import dev.octroi.payments.facilitator.Balances;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.ledger.PaymentRecords;
import dev.octroi.payments.ledger.SandboxBank;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Lays out what the operator and the keys' owners work with. */
record DeskAssembly(
    GatewaySettings settings, DataSource database, Till till, Services services, Clock clock) {

  OperatorDesk operators(PriceBook prices, Readiness readiness) {
    PaymentRecords records = new PaymentRecords(database);
    OpenEnds openEnds =
        new OpenEnds(
            till.ledger().undecided(),
            records,
            ReconcilerAssembly.evidence(till.facilitators()),
            ReconcilerAssembly.unread(till.facilitators()),
            clock);
    return new OperatorDesk(
        new OperatorDesk.Tools(
            settings,
            prices,
            till.accounts(),
            funds(),
            records,
            openEnds,
            till.books(),
            new EffectEnds(till.ledger().effects(), till.works().workshop()::desk),
            gifts(),
            work(),
            readiness,
            clock));
  }

  private WorkDesk work() {
    Listing listing = new Listing(database);
    Workshop workshop = till.works().workshop();
    return new WorkDesk(
        new Earnings(database),
        new LeaseList(listing),
        new CallList(listing),
        new JobList(listing, workshop.vault()),
        Stream.concat(services.upstreams(), till.works().room(VoiceWorks.class).vendor().stream())
            .toList(),
        workshop.node());
  }

  OwnerDesk owners() {
    return new OwnerDesk(till.accounts(), funds(), till.limits(), clock);
  }

  /** The token that is taken, by network. */
  private Map<String, String> assets() {
    Map<String, String> assets = new HashMap<>();
    assets.put(settings.payments().network(), settings.payments().asset());
    Base58Assembly.option(settings)
        .ifPresent(option -> assets.put(option.network(), option.asset()));
    return assets;
  }

  private Gifts gifts() {
    boolean sandbox = till.facilitators().stream().anyMatch(Facilitator::settlesInLedger);
    return new Gifts(
        sandbox ? Optional.of(till.ledger().sandboxBank()) : Optional.empty(), assets());
  }

  private Funds funds() {
    SandboxBank bank = till.ledger().sandboxBank();
    Map<String, Balances> balances = new HashMap<>();
    for (Facilitator facilitator : till.facilitators()) {
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

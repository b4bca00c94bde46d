package dev.octroi.api.operator;

import dev.octroi.api.group.Groups;
import dev.octroi.api.health.Readiness;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.wallet.Funds;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.ledger.PaymentRecords;
import jakarta.ws.rs.ext.Providers;
import java.time.Clock;
import java.util.List;

/** What the operator's resources work with. Thread-safe. */
public final class OperatorServices {

  /** The operator's resource classes, for {@code Application#getClasses}; groups have their own. */
  public static final List<Class<?>> RESOURCES =
      List.of(
          AccountsResource.class,
          BooksResource.class,
          EffectsResource.class,
          KeysResource.class,
          NodeResource.class,
          PaymentsResource.class,
          PricesResource.class,
          RefundsResource.class,
          RevenueResource.class,
          SettingsResource.class,
          UpstreamsResource.class,
          WalletsResource.class);

  /**
   * What a gateway hands over.
   *
   * @param funds what managed wallets have
   * @param faucet gives sandbox money away
   * @param work what is looked at
   * @param readiness whether this node wants calls
   */
  public record Tools(
      GatewaySettings settings,
      Groups groups,
      PriceBook prices,
      Accounts accounts,
      Funds funds,
      PaymentRecords records,
      OpenEnds openEnds,
      BookServices books,
      EffectEnds effects,
      Faucet faucet,
      MonitoringServices work,
      Readiness readiness,
      Clock clock) {}

  private final Tools tools;
  private final KeyIssue keys;

  public OperatorServices(Tools tools) {
    this.tools = tools;
    this.keys =
        new KeyIssue(
            tools.accounts(),
            tools.settings().keys().limits(),
            tools.groups().words(),
            tools.faucet(),
            tools.clock());
  }

  /**
   * The services that are mounted in an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static OperatorServices of(Providers providers) {
    return Mounted.of(providers, OperatorServices.class);
  }

  public PriceBook prices() {
    return tools.prices();
  }

  public Clock clock() {
    return tools.clock();
  }

  GatewaySettings settings() {
    return tools.settings();
  }

  Accounts accounts() {
    return tools.accounts();
  }

  KeyIssue keys() {
    return keys;
  }

  Funds funds() {
    return tools.funds();
  }

  BookServices books() {
    return tools.books();
  }

  EffectEnds effects() {
    return tools.effects();
  }

  MonitoringServices work() {
    return tools.work();
  }

  Readiness readiness() {
    return tools.readiness();
  }

  PaymentRecords records() {
    return tools.records();
  }

  OpenEnds unresolved() {
    return tools.openEnds();
  }
}

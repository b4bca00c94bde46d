package dev.octroi.api.setup;

import dev.octroi.api.asset.Assets;
import dev.octroi.api.limit.Limits;
import dev.octroi.api.operator.OperatorServices.BookServices;
import dev.octroi.api.webhook.Webhooks;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.reconcile.Reconciler;
import dev.octroi.payments.setup.Payments;
import java.util.List;

/**
 * Where the money is: what calls are paid with, the ledger behind it, and what is done beside them.
 *
 * @param payments own the ledger and the facilitators and close them
 * @param groups are closed before the ledger
 */
public record PaymentRuntime(
    Payments payments,
    List<Facilitator> facilitators,
    JdbcLedger ledger,
    Accounts accounts,
    Limits limits,
    BookServices books,
    Assets assets,
    OpenGroups groups,
    Webhooks webhooks,
    Reconciler reconciler)
    implements AutoCloseable {

  /** What runs beside the calls ends first, for it needs the ledger. */
  @Override
  public void close() {
    groups.close();
    reconciler.close();
    webhooks.close();
    assets.close();
    payments.close();
  }
}

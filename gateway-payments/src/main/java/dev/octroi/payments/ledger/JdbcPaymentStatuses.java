package dev.octroi.payments.ledger;

import dev.octroi.payments.PaymentUse;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads the statuses of payments on the ledger's writer threads. */
final class JdbcPaymentStatuses implements PaymentStatuses {

  private static final String FIND =
      "SELECT state, sent, tx, method, path, query, body_hash FROM payment WHERE id = :id";

  private record Found(PaymentStatus paymentStatus, @Nullable String transaction) {}

  private static final Found NOTHING = new Found(PaymentStatus.DEAD, null);

  private final Statements statements;

  JdbcPaymentStatuses(Statements statements) {
    this.statements = statements;
  }

  @Override
  public PaymentStatus of(PaymentUse use) {
    return statements.run(handle -> of(handle, use));
  }

  @Override
  public PaymentStatus of(Handle handle, PaymentUse use) {
    return find(handle, use).paymentStatus();
  }

  @Override
  public Optional<String> transaction(PaymentUse use) {
    Found found = statements.run(handle -> find(handle, use));
    return found.paymentStatus() == PaymentStatus.SETTLED
        ? Optional.ofNullable(found.transaction())
        : Optional.empty();
  }

  private static Found find(Handle handle, PaymentUse use) {
    return handle
        .createQuery(FIND)
        .bind("id", use.payment())
        .map((row, context) -> found(row, use))
        .findOne()
        .orElse(NOTHING);
  }

  private static Found found(ResultSet row, PaymentUse use) throws SQLException {
    return Rows.binding(row).hash().equals(use.request())
        ? new Found(
            paymentStatus(PaymentState.valueOf(row.getString("state")), row.getBoolean("sent")),
            row.getString("tx"))
        : NOTHING;
  }

  private static PaymentStatus paymentStatus(PaymentState state, boolean sent) {
    return switch (state) {
      case SETTLED -> PaymentStatus.SETTLED;
      case SETTLING -> sent ? PaymentStatus.SETTLED : PaymentStatus.OPEN;
      case CLAIMED, IN_DOUBT -> PaymentStatus.OPEN;
      case FAILED, RELEASED -> PaymentStatus.DEAD;
    };
  }
}

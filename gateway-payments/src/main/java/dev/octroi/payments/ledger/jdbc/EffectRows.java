package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Open;
import dev.octroi.payments.ledger.Effects.Outcome;
import dev.octroi.payments.ledger.PaymentState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Reads effects, each with its payment's state. */
final class EffectRows {

  static final String SELECT =
      """
      SELECT e.id, e.payment_id, e.kind, e.intent, e.vendor_key, e.outcome, e.vendor_ref, e.details,
        e.note, e.begun_at, e.tries, p.state AS payment_state, p.sent
      FROM effect e LEFT JOIN payment p ON p.id = e.payment_id
      """;

  private EffectRows() {}

  static Effect effect(ResultSet row) throws SQLException {
    return new Effect(
        row.getObject("id", UUID.class),
        row.getObject("payment_id", UUID.class),
        row.getString("kind"),
        row.getString("intent"),
        row.getString("vendor_key"),
        Outcome.valueOf(row.getString("outcome")),
        text(row, "vendor_ref"),
        text(row, "details"),
        text(row, "note"),
        row.getObject("begun_at", OffsetDateTime.class).toInstant(),
        false);
  }

  static Open open(ResultSet row) throws SQLException {
    Optional<PaymentState> paid =
        Optional.ofNullable(row.getString("payment_state")).map(PaymentState::valueOf);
    return new Open(effect(row), paid, row.getBoolean("sent"), row.getInt("tries"));
  }

  static Effect asNew(Effect effect) {
    return new Effect(
        effect.id(),
        effect.payment(),
        effect.kind(),
        effect.intent(),
        effect.vendorKey(),
        effect.outcome(),
        effect.vendorReference(),
        effect.details(),
        effect.note(),
        effect.begun(),
        true);
  }

  private static String text(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), "");
  }
}

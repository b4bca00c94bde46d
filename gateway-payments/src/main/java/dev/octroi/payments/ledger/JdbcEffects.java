package dev.octroi.payments.ledger;

import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Effect rows on the ledger's writer threads, sharing commits with its payments. */
final class JdbcEffects implements Effects {

  /** A second one of a kind violates the unique constraint and is found instead. */
  private static final String BEGIN =
      """
      INSERT INTO effect (id, payment_id, kind, intent, vendor_key, outcome, begun_at)
      VALUES (:id, :payment, :kind, :intent, :key, 3, :now)
      """;

  private static final String CLOSE =
      """
      UPDATE effect SET outcome = :outcome, vendor_ref = :reference, closed_at = :now
      WHERE id = :id AND outcome = 3
      """;

  private static final String FIND =
      """
      SELECT id, intent, vendor_key, outcome, vendor_ref FROM effect
      WHERE payment_id = :payment AND kind = :kind
      """;

  private static final int MAX_KIND = 32;
  private static final int MAX_INTENT = 4_000;
  private static final int MAX_REFERENCE = 256;

  private final Statements statements;
  private final Clock clock;

  JdbcEffects(Statements statements, Clock clock) {
    this.statements = statements;
    this.clock = clock;
  }

  @Override
  public Effect begin(UUID payment, String kind, String intent) {
    limit("the kind of an effect", kind, MAX_KIND);
    limit("the intent of an effect", intent, MAX_INTENT);
    UUID id = UUID.randomUUID();
    return statements.run(
        handle ->
            find(handle, payment, kind, id)
                .orElseGet(() -> begin(handle, id, payment, kind, intent)));
  }

  private Effect begin(Handle handle, UUID id, UUID payment, String kind, String intent) {
    String key = "octroi-" + id;
    handle
        .createUpdate(BEGIN)
        .bind("id", id)
        .bind("payment", payment)
        .bind("kind", kind)
        .bind("intent", intent)
        .bind("key", key)
        .bind("now", Rows.utc(clock.instant()))
        .execute();
    return new Effect(id, payment, kind, intent, key, Outcome.UNKNOWN, "", true);
  }

  @Override
  public boolean close(UUID effect, Outcome outcome, String vendorReference) {
    limit("a vendor's reference", vendorReference, MAX_REFERENCE);
    if (outcome == Outcome.UNKNOWN) {
      throw new IllegalArgumentException("an effect is closed as done or not done");
    }
    return statements.run(
        handle ->
            handle
                    .createUpdate(CLOSE)
                    .bind("outcome", outcome.code())
                    .bind("reference", vendorReference)
                    .bind("now", Rows.utc(clock.instant()))
                    .bind("id", effect)
                    .execute()
                == 1);
  }

  @Override
  public Optional<Effect> find(UUID payment, String kind) {
    return statements.run(handle -> find(handle, payment, kind, null));
  }

  /** An effect with the id of this very call was written by an earlier try of it. */
  private static Optional<Effect> find(
      Handle handle, UUID payment, String kind, @Nullable UUID mine) {
    return handle
        .createQuery(FIND)
        .bind("payment", payment)
        .bind("kind", kind)
        .map(
            (row, context) ->
                new Effect(
                    row.getObject("id", UUID.class),
                    payment,
                    kind,
                    row.getString("intent"),
                    row.getString("vendor_key"),
                    Outcome.of(row.getInt("outcome")),
                    Optional.ofNullable(row.getString("vendor_ref")).orElse(""),
                    row.getObject("id", UUID.class).equals(mine)))
        .findOne();
  }

  private static void limit(String what, String text, int most) {
    if (text.length() > most) {
      throw new IllegalArgumentException(what + " exceeds " + most + " characters");
    }
  }
}

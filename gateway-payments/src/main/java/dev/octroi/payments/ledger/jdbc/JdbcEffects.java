package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.payments.ledger.Effects.Open;
import dev.octroi.payments.ledger.Effects.Outcome;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Effect rows on the ledger's writer threads, sharing commits with its payments. */
record JdbcEffects(
    Statements statements, LedgerReads lists, PaymentStatuses paymentStatuses, Clock clock)
    implements Effects {

  /** Effects, each with its payment's state. */
  private static final String SELECT =
      """
      SELECT e.id, e.payment_id, e.kind, e.intent, e.vendor_key, e.outcome, e.vendor_ref, e.details,
        e.note, e.begun_at, e.tries, p.state AS payment_state, p.sent
      FROM effect e LEFT JOIN payment p ON p.id = e.payment_id
      """;

  /** A second one of a kind violates the unique constraint and is found instead. */
  private static final String BEGIN =
      """
      INSERT INTO effect (id, payment_id, kind, intent, vendor_key, outcome, begun_at)
      VALUES (:id, :payment, :kind, :intent, :key, 'UNKNOWN', :now)
      """;

  /** Never what was done: that was paid for. */
  private static final String TAKE_OVER =
      """
      UPDATE effect SET intent = :intent, outcome = 'UNKNOWN', begun_at = :now, closed_at = NULL, note = NULL,
        tries = 0, due_at = NULL
      WHERE id = :id AND outcome <> 'DONE'
      """;

  private static final String CLOSE =
      """
      UPDATE effect SET outcome = :outcome, vendor_ref = :reference, details = :details, note = :note,
        closed_at = :now
      WHERE id = :id AND outcome = 'UNKNOWN' AND begun_at = :begun
      """;

  private static final String LATER =
      "UPDATE effect SET tries = tries + 1, due_at = :due WHERE id = :id AND outcome = 'UNKNOWN'";

  private static final String LIST =
      SELECT + "WHERE e.outcome = :outcome ORDER BY e.begun_at, e.id LIMIT :most";

  private static final String DUE =
      SELECT
          + """
          WHERE e.outcome = 'UNKNOWN' AND e.begun_at < :before AND e.kind = :kind
            AND (e.due_at IS NULL OR e.due_at <= :now)
          ORDER BY e.begun_at, e.id LIMIT :most
          """;

  private static final String ALIKE =
      SELECT
          + """
          WHERE e.outcome IN ('DONE', 'UNKNOWN') AND e.begun_at >= :since AND e.kind = :kind
            AND e.intent = :intent AND e.id <> :id
          ORDER BY e.begun_at, e.id
          """;

  private static final String UNREFUNDED =
      SELECT
          + """
          WHERE e.outcome = 'NOT_DONE' AND e.closed_at > :since AND e.kind = :kind AND p.state = 'SETTLED'
            AND NOT EXISTS (SELECT 1 FROM refund r
              WHERE r.payment_id = p.id AND r.request_key = CONCAT('effect-', CAST(e.id AS VARCHAR(36))))
            AND (SELECT COALESCE(SUM(r.amount), 0) FROM refund r WHERE r.payment_id = p.id)
              < COALESCE(p.charged, p.amount)
          ORDER BY e.begun_at, e.id LIMIT :most
          """;

  private static final int MAX_KIND = 32;
  private static final int MAX_INTENT = 24_000;
  private static final int MAX_TEXT = 4_000;
  private static final int MAX_REFERENCE = 256;

  @Override
  public Effect begin(PaymentUse use, String kind, String intent) {
    limit("the kind of an effect", kind, MAX_KIND);
    limit("the intent of an effect", intent, MAX_INTENT);
    UUID id = UUID.randomUUID();
    return statements.run(handle -> begin(handle, id, use, kind, intent));
  }

  private Effect begin(Handle handle, UUID id, PaymentUse use, String kind, String intent) {
    Optional<Effect> before = find(handle, use.payment(), kind);
    if (before.isEmpty()) {
      handle
          .createUpdate(BEGIN)
          .bind("id", id)
          .bind("payment", use.payment())
          .bind("kind", kind)
          .bind("intent", intent)
          .bind("key", "octroi-" + id)
          .bind("now", clock.instant())
          .execute();
      return asNew(find(handle, use.payment(), kind).orElseThrow());
    }
    Effect found = before.get();
    // An effect with the id of this very call was written by an earlier try of it.
    if (found.id().equals(id) || (isClaimed(handle, use) && takesOver(handle, found, intent))) {
      return asNew(find(handle, use.payment(), kind).orElseThrow());
    }
    return found;
  }

  private boolean isClaimed(Handle handle, PaymentUse use) {
    return paymentStatuses.of(handle, use) == PaymentStatus.OPEN
        && handle
            .createQuery("SELECT 1 FROM payment WHERE id = :id AND state = 'CLAIMED'")
            .bind("id", use.payment())
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
  }

  private boolean takesOver(Handle handle, Effect found, String intent) {
    return handle
            .createUpdate(TAKE_OVER)
            .bind("intent", intent)
            .bind("now", clock.instant())
            .bind("id", found.id())
            .execute()
        == 1;
  }

  @Override
  public boolean close(Effect effect, Ending ending, Along along) {
    limit("a vendor's reference", ending.reference(), MAX_REFERENCE);
    limit("the details of an effect", ending.details(), MAX_TEXT);
    return statements.run(handle -> close(handle, effect, ending, along));
  }

  private boolean close(Handle handle, Effect effect, Ending ending, Along along)
      throws SQLException {
    int closed =
        handle
            .createUpdate(CLOSE)
            .bind("outcome", ending.outcome())
            .bind("reference", ControlCharacters.replacedIn(ending.reference()))
            .bind("details", ControlCharacters.replacedIn(ending.details()))
            .bind("note", ControlCharacters.replacedIn(ending.note()))
            .bind("now", clock.instant())
            .bind("id", effect.id())
            .bind("begun", effect.begun())
            .execute();
    if (closed == 1) {
      along.write(handle);
    }
    return closed == 1;
  }

  @Override
  public Optional<Effect> find(UUID payment, String kind) {
    return statements.run(handle -> find(handle, payment, kind));
  }

  @Override
  public Optional<Effect> find(UUID effect) {
    return statements.run(
        handle ->
            effects(handle.createQuery(SELECT + "WHERE e.id = :id").bind("id", effect)).stream()
                .findFirst());
  }

  @Override
  public List<Effect> of(UUID payment) {
    return statements.run(
        handle ->
            effects(
                handle
                    .createQuery(SELECT + "WHERE e.payment_id = :payment ORDER BY e.begun_at, e.id")
                    .bind("payment", payment)));
  }

  @Override
  public List<Effect> list(Outcome outcome, int most) {
    return lists.read(
        handle ->
            effects(
                handle
                    .createQuery(LIST)
                    .bind("outcome", outcome)
                    .bind("most", Math.min(most, MAX_PAGE))));
  }

  @Override
  public List<Open> due(String kind, Instant begunBefore, int most) {
    return statements.run(
        handle ->
            handle
                .createQuery(DUE)
                .bind("kind", kind)
                .bind("before", begunBefore)
                .bind("now", clock.instant())
                .bind("most", Math.min(most, MAX_PAGE))
                .map((row, context) -> open(row))
                .list());
  }

  @Override
  public List<Effect> alike(Effect effect, Instant since) {
    return statements.run(
        handle ->
            effects(
                handle
                    .createQuery(ALIKE)
                    .bind("since", since)
                    .bind("kind", effect.kind())
                    .bind("intent", effect.intent())
                    .bind("id", effect.id())));
  }

  @Override
  public void later(UUID effect, Instant due) {
    statements.run(
        handle -> handle.createUpdate(LATER).bind("due", due).bind("id", effect).execute());
  }

  @Override
  public List<Effect> unrefunded(String kind, Instant closedSince, int most) {
    return statements.run(
        handle ->
            effects(
                handle
                    .createQuery(UNREFUNDED)
                    .bind("kind", kind)
                    .bind("since", closedSince)
                    .bind("most", Math.min(most, MAX_PAGE))));
  }

  private static Optional<Effect> find(Handle handle, UUID payment, String kind) {
    return effects(
            handle
                .createQuery(SELECT + "WHERE e.payment_id = :payment AND e.kind = :kind")
                .bind("payment", payment)
                .bind("kind", kind))
        .stream()
        .findFirst();
  }

  private static List<Effect> effects(Query query) {
    return query.map((row, context) -> effect(row)).list();
  }

  private static void limit(String what, String text, int most) {
    if (text.length() > most) {
      throw new IllegalArgumentException(what + " exceeds " + most + " characters");
    }
  }

  private static Effect effect(ResultSet row) throws SQLException {
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
        NamedStatements.instant(row, "begun_at").orElseThrow(),
        false);
  }

  private static Open open(ResultSet row) throws SQLException {
    Optional<PaymentState> paid =
        Optional.ofNullable(row.getString("payment_state")).map(PaymentState::valueOf);
    return new Open(effect(row), paid, row.getBoolean("sent"), row.getInt("tries"));
  }

  private static Effect asNew(Effect effect) {
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

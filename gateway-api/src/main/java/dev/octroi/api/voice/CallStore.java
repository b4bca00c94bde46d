package dev.octroi.api.voice;

import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.jdbc.Statements;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * The calls that were placed. A status moves forward only, by a comparison with what it was; a call
 * that has ended stays as it ended, and what was said on it is completed where something is
 * missing. Thread-safe.
 */
final class CallStore {

  /** Between two looks at a call that goes on. */
  static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  /** How long after its end the vendor may still write a call's transcript. */
  static final Duration COMPLETED_WITHIN = Duration.ofMinutes(10);

  private static final int TRIES = 5;

  private static final String INSERT =
      """
      INSERT INTO voice_call (id, owner, effect_id, vendor_ref, caller, callee, max_minutes, status,
        placed_at, ends_at, look_at)
      VALUES (:id, :owner, :effect, :reference, :caller, :callee, :minutes, :status,
        :placed, :ends, :look)
      """;

  private static final String ADVANCE =
      """
      UPDATE voice_call SET status = :status, minutes = COALESCE(:minutes, minutes),
        answered_by = COALESCE(:answeredBy, answered_by), transcript = COALESCE(:transcript, transcript),
        recording = COALESCE(:recording, recording), ends_at = :ends, ended_at = :ended, look_at = :look
      WHERE id = :id AND status = :was
      """;

  private static final String COMPLETE =
      """
      UPDATE voice_call SET minutes = COALESCE(minutes, :minutes),
        answered_by = COALESCE(answered_by, :answeredBy), transcript = COALESCE(transcript, :transcript),
        recording = COALESCE(recording, :recording), look_at = :look
      WHERE id = :id AND ended_at > :since
      """;

  private static final String LOOKED =
      "UPDATE voice_call SET look_at = :next WHERE id = :id AND look_at = :look";

  private static final String FORGET =
      """
      UPDATE voice_call SET transcript = NULL, recording = NULL, answered_by = NULL
      WHERE id IN (SELECT id FROM voice_call
        WHERE ended_at < :before AND (transcript IS NOT NULL OR recording IS NOT NULL
          OR answered_by IS NOT NULL) LIMIT :most)
      """;

  private static final String DELETE =
      """
      DELETE FROM voice_call
      WHERE id IN (SELECT id FROM voice_call WHERE ended_at < :before LIMIT :most)
      """;

  private final Statements statements;
  private final Clock clock;

  CallStore(Statements statements, Clock clock) {
    this.statements = statements;
    this.clock = clock;
  }

  /** Now, as exactly as every database keeps it. */
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Writes a call in the caller's transaction; the one that an effect placed is written once. */
  static void insert(Handle handle, PlacedCall call) {
    if (CallRows.find(handle, "effect_id", call.effect()).isPresent()) {
      return;
    }
    handle
        .createUpdate(INSERT)
        .bind("id", call.id())
        .bind("owner", call.owner())
        .bind("effect", call.effect())
        .bind("reference", call.reference())
        .bind("caller", call.from())
        .bind("callee", call.to())
        .bind("minutes", call.maxMinutes())
        .bind("status", call.status().word())
        .bind("placed", call.placed())
        .bind("ends", call.ends())
        .bind("look", call.look().orElse(null))
        .execute();
  }

  Optional<PlacedCall> find(String id) {
    return statements.run(handle -> CallRows.find(handle, "id", id));
  }

  /** The call that the vendor knows by this id. */
  Optional<PlacedCall> ofReference(String reference) {
    return ControlCharacters.areIn(reference)
        ? Optional.empty()
        : statements.run(handle -> CallRows.find(handle, "vendor_ref", reference));
  }

  /** Takes what was reported of a call; returns how it stands then. */
  Optional<PlacedCall> report(String id, CallReport report) {
    Instant now = now();
    return statements.run(handle -> report(handle, id, report, now));
  }

  private static Optional<PlacedCall> report(
      Handle handle, String id, CallReport report, Instant now) {
    for (int tried = 0; tried < TRIES; tried++) {
      Optional<PlacedCall> found = CallRows.find(handle, "id", id);
      if (found.isEmpty() || written(handle, found.get(), report, now)) {
        break;
      }
    }
    return CallRows.find(handle, "id", id);
  }

  private static boolean written(Handle handle, PlacedCall call, CallReport report, Instant now) {
    if (call.status().hasEnded()) {
      complete(handle, call, report, now);
      return true;
    }
    return advance(handle, call, report, now);
  }

  private static void complete(Handle handle, PlacedCall call, CallReport report, Instant now) {
    boolean whole = report.transcript().isPresent() || call.said().transcript().isPresent();
    bound(handle, COMPLETE, call, report)
        .bind("look", whole ? null : afterEnd(call.ended().orElse(now), now))
        .bind("since", now.minus(COMPLETED_WITHIN))
        .execute();
  }

  /** False if another report moved it in between. */
  private static boolean advance(Handle handle, PlacedCall call, CallReport report, Instant now) {
    CallStatus next = call.status().after(report.status());
    boolean answered = next == CallStatus.IN_PROGRESS && call.status() != next;
    Instant ends = answered ? PlacedCall.end(now, call.maxMinutes()) : call.ends();
    Instant look = ends.isAfter(now) ? earlier(now.plus(LOOK_AGAIN), ends) : now.plus(LOOK_AGAIN);
    if (next.hasEnded()) {
      boolean spoken = next == CallStatus.COMPLETED && report.transcript().isEmpty();
      look = spoken ? afterEnd(now, now) : null;
    }
    return bound(handle, ADVANCE, call, report)
            .bind("status", next.word())
            .bind("was", call.status().word())
            .bind("ends", ends)
            .bind("ended", next.hasEnded() ? now : null)
            .bind("look", look)
            .execute()
        == 1;
  }

  private static @Nullable Instant afterEnd(Instant ended, Instant now) {
    Instant next = now.plus(LOOK_AGAIN.multipliedBy(4));
    return next.isBefore(ended.plus(COMPLETED_WITHIN)) ? next : null;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Update bound(Handle handle, String sql, PlacedCall call, CallReport report) {
    return handle
        .createUpdate(sql)
        .bind("id", call.id())
        .bind("minutes", report.minutes().orElse(null))
        .bind("answeredBy", kept(report.answeredBy()))
        .bind("transcript", kept(report.transcript()))
        .bind("recording", kept(report.recording()));
  }

  private static @Nullable String kept(Optional<String> told) {
    return ControlCharacters.replacedIn(told.orElse(null));
  }

  /** Calls whose vendor is to be asked, the longest overdue first. */
  List<PlacedCall> due(int most) {
    Instant now = now();
    return statements.run(handle -> CallRows.due(handle, now, most));
  }

  /**
   * Takes the next look at a call, so that no other thread of any node takes it for a while.
   *
   * @return false if another one has taken it
   */
  boolean look(PlacedCall call, Duration pause) {
    if (call.look().isEmpty()) {
      return false;
    }
    Instant next = now().plus(pause);
    return statements.run(
        handle ->
            handle
                    .createUpdate(LOOKED)
                    .bind("next", next)
                    .bind("id", call.id())
                    .bind("look", call.look().get())
                    .execute()
                == 1);
  }

  /** Removes what was said on calls that ended before. */
  int forget(Instant before, int most) {
    return remove(FORGET, before, most);
  }

  /** Removes calls that ended before. */
  int delete(Instant before, int most) {
    return remove(DELETE, before, most);
  }

  private int remove(String sql, Instant before, int most) {
    return statements.run(
        handle -> handle.createUpdate(sql).bind("before", before).bind("most", most).execute());
  }

  /** Reads calls from their table. */
  static final class CallRows {

    private static final String SELECT = "SELECT * FROM voice_call ";

    private CallRows() {}

    /** The call that has a value in a column of unique values. */
    static Optional<PlacedCall> find(Handle handle, String column, Object value) {
      return handle
          .createQuery(SELECT + "WHERE " + column + " = :value")
          .bind("value", value)
          .map((row, context) -> call(row))
          .findFirst();
    }

    static List<PlacedCall> due(Handle handle, Instant now, int most) {
      return handle
          .createQuery(SELECT + "WHERE look_at <= :now ORDER BY look_at LIMIT :most")
          .bind("now", now)
          .bind("most", most)
          .map((row, context) -> call(row))
          .list();
    }

    private static PlacedCall call(ResultSet row) throws SQLException {
      return new PlacedCall(
          row.getString("id"),
          row.getString("owner"),
          row.getObject("effect_id", UUID.class),
          row.getString("vendor_ref"),
          row.getString("caller"),
          row.getString("callee"),
          row.getInt("max_minutes"),
          CallStatus.of(row.getString("status")),
          new PlacedCall.Said(
              Optional.ofNullable(row.getBigDecimal("minutes")).map(CallRows::plain),
              Optional.ofNullable(row.getString("answered_by")),
              Optional.ofNullable(row.getString("transcript")),
              Optional.ofNullable(row.getString("recording"))),
          NamedStatements.instant(row, "placed_at").orElseThrow(),
          NamedStatements.instant(row, "ends_at").orElseThrow(),
          NamedStatements.instant(row, "ended_at"),
          NamedStatements.instant(row, "look_at"));
    }

    /** Without the zeros that the column's scale adds. */
    static BigDecimal plain(BigDecimal minutes) {
      BigDecimal stripped = minutes.stripTrailingZeros();
      return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
  }
}

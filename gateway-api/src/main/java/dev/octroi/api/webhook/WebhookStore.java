package dev.octroi.api.webhook;

import dev.octroi.api.house.Listing;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Query.Page;
import dev.octroi.payments.ControlCharacters;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.ledger.jdbc.Outbox.OutboxEvent;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Events and their deliveries in the ledger's database. Events and deliveries are kept for 35 days,
 * longer than anything may find an event again. Thread-safe; throws {@link
 * dev.octroi.payments.ledger.LedgerUnavailable} when the database does not answer in time.
 */
final class WebhookStore {

  private static final Duration KEPT = Duration.ofDays(35);
  private static final int CHUNK = 500;
  private static final int CHUNKS_A_RUN = 20;
  private static final int LONGEST_ANSWER = 200;

  private static final String TAKE =
      """
      UPDATE webhook_event SET relayed_at = :now, data = :data WHERE id = :id AND relayed_at IS NULL
      """;

  private static final String DELIVER =
      """
      INSERT INTO webhook_delivery (id, endpoint, event, type, state, due_at, created_at)
      VALUES (:delivery, :endpoint, :event, :type, 'WAITING', :now, :now)
      """;

  private static final String DUE =
      """
      SELECT endpoint, COUNT(*) AS due FROM webhook_delivery
      WHERE endpoint = :endpoint AND state = 'WAITING' AND due_at <= :now GROUP BY endpoint
      """;

  /** Skips what other threads and nodes take at the moment. */
  private static final String NEXT =
      """
      SELECT id, event, attempts FROM webhook_delivery d
      WHERE endpoint = :endpoint AND state = 'WAITING' AND due_at <= :now
        AND EXISTS (SELECT 1 FROM webhook_event e WHERE e.id = d.event)
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
      """;

  private static final String BEGIN =
      "UPDATE webhook_delivery SET due_at = :until, attempts = attempts + 1 WHERE id = :id";

  private static final String EVENT = "SELECT type, at, data FROM webhook_event WHERE id = :id";

  private static final String TRIED =
      """
      UPDATE webhook_delivery SET state = :state, due_at = :due, tried_at = :now, status = :status,
        answer = :answer
      WHERE id = :id AND state = 'WAITING'
      """;

  /** Not what another node has begun to send again. */
  private static final String OF_ATTEMPT = " AND attempts = :attempt";

  private static final String GIVE_UP =
      "UPDATE webhook_delivery SET state = 'FAILED' WHERE endpoint = :endpoint AND state = 'WAITING'";

  private static final String DISABLE =
      """
      INSERT INTO webhook_endpoint (word, disabled_at) SELECT CAST(:word AS VARCHAR(32)), :now
      WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoint WHERE word = :word)
      """;

  private static final String AGAIN =
      "UPDATE webhook_delivery SET state = 'WAITING', attempts = 0, due_at = :now WHERE id = :id";

  private static final String SUMS =
      """
      SELECT endpoint, state, COUNT(*) AS deliveries, COUNT(tried_at) AS tried, MIN(created_at) AS oldest,
        MAX(tried_at) AS latest
      FROM webhook_delivery GROUP BY endpoint, state
      """;

  private static final String OLDEST =
      """
      SELECT endpoint, COUNT(*) AS waiting, MIN(created_at) AS oldest FROM webhook_delivery
      WHERE state = 'WAITING' GROUP BY endpoint
      """;

  private static final List<String> FORGET =
      List.of(
          """
          DELETE FROM webhook_delivery WHERE id IN (
            SELECT id FROM webhook_delivery WHERE created_at < :before ORDER BY created_at LIMIT :chunk)
          """,
          """
          DELETE FROM webhook_event WHERE id IN (
            SELECT id FROM webhook_event WHERE at < :before AND relayed_at < :before ORDER BY at LIMIT :chunk)
          """);

  private static final String BY_ID = "SELECT * FROM webhook_delivery WHERE id = :id";

  private final Statements writing;
  private final LedgerReads reading;
  private final LedgerReads looking;
  private final Listing listing;
  private final Outbox outbox;

  WebhookStore(Statements writing, DataSource database, DataSource reads, Outbox outbox) {
    this.writing = writing;
    this.reading = new LedgerReads(database);
    this.looking = new LedgerReads(reads);
    this.listing = new Listing(reads);
    this.outbox = outbox;
  }

  /** Reads beside the ledger's statements. */
  LedgerReads reading() {
    return reading;
  }

  /**
   * An event of the outbox, and what is told of it.
   *
   * @param endpoints that want it
   */
  record Relayed(String id, String type, @Nullable String data, List<String> endpoints) {}

  /**
   * A delivery that this node is to send now.
   *
   * @param attempt which it is, from 1
   */
  record Sending(UUID id, String event, int attempt, String type, Instant at, String data) {}

  /**
   * What came of an attempt.
   *
   * @param due when it is sent again, if it still waits
   * @param status HTTP status of the answer; null if there was none
   * @param answer how the answer begins, or why there was none
   */
  record Tried(DeliveryState state, Instant due, @Nullable Integer status, String answer) {}

  /** Where a delivery stands. */
  enum DeliveryState {
    WAITING,
    DELIVERED,
    FAILED
  }

  /** Deliveries to an endpoint that wait. */
  record Waiting(long count, Instant oldest) {}

  /** Writes events that were found, each once. */
  void write(List<OutboxEvent> found) {
    for (OutboxEvent event : found) {
      writing.run(
          handle -> {
            outbox.write(handle, event);
            return true;
          });
    }
  }

  /** Makes a delivery to each endpoint, once however many nodes do it. */
  void relay(List<Relayed> events, Instant now) {
    writing.run(handle -> relay(handle, events, now));
  }

  private static int relay(Handle handle, List<Relayed> events, Instant now) {
    PreparedBatch take = handle.prepareBatch(TAKE);
    for (Relayed event : events) {
      take.bind("id", event.id()).bind("now", now).bind("data", event.data()).add();
    }
    int[] taken = take.execute();
    PreparedBatch deliver = handle.prepareBatch(DELIVER);
    for (int place = 0; place < taken.length; place++) {
      Relayed event = events.get(place);
      for (String endpoint : taken[place] == 1 ? event.endpoints() : List.<String>of()) {
        deliver
            .bind("delivery", UUID.randomUUID())
            .bind("endpoint", endpoint)
            .bind("event", event.id())
            .bind("type", event.type())
            .bind("now", now)
            .add();
      }
    }
    return deliver.size() == 0 ? 0 : deliver.execute().length;
  }

  /** How many deliveries to an endpoint are to be sent now. */
  int due(String endpoint, Instant now) {
    return reading.read(
        handle ->
            handle
                .createQuery(DUE)
                .bind("endpoint", endpoint)
                .bind("now", now)
                .map((row, context) -> row.getInt("due"))
                .findOne()
                .orElse(0));
  }

  /**
   * Takes the next delivery to an endpoint.
   *
   * @param until when another takes it, unless it is over by then
   */
  Optional<Sending> next(String endpoint, Instant now, Instant until) {
    return writing.run(
        handle -> {
          Optional<Sending> next =
              handle
                  .createQuery(NEXT)
                  .bind("endpoint", endpoint)
                  .bind("now", now)
                  .map((row, context) -> sending(handle, row))
                  .findOne();
          next.ifPresent(
              sending ->
                  handle
                      .createUpdate(BEGIN)
                      .bind("until", until)
                      .bind("id", sending.id())
                      .execute());
          return next;
        });
  }

  private static Sending sending(Handle handle, ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    String event = row.getString("event");
    int attempt = row.getInt("attempts") + 1;
    return handle
        .createQuery(EVENT)
        .bind("id", event)
        .map(
            (told, context) ->
                new Sending(
                    id,
                    event,
                    attempt,
                    told.getString("type"),
                    NamedStatements.instant(told, "at").orElseThrow(),
                    told.getString("data")))
        .one();
  }

  /** Writes down what came of an attempt; false if it was over before. */
  boolean tried(Sending sending, Tried tried, Instant now) {
    boolean delivered = tried.state() == DeliveryState.DELIVERED;
    return writing.run(
        handle -> {
          Update update =
              handle
                  .createUpdate(delivered ? TRIED : TRIED + OF_ATTEMPT)
                  .bind("id", sending.id())
                  .bind("state", tried.state())
                  .bind("due", tried.due())
                  .bind("now", now)
                  .bindByType("status", tried.status(), Integer.class)
                  .bind("answer", shown(tried.answer()));
          return (delivered ? update : update.bind("attempt", sending.attempt())).execute() == 1;
        });
  }

  /** The beginning of an answer, on one line. */
  static String shown(String answer) {
    String clean =
        String.valueOf(ControlCharacters.replacedIn(answer)).replaceAll("\\s+", " ").strip();
    return clean.substring(0, Math.min(clean.length(), LONGEST_ANSWER));
  }

  /** The endpoint wants no more: what waits for it is given up. */
  void disable(String endpoint, Instant now) {
    writing.run(
        handle -> {
          handle.createUpdate(GIVE_UP).bind("endpoint", endpoint).execute();
          return handle.createUpdate(DISABLE).bind("word", endpoint).bind("now", now).execute();
        });
  }

  void enable(String endpoint) {
    writing.run(
        handle ->
            handle
                .createUpdate("DELETE FROM webhook_endpoint WHERE word = :word")
                .bind("word", endpoint)
                .execute());
  }

  /** Since when endpoints have wanted no more. */
  Map<String, Instant> disabled() {
    return reading.read(
        handle -> {
          Map<String, Instant> disabled = new HashMap<>();
          handle
              .createQuery("SELECT * FROM webhook_endpoint")
              .map(
                  (row, context) ->
                      disabled.put(
                          row.getString("word"),
                          NamedStatements.instant(row, "disabled_at").orElseThrow()))
              .list();
          return disabled;
        });
  }

  /** Has a delivery sent again, whatever came of it; empty if there is none. */
  Optional<Delivery> again(UUID id, Instant now) {
    writing.run(handle -> handle.createUpdate(AGAIN).bind("id", id).bind("now", now).execute());
    return find(id);
  }

  Optional<Delivery> find(UUID id) {
    return reading.read(
        handle ->
            handle
                .createQuery(BY_ID)
                .bind("id", id)
                .map((row, context) -> delivery(row))
                .findOne());
  }

  /** Deliveries, the latest first; {@code endpoint} and {@code type} narrow them. */
  Page<Delivery> page(Query query) {
    Map<String, String> more = new HashMap<>();
    query.text("endpoint").ifPresent(word -> more.put("endpoint", word));
    query.text("type").ifPresent(word -> more.put("type", word));
    return listing.page(
        new Listing.Table<>(
            "SELECT * FROM webhook_delivery",
            "created_at",
            "state",
            false,
            UUID::fromString,
            (row, context) -> delivery(row),
            row -> new Listing.Place(row.created(), row.id().toString())),
        query,
        more);
  }

  private static Delivery delivery(ResultSet row) throws SQLException {
    DeliveryState state = DeliveryState.valueOf(row.getString("state"));
    Integer status = row.getObject("status", Integer.class);
    return new Delivery(
        row.getObject("id", UUID.class),
        row.getString("endpoint"),
        row.getString("event"),
        row.getString("type"),
        state.name().toLowerCase(Locale.ROOT),
        row.getInt("attempts"),
        NamedStatements.instant(row, "created_at").orElseThrow(),
        state == DeliveryState.WAITING
            ? NamedStatements.instant(row, "due_at").orElseThrow()
            : null,
        NamedStatements.instant(row, "tried_at").orElse(null),
        status,
        row.getString("answer"));
  }

  /** What waits, by endpoint. */
  Map<String, Waiting> waiting() {
    return reading.read(
        handle -> {
          Map<String, Waiting> waiting = new HashMap<>();
          handle
              .createQuery(OLDEST)
              .map(
                  (row, context) ->
                      waiting.put(
                          row.getString("endpoint"),
                          new Waiting(
                              row.getLong("waiting"),
                              NamedStatements.instant(row, "oldest").orElseThrow())))
              .list();
          return waiting;
        });
  }

  /** The deliveries to an endpoint, by their state. */
  record Sum(long count, long tried, Instant oldest, @Nullable Instant latest) {}

  Map<String, Map<DeliveryState, Sum>> sums() {
    return looking.read(
        handle -> {
          Map<String, Map<DeliveryState, Sum>> sums = new HashMap<>();
          handle
              .createQuery(SUMS)
              .map(
                  (row, context) ->
                      sums.computeIfAbsent(row.getString("endpoint"), word -> new HashMap<>())
                          .put(
                              DeliveryState.valueOf(row.getString("state")),
                              new Sum(
                                  row.getLong("deliveries"),
                                  row.getLong("tried"),
                                  NamedStatements.instant(row, "oldest").orElseThrow(),
                                  NamedStatements.instant(row, "latest").orElse(null))))
              .list();
          return sums;
        });
  }

  /** Deletes what is too old. */
  void forget(Instant now) {
    for (String sql : FORGET) {
      int deleted = CHUNK;
      for (int chunks = 0; deleted == CHUNK && chunks < CHUNKS_A_RUN; chunks++) {
        deleted =
            writing.run(
                handle ->
                    handle
                        .createUpdate(sql)
                        .bind("before", now.minus(KEPT))
                        .bind("chunk", CHUNK)
                        .execute());
      }
    }
  }
}

package dev.octroi.api.observe;

import dev.octroi.api.observe.CallOutcomes.CallOutcome;
import dev.octroi.api.observe.CallOutcomes.Latencies;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * How calls ended, summed up by hour, row of the catalogue and outcome, in the table {@code
 * call_outcome}. Each node adds to rows of its own. Kept for 31 days. Thread-safe.
 */
public final class OutcomeSums {

  /** How long sums are kept, which is the longest period that can be looked at. */
  public static final Duration KEPT = Duration.ofDays(31);

  /** How many are added in a commit, so that no payment waits for it. */
  static final int CHUNK = 50;

  private static final int DELETED_A_RUN = 500;
  private static final int LONGEST_PATH = 600;

  private static final String PLACE =
      "node = :node AND at_hour = :hour AND scope = :scope AND method = :method AND path = :path"
          + " AND outcome = :outcome";

  private static final String STORED =
      "SELECT at_hour, scope, method, path, outcome, paying, asked, "
          + buckets("%1$s")
          + " FROM call_outcome WHERE node = :node AND at_hour IN (<hours>) AND path IN (<paths>)";

  private static final String UPDATE =
      "UPDATE call_outcome SET paying = :paying, asked = :asked, "
          + buckets("%1$s = :%1$s")
          + " WHERE "
          + PLACE;

  private static final String INSERT =
      "INSERT INTO call_outcome (node, at_hour, scope, method, path, outcome, paying, asked, "
          + buckets("%1$s")
          + ") VALUES (:node, :hour, :scope, :method, :path, :outcome, :paying, :asked, "
          + buckets(":%1$s")
          + ")";

  private static final String FORGET =
      """
      DELETE FROM call_outcome WHERE (node, at_hour, scope, method, path, outcome) IN (
        SELECT node, at_hour, scope, method, path, outcome FROM call_outcome WHERE at_hour < :before LIMIT :most)
      """;

  private static final String SELECT =
      "SELECT %s, outcome, SUM(paying) AS paying, SUM(asked) AS asked, "
          + buckets("SUM(%1$s) AS %1$s")
          + " FROM call_outcome WHERE at_hour >= :from AND at_hour < :to%s GROUP BY %s, outcome";

  private final Statements writing;
  private final LedgerReads reading;
  private final String node;
  private final Clock clock;

  /**
   * The calls of a key.
   *
   * @param paying how many of them brought a payment
   * @param asked how many of them an upstream was asked for
   */
  record OutcomeSum(CallOutcomes.Key key, long paying, long asked, Latencies latencies) {

    private OutcomeSum plus(@Nullable OutcomeSum other) {
      return other == null
          ? this
          : new OutcomeSum(
              key,
              paying + other.paying,
              asked + other.asked,
              Latencies.sum(List.of(latencies, other.latencies)));
    }
  }

  /**
   * The calls that ended so at a row in a period, or in an hour at all rows.
   *
   * @param hour when the hour began; the period's begin for those of a row
   * @param group the group of endpoints; empty for those of an hour
   * @param method of the row; empty for those of an hour
   * @param path of the row; empty for those of an hour
   * @param paying how many of them brought a payment
   * @param asked how many of them an upstream was asked for
   */
  public record Ended(
      Instant hour,
      String group,
      String method,
      String path,
      CallOutcome outcome,
      long paying,
      long asked,
      Latencies latencies) {}

  public OutcomeSums(Statements writing, DataSource database, String node, Clock clock) {
    this.writing = writing;
    this.reading = new LedgerReads(database);
    this.node = node;
    this.clock = clock;
  }

  /**
   * Adds counts of this node, at most {@link #CHUNK}, once however often it is run: the first run
   * finds what the sums come to, and each writes that. Not to be run by two threads at once, and
   * until it succeeds nothing else is to be added.
   */
  Runnable adding(List<OutcomeSum> counted) {
    List<OutcomeSum> sums = new ArrayList<>();
    return () ->
        writing.run(
            handle -> {
              if (sums.isEmpty()) {
                sums.addAll(summed(handle, counted));
              }
              return written(handle, sums);
            });
  }

  /** Deletes sums that are too old. */
  void forget() {
    Instant before = clock.instant().minus(KEPT);
    writing.run(
        handle ->
            handle
                .createUpdate(FORGET)
                .bind("before", before)
                .bind("most", DELETED_A_RUN)
                .execute());
  }

  private List<OutcomeSum> summed(Handle handle, List<OutcomeSum> counted) {
    Map<CallOutcomes.Key, OutcomeSum> stored =
        handle
            .createQuery(STORED)
            .bind("node", node)
            .bindList("hours", counted.stream().map(sum -> sum.key().hour()).distinct().toList())
            .bindList(
                "paths", counted.stream().map(sum -> bounded(sum.key().path())).distinct().toList())
            .map((row, context) -> stored(row))
            .list()
            .stream()
            .collect(Collectors.toMap(OutcomeSum::key, Function.identity()));
    return counted.stream().map(sum -> sum.plus(stored.get(kept(sum.key())))).toList();
  }

  private static OutcomeSum stored(ResultSet row) throws SQLException {
    CallOutcomes.Key key =
        new CallOutcomes.Key(
            NamedStatements.instant(row, "at_hour").orElseThrow(),
            row.getString("scope"),
            row.getString("method"),
            row.getString("path"),
            CallOutcome.valueOf(row.getString("outcome")));
    return new OutcomeSum(key, row.getLong("paying"), row.getLong("asked"), latencies(row));
  }

  private static CallOutcomes.Key kept(CallOutcomes.Key key) {
    return new CallOutcomes.Key(
        key.hour(), key.group(), key.method(), bounded(key.path()), key.outcome());
  }

  private int written(Handle handle, List<OutcomeSum> sums) {
    int[] known = executed(handle, UPDATE, sums);
    List<OutcomeSum> others = new ArrayList<>();
    for (int place = 0; place < known.length; place++) {
      if (known[place] == 0) {
        others.add(sums.get(place));
      }
    }
    return others.isEmpty() ? 0 : executed(handle, INSERT, others).length;
  }

  private int[] executed(Handle handle, String sql, List<OutcomeSum> chunk) {
    PreparedBatch batch = handle.prepareBatch(sql);
    for (OutcomeSum sum : chunk) {
      batch
          .bind("node", node)
          .bind("hour", sum.key().hour())
          .bind("scope", sum.key().group())
          .bind("method", sum.key().method())
          .bind("path", bounded(sum.key().path()))
          .bind("outcome", sum.key().outcome().name())
          .bind("paying", sum.paying())
          .bind("asked", sum.asked());
      for (int bucket = 0; bucket < Latencies.SIZE; bucket++) {
        batch.bind("b" + bucket, sum.latencies().counts()[bucket]);
      }
      batch.add();
    }
    return batch.execute();
  }

  private static String bounded(String path) {
    return path.substring(0, Math.min(path.length(), LONGEST_PATH));
  }

  /**
   * How calls ended at each row in a period.
   *
   * @param group only those of a group
   */
  public List<Ended> byRow(Period period, Optional<String> group) {
    return read("scope, method, path", period, group, true);
  }

  /** How calls ended in each hour of a period. */
  public List<Ended> byHour(Period period, Optional<String> group) {
    return read("at_hour", period, group, false);
  }

  private List<Ended> read(String columns, Period period, Optional<String> group, boolean isByRow) {
    String sql = SELECT.formatted(columns, group.isPresent() ? " AND scope = :scope" : "", columns);
    return reading.read(
        handle -> {
          Query query = handle.createQuery(sql).bind("from", period.from()).bind("to", period.to());
          group.ifPresent(word -> query.bind("scope", word));
          return query.map((row, context) -> isByRow ? row(row, period) : hour(row)).list();
        });
  }

  private static Ended row(ResultSet row, Period period) throws SQLException {
    return new Ended(
        period.from(),
        row.getString("scope"),
        row.getString("method"),
        row.getString("path"),
        CallOutcome.valueOf(row.getString("outcome")),
        row.getLong("paying"),
        row.getLong("asked"),
        latencies(row));
  }

  private static Ended hour(ResultSet row) throws SQLException {
    return new Ended(
        NamedStatements.instant(row, "at_hour").orElseThrow(),
        "",
        "",
        "",
        CallOutcome.valueOf(row.getString("outcome")),
        row.getLong("paying"),
        row.getLong("asked"),
        latencies(row));
  }

  private static Latencies latencies(ResultSet row) throws SQLException {
    long[] counts = new long[Latencies.SIZE];
    for (int bucket = 0; bucket < counts.length; bucket++) {
      counts[bucket] = row.getLong("b" + bucket);
    }
    return new Latencies(counts);
  }

  /** Something for each bucket's column, of which there is a fixed number. */
  private static String buckets(String pattern) {
    return IntStream.range(0, Latencies.SIZE)
        .mapToObj(bucket -> pattern.formatted("b" + bucket))
        .collect(Collectors.joining(", "));
  }
}

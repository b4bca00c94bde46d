package dev.octroi.api.house;

import dev.octroi.api.house.Query.Page;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.mapper.RowMapper;

/**
 * Reads rows of a table for people to look at, the latest first, a page at a time; beside the
 * ledger's own statements. Thread-safe; throws {@link LedgerUnavailable} after ten seconds at most.
 */
public final class Listing {

  private final LedgerReads database;

  public Listing(DataSource database) {
    this.database = new LedgerReads(database);
  }

  /**
   * Rows by their time.
   *
   * @param select the statement up to its tables
   * @param time the column of the time; an index on it and {@code id} makes a page cheap
   * @param state the column of the state
   * @param isOwned whether it has a column that names an owner
   * @param id makes of an id's text what the column holds, or fails with an {@link
   *     IllegalArgumentException}
   * @param place where a row stands
   */
  public record Table<T>(
      String select,
      String time,
      String state,
      boolean isOwned,
      Function<String, Object> id,
      RowMapper<T> row,
      Function<T, Place> place) {}

  /**
   * Where a page ended.
   *
   * @param at the time of its last row
   * @param id the id of that row
   */
  public record Place(Instant at, String id) {

    /** What {@link #toString} has made. */
    static Place parse(String text) {
      int space = text.indexOf(' ');
      if (space < 0) {
        throw new IllegalArgumentException("no place");
      }
      return new Place(Instant.parse(text.substring(0, space)), text.substring(space + 1));
    }

    @Override
    public String toString() {
      return at + " " + id;
    }
  }

  /**
   * The page of a table that is asked for; {@code state}, {@code owner}, {@code since} and {@code
   * until} narrow it.
   */
  public <T> Page<T> page(Table<T> table, Query query) {
    return page(table, query, Map.of());
  }

  /**
   * The same.
   *
   * @param columns what further columns must hold, by their names
   */
  public <T> Page<T> page(Table<T> table, Query query, Map<String, ?> columns) {
    List<String> conditions = new ArrayList<>();
    Map<String, Object> values = new HashMap<>(columns);
    columns.keySet().forEach(column -> conditions.add(column + " = :" + column));
    query
        .text("state")
        .ifPresent(
            state -> {
              conditions.add("LOWER(" + table.state() + ") = :state");
              values.put("state", state);
            });
    query
        .text("owner")
        .filter(owner -> table.isOwned())
        .ifPresent(
            owner -> {
              conditions.add("POSITION(LOWER(:owner) IN LOWER(owner)) > 0");
              values.put("owner", owner);
            });
    query
        .time("since")
        .ifPresent(
            since -> {
              conditions.add(table.time() + " >= :since");
              values.put("since", since.atOffset(ZoneOffset.UTC));
            });
    query
        .time("until")
        .ifPresent(
            until -> {
              conditions.add(table.time() + " < :until");
              values.put("until", until.atOffset(ZoneOffset.UTC));
            });
    query
        .cursorPlace()
        .ifPresent(
            place -> {
              conditions.add("%1$s <= :at AND (%1$s < :at OR id < :id)".formatted(table.time()));
              values.put("at", place.at().atOffset(ZoneOffset.UTC));
              values.put("id", id(table, place));
            });
    String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    String sql =
        table.select() + where + " ORDER BY %s DESC, id DESC LIMIT :most".formatted(table.time());
    List<T> rows =
        database.read(
            handle ->
                handle
                    .createQuery(sql)
                    .bindMap(values)
                    .bind("most", query.limit())
                    .map(table.row())
                    .list());
    return query.page(rows, table.place(), Function.identity());
  }

  private static Object id(Table<?> table, Place place) {
    try {
      return table.id().apply(place.id());
    } catch (IllegalArgumentException e) {
      throw Refused.invalid("The parameter 'cursor' must be the nextCursor of the page before.");
    }
  }
}

package dev.octroi.api.operator;

import dev.octroi.api.change.ChangeParts;
import dev.octroi.api.change.SettingsChange;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.live.LiveSettings;
import dev.octroi.api.live.LiveSettings.Draft;
import dev.octroi.api.live.LiveSettings.Repriced;
import dev.octroi.api.live.LiveSettings.Superseded;
import dev.octroi.api.operator.OperatorGate.OperatorOnly;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.Free;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.jdbc.PaymentRecords.Calls;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes of routes and prices that hold without a restart, on every node at the same moment. */
@Path("/admin/v1/changes")
@OperatorOnly
@Produces(MediaType.APPLICATION_JSON)
public class ChangesResource {

  private static final Duration DAY = Duration.ofDays(1);

  /** Paths that a preview counts calls of; the busiest first. */
  private static final int MOST_PATHS = 10_000;

  private final OperatorServices services;

  public ChangesResource(@Context Providers providers) {
    services = OperatorServices.of(providers);
  }

  /**
   * A change that is asked for.
   *
   * @param lines a value of null gives its key, and all below it, back to the file
   * @param after the latest change that the operator has seen
   */
  record Asked(
      @Nullable Map<String, @Nullable String> lines,
      @Nullable Instant from,
      @Nullable String note,
      @Nullable Long after) {

    Draft draft() {
      Map<String, Optional<String>> given = new LinkedHashMap<>();
      if (lines != null) {
        lines.forEach((key, value) -> given.put(key, Optional.ofNullable(value)));
      }
      return new Draft(
          given,
          Optional.ofNullable(from),
          Optional.ofNullable(note).orElse("").strip(),
          Optional.ofNullable(after));
    }
  }

  /**
   * @param latest the number of the latest change, 0 before the first
   * @param problems what is wrong with lines that hold or will hold
   */
  record Listed(List<Change> data, long latest, List<String> problems) {}

  /**
   * @param state {@code upcoming}, or {@code in force} as far as no later change says otherwise
   */
  record Change(
      long number,
      Instant written,
      Instant from,
      String by,
      String note,
      String state,
      Map<String, @Nullable String> lines) {

    static Change of(SettingsChange change, Instant now) {
      Map<String, @Nullable String> shown = new LinkedHashMap<>();
      change
          .lines()
          .forEach(
              (key, value) ->
                  shown.put(
                      key,
                      value.map(text -> ChangeParts.isSecret(key) ? "****" : text).orElse(null)));
      return new Change(
          change.number(),
          change.written(),
          change.from(),
          change.by(),
          change.note(),
          change.from().isAfter(now) ? "upcoming" : "in force",
          shown);
    }
  }

  /** All of them, the latest first. */
  @GET
  @Free
  public byte[] list(@Context UriInfo uri) {
    LiveSettings live = services.live();
    Instant now = services.clock().instant();
    Query query = new Query(uri);
    long before = query.whole("before", 1, Integer.MAX_VALUE).orElse(Integer.MAX_VALUE);
    List<Change> changes =
        live.changes().all().stream()
            .filter(change -> change.number() < before)
            .sorted(Comparator.comparingLong(SettingsChange::number).reversed())
            .limit(query.limit())
            .map(change -> Change.of(change, now))
            .toList();
    return HouseJson.of(new Listed(changes, live.changes().latest(), live.problems()));
  }

  /** Writes one. */
  @POST
  @Free
  public Response write(@Context SecurityContext security, byte[] body) {
    Draft draft = HouseJson.read(body, Asked.class).draft();
    String operator = OperatorGate.operator(security).name();
    SettingsChange written = checked(() -> services.live().write(draft, operator));
    return Response.status(Response.Status.CREATED)
        .entity(HouseJson.of(Change.of(written, services.clock().instant())))
        .build();
  }

  /**
   * @param since of the calls that are counted
   * @param rows those with most calls first
   * @param all what the rows come to
   */
  record Preview(Instant since, List<Row> rows, Total all) {}

  /** The calls of all rows that change; a row that has no price any more would be paid nothing. */
  record Total(long calls, Usd paid, Usd would) {

    Total plus(Row row) {
      Usd more = row.would() == null ? Usd.ZERO : row.would();
      return new Total(calls + row.calls(), paid.plus(row.paid()), would.plus(more));
    }
  }

  /**
   * @param calls those of the last day that were paid for
   * @param paid what they paid
   * @param would what the same calls would have paid at the price after the change
   */
  record Row(
      String row,
      @Nullable Usd before,
      @Nullable Usd after,
      long calls,
      Usd paid,
      @Nullable Usd would) {}

  /** What a change would do to prices, and to the calls of the last day; nothing is written. */
  @POST
  @Path("preview")
  @Free
  public byte[] preview(byte[] body) {
    Draft draft = HouseJson.read(body, Asked.class).draft();
    List<Repriced> repriced = checked(() -> services.live().preview(draft));
    Instant now = services.clock().instant();
    Map<String, Calls> calls = calls(now);
    Calls none = new Calls("", "", 0, Usd.ZERO);
    List<Row> rows =
        repriced.stream()
            .map(
                one -> {
                  Calls of = calls.getOrDefault(one.row(), none);
                  return new Row(
                      one.row(),
                      one.before().orElse(null),
                      one.after().orElse(null),
                      of.calls(),
                      of.paid(),
                      one.after().map(price -> price.times(of.calls())).orElse(null));
                })
            .sorted(Comparator.comparingLong(Row::calls).reversed())
            .toList();
    Total all = new Total(0, Usd.ZERO, Usd.ZERO);
    for (Row row : rows) {
      all = all.plus(row);
    }
    return HouseJson.of(new Preview(now.minus(DAY), rows, all));
  }

  /** The paid calls of the last day, by the word of what they bought. */
  private Map<String, Calls> calls(Instant now) {
    Map<String, Calls> byRow = new HashMap<>();
    for (Calls one : services.records().calls(now.minus(DAY), now, MOST_PATHS)) {
      services
          .prices()
          .sold(one.method(), one.path())
          .map(SoldRow::word)
          .ifPresent(row -> byRow.merge(row, one, Calls::plus));
    }
    return byRow;
  }

  private static <T> T checked(Supplier<T> work) {
    try {
      return work.get();
    } catch (InvalidSettings e) {
      throw Refused.invalid(String.join("; ", e.problems()) + ".");
    } catch (Superseded e) {
      throw Refused.of(409, e.getMessage() + ".");
    }
  }
}

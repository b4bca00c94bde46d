package dev.octroi.api.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.api.change.ChangeParts;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What operators did through the admin interface, in the table {@code operator_action}: who, what,
 * and how it stood before and after. Secrets are masked before they are written. Kept for 400 days.
 * Thread-safe.
 */
public final class OperatorActions {

  private static final Duration KEPT = Duration.ofDays(400);

  private static final int DELETED_AT_ONCE = 100;
  private static final int LONGEST = 8_000;
  private static final int LONGEST_PATH = 300;
  private static final int LONGEST_NAME = 64;
  private static final String MASK = "***";

  /** The status of an action that has no answer yet. */
  private static final int BEGUN = 0;

  private static final Pattern SECRET =
      Pattern.compile("(?i).*(secret|token|password|private|masterkey|credential).*");

  private static final Pattern API_KEY = Pattern.compile("(sk|op)-[A-Za-z0-9_-]{8,}");

  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonNode MASKED = TextNode.valueOf(MASK);

  private static final String INSERT =
      """
      INSERT INTO operator_action (id, at, operator, address, request_id, method, path, status, asked,
        before_state)
      SELECT :id, :at, :operator, :address, :requestId, :method, :path, :status, :asked, :before
      WHERE NOT EXISTS (SELECT 1 FROM operator_action WHERE id = :id)
      """;

  private static final String END =
      """
      UPDATE operator_action SET status = :status, asked = :asked, after_state = :after WHERE id = :id
      """;

  private static final String FORGET =
      """
      DELETE FROM operator_action WHERE id IN (
        SELECT id FROM operator_action WHERE at < :before ORDER BY at LIMIT :most)
      """;

  private final Statements writing;
  private final LedgerReads reading;
  private final Clock clock;

  public OperatorActions(Statements writing, DataSource database, Clock clock) {
    this.writing = writing;
    this.reading = new LedgerReads(database);
    this.clock = clock;
  }

  /**
   * What an operator asked for.
   *
   * @param operator who
   * @param address where the request came from
   * @param path below the admin interface
   * @param asked the request's body; empty if it had none
   * @param before how it stood, as the interface shows it; empty if it shows nothing of the kind
   */
  record Asked(
      String operator,
      String address,
      String requestId,
      String method,
      String path,
      byte[] asked,
      byte[] before) {

    boolean isChange() {
      return path.startsWith("changes");
    }
  }

  /**
   * An action as it is shown; bodies are JSON, or texts where they were too long to be kept whole.
   *
   * @param status null where the answer was not written down: it may have been done or not
   */
  record Action(
      UUID id,
      Instant at,
      String operator,
      String address,
      String requestId,
      String method,
      String path,
      @Nullable Integer status,
      @Nullable JsonNode asked,
      @Nullable JsonNode before,
      @Nullable JsonNode after) {}

  /** Which actions to look for: whatever is given must fit. */
  record ActionSearch(
      Optional<String> operator,
      Optional<String> path,
      Optional<Instant> since,
      Optional<Instant> until) {}

  /** Writes an action down that is about to be done; returns its id once that is durable. */
  UUID begin(Asked action) {
    UUID id = UUID.randomUUID();
    Instant now = clock.instant();
    writing.run(
        handle -> {
          handle
              .createUpdate(FORGET)
              .bind("before", now.minus(KEPT))
              .bind("most", DELETED_AT_ONCE)
              .execute();
          return handle
              .createUpdate(INSERT)
              .bind("id", id)
              .bind("at", now)
              .bind("operator", cut(action.operator(), LONGEST_NAME))
              .bind("address", cut(action.address(), LONGEST_NAME))
              .bind("requestId", action.requestId())
              .bind("method", action.method())
              .bind("path", cut(action.path(), LONGEST_PATH))
              .bind("status", BEGUN)
              .bind("asked", masked(action.asked(), action.isChange()))
              .bind("before", masked(action.before(), false))
              .execute();
        });
    return id;
  }

  /**
   * Adds what came of an action.
   *
   * @param status HTTP status of the answer
   * @param after the answer's body
   */
  void end(UUID id, Asked action, int status, byte[] after) {
    boolean refused = status >= 400 && action.isChange();
    writing.run(
        handle ->
            handle
                .createUpdate(END)
                .bind("id", id)
                .bind("status", status)
                .bind("asked", masked(action.asked(), refused))
                .bind("after", masked(after, refused))
                .execute());
  }

  /** What fits, the latest first. */
  List<Action> find(ActionSearch search, Optional<UUID> after, int most) {
    List<String> conditions = new ArrayList<>(List.of("1 = 1"));
    Map<String, Object> values = new HashMap<>();
    search
        .operator()
        .ifPresent(name -> add("operator = :operator", "operator", name, conditions, values));
    search
        .path()
        .ifPresent(part -> add("POSITION(:path IN path) > 0", "path", part, conditions, values));
    search.since().ifPresent(at -> add("at >= :since", "since", at, conditions, values));
    search.until().ifPresent(at -> add("at < :until", "until", at, conditions, values));
    after.ifPresent(
        last ->
            add(
                "(at < (SELECT at FROM operator_action WHERE id = :last) OR (at = (SELECT at FROM"
                    + " operator_action WHERE id = :last) AND id < :last))",
                "last",
                last,
                conditions,
                values));
    String sql =
        "SELECT * FROM operator_action WHERE "
            + String.join(" AND ", conditions)
            + " ORDER BY at DESC, id DESC LIMIT :most";
    return reading.read(
        handle ->
            handle
                .createQuery(sql)
                .bindMap(values)
                .bind("most", most)
                .map((row, context) -> action(row))
                .list());
  }

  private static void add(
      String condition,
      String name,
      Object value,
      List<String> conditions,
      Map<String, Object> values) {
    conditions.add(condition);
    values.put(name, value);
  }

  private static Action action(ResultSet row) throws SQLException {
    return new Action(
        row.getObject("id", UUID.class),
        NamedStatements.instant(row, "at").orElseThrow(),
        row.getString("operator"),
        row.getString("address"),
        row.getString("request_id"),
        row.getString("method"),
        row.getString("path"),
        row.getInt("status") == BEGUN ? null : Integer.valueOf(row.getInt("status")),
        read(row.getString("asked")),
        read(row.getString("before_state")),
        read(row.getString("after_state")));
  }

  private static @Nullable JsonNode read(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException cut) {
      return TextNode.valueOf(text);
    }
  }

  /**
   * JSON without its secrets; null where there is no JSON, in which no secret could be found.
   *
   * @param refused whether it is of a change that was refused, or not yet taken: any of its values
   *     may be a secret of another name, and is quoted by the error
   */
  private static @Nullable String masked(byte[] json, boolean refused) {
    if (json.length == 0) {
      return null;
    }
    try {
      JsonNode read = refused ? hidden(JSON.readTree(json)) : JSON.readTree(json);
      mask(read);
      return cut(API_KEY.matcher(read.toString()).replaceAll(MASK), LONGEST);
    } catch (IOException e) {
      return null;
    }
  }

  private static boolean isSecret(String name) {
    return SECRET.matcher(name).matches() || ChangeParts.isSecret(name);
  }

  private static void mask(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        if (isSecret(member.getKey()) && !member.getValue().isNull()) {
          member.setValue(MASKED);
        }
      }
    }
    node.forEach(OperatorActions::mask);
  }

  /** The same shape without its values. */
  private static JsonNode hidden(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().forEach(member -> member.setValue(hidden(member.getValue())));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, hidden(array.get(i)));
      }
    } else if (!node.isNull()) {
      return MASKED;
    }
    return node;
  }

  private static String cut(String text, int most) {
    return text.substring(0, Math.min(text.length(), most));
  }
}

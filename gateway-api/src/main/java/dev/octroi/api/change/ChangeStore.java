package dev.octroi.api.change;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.jdbc.LedgerReads;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;

/**
 * Keeps changes in the ledger's database. Thread-safe; throws {@link LedgerUnavailable} if the
 * database does not answer in ten seconds.
 */
public final class ChangeStore {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String INSERT =
      """
      INSERT INTO settings_change (number, written_at, from_at, written_by, note, lines)
      VALUES (:number, :written, :from, :by, :note, :lines)
      """;

  private static final String LATEST =
      "SELECT COALESCE(MAX(number), 0) AS latest FROM settings_change";

  private final LedgerReads reading;

  public ChangeStore(DataSource database) {
    this.reading = new LedgerReads(database);
  }

  /** What was written after the one with a number, in the order of their numbers. */
  public List<SettingsChange> after(long number) {
    return reading.read(
        handle ->
            handle
                .createQuery("SELECT * FROM settings_change WHERE number > :number ORDER BY number")
                .bind("number", number)
                .map((row, context) -> change(row))
                .list());
  }

  /** The document that a change names for a route, as it was then. */
  public Optional<String> document(long number, String route) {
    return reading.read(
        handle ->
            handle
                .createQuery(
                    "SELECT text FROM settings_document WHERE number = :number AND word = :word")
                .bind("number", number)
                .bind("word", route)
                .mapTo(String.class)
                .findOne());
  }

  /**
   * Writes a change, durably.
   *
   * @param documents by the words of routes
   * @return false if another change was written meanwhile, so that this one is not next
   */
  public boolean append(Statements writing, SettingsChange change, Map<String, String> documents) {
    return writing.run(handle -> append(handle, change, documents));
  }

  /** Writes the lines of a change again, which say the same, sealed by another key. */
  public void reseal(Statements writing, SettingsChange change) {
    writing.run(
        handle ->
            handle
                .createUpdate("UPDATE settings_change SET lines = :lines WHERE number = :number")
                .bind("lines", json(change.lines()))
                .bind("number", change.number())
                .execute());
  }

  /** May run again after a commit of unknown outcome: what is there then is this change itself. */
  private static boolean append(
      Handle handle, SettingsChange change, Map<String, String> documents) {
    long latest = handle.createQuery(LATEST).mapTo(Long.class).one();
    if (latest >= change.number()) {
      return latest == change.number() && isThere(handle, change);
    }
    handle
        .createUpdate(INSERT)
        .bind("number", change.number())
        .bind("written", change.written())
        .bind("from", change.from())
        .bind("by", change.by())
        .bind("note", change.note())
        .bind("lines", json(change.lines()))
        .execute();
    documents.forEach(
        (word, text) ->
            handle
                .createUpdate(
                    "INSERT INTO settings_document (number, word, text) VALUES (:number, :word,"
                        + " :text)")
                .bind("number", change.number())
                .bind("word", word)
                .bind("text", text)
                .execute());
    return true;
  }

  private static boolean isThere(Handle handle, SettingsChange change) {
    return handle
        .createQuery("SELECT * FROM settings_change WHERE number = :number")
        .bind("number", change.number())
        .map((row, context) -> change(row))
        .one()
        .equals(change);
  }

  private static SettingsChange change(ResultSet row) throws SQLException {
    return new SettingsChange(
        row.getLong("number"),
        NamedStatements.instant(row, "written_at").orElseThrow(),
        NamedStatements.instant(row, "from_at").orElseThrow(),
        row.getString("written_by"),
        row.getString("note"),
        lines(row.getString("lines")));
  }

  private static String json(Map<String, Optional<String>> lines) {
    Map<String, String> values = new LinkedHashMap<>();
    lines.forEach((key, value) -> values.put(key, value.orElse(null)));
    try {
      return JSON.writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Optional<String>> lines(String json) {
    try {
      Map<String, Optional<String>> lines = new LinkedHashMap<>();
      JSON.readValue(json, new TypeReference<LinkedHashMap<String, String>>() {})
          .forEach((key, value) -> lines.put(key, Optional.ofNullable(value)));
      return lines;
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}

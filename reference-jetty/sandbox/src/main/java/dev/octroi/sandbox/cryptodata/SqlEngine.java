package dev.octroi.sandbox.cryptodata;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.octroi.sandbox.formula.Refusal;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;

/**
 * The database of callers' SQL, alone in a process that {@link SqlProcess} starts. It fills its
 * tables, then answers queries from standard input, one at a time, on standard output. It ends when
 * its input ends, which is when the process that started it is gone, however that came about; and
 * when anything happens after which its database might not be whole.
 */
final class SqlEngine {

  /** What the process says once its tables are filled. */
  static final byte READY = 'R';

  private static final int BROKEN = 3;
  private static final int MOST_CELLS = 200_000;
  private static final String READER = "READER";

  /** H2's code for an exception that it did not foresee. */
  private static final int UNFORESEEN = 50_000;

  private static final JsonFactory JSON = new JsonFactory();

  private final String database = "jdbc:h2:mem:" + UUID.randomUUID();
  private final String password = UUID.randomUUID().toString();
  private final UnaryOperator<String> judge;

  private SqlEngine(UnaryOperator<String> judge) {
    this.judge = judge;
  }

  /**
   * The process.
   *
   * @param arguments when the tables are to end, in Unix seconds
   */
  public static void main(String[] arguments) {
    serve(Long.parseLong(arguments[0]), SelectOnly::rewritten);
  }

  /**
   * Serves until its input ends.
   *
   * @param judge what stands before the database: gives the statement to run, or throws a {@link
   *     Refusal}
   */
  static void serve(long now, UnaryOperator<String> judge) {
    try {
      offerYourselfFirst();
      DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
      SqlEngine engine = new SqlEngine(judge);
      engine.fill(now);
      BlockingQueue<SqlQuery> given = new LinkedBlockingQueue<>();
      Thread worker = new Thread(() -> engine.work(given, out), "sql");
      worker.setDaemon(true);
      out.writeByte(READY);
      out.flush();
      worker.start();
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
      while (true) {
        given.add(SqlQuery.read(in));
      }
    } catch (IOException parentGone) {
      Runtime.getRuntime().halt(0);
    } catch (Throwable unforeseen) {
      Runtime.getRuntime().halt(BROKEN);
    }
  }

  /** Where a machine has no memory left, Linux ends this process rather than the gateway's. */
  private static void offerYourselfFirst() {
    try {
      Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
    } catch (IOException notLinux) {
      // Other systems choose for themselves.
    }
  }

  private void fill(long now) throws SQLException {
    try (Connection owner =
        DriverManager.getConnection(
            database
                + ";DB_CLOSE_DELAY=-1;DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
            "OWNER",
            UUID.randomUUID().toString())) {
      OnchainSeed.fill(owner, now);
      try (Statement statement = owner.createStatement()) {
        statement.execute("CREATE USER " + READER + " PASSWORD '" + password + "'");
      }
      OnchainSeed.letRead(owner, READER);
    }
  }

  private void work(BlockingQueue<SqlQuery> given, DataOutputStream out) {
    try {
      while (true) {
        answer(given.take()).write(out);
      }
    } catch (Throwable unforeseen) {
      Runtime.getRuntime().halt(BROKEN);
    }
  }

  /**
   * Answers a query once the database is found to be as it was.
   *
   * @throws SQLException if it is not
   */
  private SqlAnswer answer(SqlQuery query) throws SQLException, IOException {
    SqlAnswer answer;
    try {
      answer = run(judge.apply(query.sql()), query);
    } catch (Refusal refusal) {
      answer = refused(String.valueOf(refusal.getMessage()));
    } catch (SQLException failed) {
      if (failed.getErrorCode() == UNFORESEEN || isOfTheMachine(failed)) {
        throw failed;
      }
      answer = refused(message(failed));
    }
    connect().close();
    return answer;
  }

  private static SqlAnswer refused(String why) {
    return new SqlAnswer(false, 0, why);
  }

  private static boolean isOfTheMachine(SQLException failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof Error) {
        return true;
      }
    }
    return false;
  }

  private static String message(SQLException failed) {
    String message = String.valueOf(failed.getMessage());
    int end = message.indexOf("; SQL statement");
    return end < 0 ? message : message.substring(0, end);
  }

  /** The account that may select. It never makes a database, which would then be its own. */
  private Connection connect() throws SQLException {
    return DriverManager.getConnection(database + ";IFEXISTS=TRUE", READER, password);
  }

  private SqlAnswer run(String sql, SqlQuery query) throws SQLException, IOException {
    try (Connection connection = connect();
        PreparedStatement prepared = connection.prepareStatement(sql)) {
      prepared.setMaxRows(query.maxRows());
      for (int at = 0; at < query.parameters().size(); at++) {
        prepared.setObject(at + 1, query.parameters().get(at));
      }
      try (ResultSet rows = prepared.executeQuery()) {
        return answer(rows);
      }
    }
  }

  private static SqlAnswer answer(ResultSet rows) throws SQLException, IOException {
    List<String> names = names(rows.getMetaData());
    Bounded bytes = new Bounded();
    int count = 0;
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartArray();
      for (; rows.next(); count++) {
        if ((long) count * names.size() > MOST_CELLS) {
          throw SelectOnly.refused("The answer has more than " + MOST_CELLS + " cells");
        }
        json.writeStartObject();
        for (int at = 1; at <= names.size(); at++) {
          json.writeFieldName(names.get(at - 1));
          Cells.write(json, rows, at);
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    return new SqlAnswer(true, count, bytes.held.toString(StandardCharsets.UTF_8));
  }

  /** The columns' labels; one that comes again is numbered. */
  private static List<String> names(ResultSetMetaData columns) throws SQLException {
    List<String> names = new ArrayList<>();
    for (int at = 1; at <= columns.getColumnCount(); at++) {
      String label = columns.getColumnLabel(at);
      String name = label;
      for (int again = 2; names.contains(name); again++) {
        name = label + "_" + again;
      }
      names.add(name);
    }
    return names;
  }

  /** Bytes up to the longest answer. */
  private static final class Bounded extends OutputStream {

    private final ByteArrayOutputStream held = new ByteArrayOutputStream();

    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      if (held.size() + length > SqlAnswer.LONGEST) {
        throw SelectOnly.refused("The answer is longer than 4 MiB");
      }
      held.write(bytes, from, length);
    }
  }
}

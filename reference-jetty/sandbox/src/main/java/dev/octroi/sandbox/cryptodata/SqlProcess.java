package dev.octroi.sandbox.cryptodata;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.parser.CCJSqlParser;

/**
 * A process of its own for callers' SQL, seen from the process that starts it: a small heap, no
 * environment, no settings, none of the gateway's files in its folder. For one query at a time;
 * {@link #end} is for any thread.
 */
final class SqlProcess {

  private final Process process;
  private final DataOutputStream questions;
  private final DataInputStream answers;
  private boolean ready;

  private SqlProcess(Process process) {
    this.process = process;
    this.questions = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    this.answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
  }

  /**
   * Starts one, which then fills its tables.
   *
   * @param engine the class that runs in it
   * @param now when its tables are to end, in Unix seconds
   * @throws IOException where no process can be started
   */
  static SqlProcess start(Class<?> engine, long now) throws IOException {
    Path home = Path.of(System.getProperty("java.home"));
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("java").toString());
    command.addAll(
        List.of(
            "-Xmx64m",
            "-XX:MaxMetaspaceSize=64m",
            "-XX:MaxDirectMemorySize=4m",
            "-XX:+ExitOnOutOfMemoryError",
            // A start of some 0.5 s: one collector thread, the quick compiler only.
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            // Nothing but answers on its standard output, and no file of its own anywhere.
            "-XX:+DisplayVMOutputToStderr",
            "-XX:+SuppressFatalErrorMessage",
            "-XX:-UsePerfData",
            "-XX:+DisableAttachMechanism",
            "-Djava.io.tmpdir=" + home.resolve("none"),
            // No compiler, no JNDI, no RMI, no agent; no class by name, no object from bytes.
            "--limit-modules=java.sql",
            "-Dh2.allowedClasses=",
            "-Djdk.serialFilter=!*",
            "-cp",
            classPath(engine),
            engine.getName(),
            Long.toString(now)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    return new SqlProcess(builder.start());
  }

  /** Where its classes are: those of the engine, the database, the parser and the JSON writer. */
  private static String classPath(Class<?> engine) throws IOException {
    try {
      Class<?> database = Class.forName("org.h2.Driver");
      Set<String> places = new LinkedHashSet<>();
      for (Class<?> type :
          List.of(engine, SqlEngine.class, database, CCJSqlParser.class, JsonFactory.class)) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        places.add(Path.of(source.getLocation().toURI()).toString());
      }
      return String.join(File.pathSeparator, places);
    } catch (ClassNotFoundException | URISyntaxException | RuntimeException elsewhere) {
      throw new IOException("The engine's classes are not in files", elsewhere);
    }
  }

  /**
   * Waits until the tables are filled.
   *
   * @throws IOException if the process ends before
   */
  void awaitReady() throws IOException {
    if (!ready && answers.read() != SqlEngine.READY) {
      throw new IOException("it ended before its tables were filled");
    }
    ready = true;
  }

  /**
   * Has a query run.
   *
   * @throws IOException if the process ends before it answers
   */
  SqlAnswer ask(SqlQuery query) throws IOException {
    query.write(questions);
    return SqlAnswer.read(answers);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends it at once, whatever it does. */
  void end() {
    process.destroyForcibly();
  }
}

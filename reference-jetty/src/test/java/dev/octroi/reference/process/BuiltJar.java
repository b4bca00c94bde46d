package dev.octroi.reference.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command line of the jar that the build has made.
 *
 * @param jvm options of the Java virtual machine
 * @param arguments of the jar
 * @param environment variables beside those of the tests
 * @param folder the working directory
 */
record BuiltJar(
    List<String> jvm, List<String> arguments, Map<String, String> environment, Path folder) {

  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path JAR = TARGET.resolve("octroi.jar");
  private static final Path ARCHIVE = TARGET.resolve("process-tests.jsa");

  /** Processes that live for seconds gain nothing from the compiler that takes its time. */
  private static final List<String> QUICK =
      List.of("-XX:TieredStopAtLevel=1", "-Xlog:disable", "-Xmx512m");

  /** As an operator starts it. */
  static BuiltJar in(Path folder, String... arguments) {
    return new BuiltJar(List.of(), List.of(arguments), Map.of(), folder);
  }

  /** With options that only make the virtual machine start faster, where many have to. */
  static BuiltJar quickIn(Path folder, String... arguments) throws Exception {
    BuiltJar jar = new BuiltJar(QUICK, List.of(arguments), Map.of(), folder);
    return jar.jvm("-XX:SharedArchiveFile=" + Archive.made());
  }

  BuiltJar jvm(String option) {
    return new BuiltJar(with(jvm, option), arguments, environment, folder);
  }

  BuiltJar and(String... more) {
    return new BuiltJar(jvm, with(arguments, more), environment, folder);
  }

  /** One setting, as an operator writes it. */
  BuiltJar set(String key, String value) {
    return and("--set", key + "=" + value);
  }

  BuiltJar environment(String name, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(name, value);
    return new BuiltJar(jvm, arguments, more, folder);
  }

  /** What a shell would be told. */
  List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.add("-jar");
    command.add(JAR.toString());
    command.addAll(arguments);
    return command;
  }

  Running start() throws IOException {
    Files.createDirectories(folder);
    ClosingBooks books = ClosingBooks.of(arguments, folder);
    return Running.start(command(), environment, folder, Optional.of(books));
  }

  private static List<String> with(List<String> some, String... more) {
    List<String> all = new ArrayList<>(some);
    all.addAll(List.of(more));
    return List.copyOf(all);
  }

  /**
   * The classes of the jar as the virtual machine has them in memory: made once for all tests. A
   * virtual machine that finds no archive, or one of another jar, starts without it.
   */
  private static final class Archive {

    /** A call of each kind, on a machine that may be building something else. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static boolean tried;

    private static synchronized Path made() throws Exception {
      if (!tried) {
        tried = true;
        Alone.run(TARGET.resolve("process-tests.lock"), Archive::make);
      }
      return ARCHIVE;
    }

    private static Path make() throws Exception {
      if (Files.exists(ARCHIVE)
          && Files.getLastModifiedTime(ARCHIVE).compareTo(Files.getLastModifiedTime(JAR)) > 0) {
        return ARCHIVE;
      }
      Files.deleteIfExists(ARCHIVE);
      BuiltJar demo = new BuiltJar(QUICK, List.of("demo"), Map.of(), TARGET);
      try (Running making = demo.jvm("-XX:ArchiveClassesAtExit=" + ARCHIVE).start()) {
        making.awaitExit(LONGEST);
      }
      return ARCHIVE;
    }
  }
}

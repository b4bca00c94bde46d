package dev.octroi.reference.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a run measured, as its script wrote it down.
 *
 * @param load the load cases in their order
 * @param facts single numbers and words by name
 * @param missing what could not be measured, and why
 * @param microbenchmarks the lines of their table; empty if they were not run
 */
record Measured(
    List<Load> load,
    Map<String, String> facts,
    List<String> missing,
    List<String> microbenchmarks) {

  /**
   * One case at one number of connections.
   *
   * @param server the Java version that served, or {@code node}
   * @param rate calls a second
   * @param median milliseconds
   * @param slow the 99th percentile in milliseconds
   * @param micros CPU time of the server's process per call
   * @param unexpected answers of another status than the case is about, and broken connections
   */
  record Load(
      String name,
      String server,
      int connections,
      double rate,
      double median,
      double slow,
      long micros,
      long unexpected) {

    boolean isPeer() {
      return server.equals("node");
    }

    static Load read(String... words) {
      return new Load(
          words[1],
          words[2],
          Integer.parseInt(words[3]),
          Double.parseDouble(words[4]),
          Double.parseDouble(words[5]),
          Double.parseDouble(words[6]),
          Long.parseLong(words[7]),
          Long.parseLong(words[8]));
    }
  }

  static Measured read(Path folder) throws IOException {
    List<Load> load = new ArrayList<>();
    Map<String, String> facts = new TreeMap<>();
    List<String> missing = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("figures.tsv"))) {
      String[] words = line.split("\t", -1);
      switch (words[0]) {
        case "load" -> load.add(Load.read(words));
        case "fact" -> facts.put(words[1], words[2]);
        default -> missing.add(words[1]);
      }
    }
    Path table = folder.resolve("jmh.md");
    return new Measured(
        load, facts, missing, Files.exists(table) ? Files.readAllLines(table) : List.of());
  }

  SortedSet<Integer> connections() {
    SortedSet<Integer> connections = new TreeSet<>();
    load.forEach(figure -> connections.add(figure.connections()));
    return connections;
  }

  /** The Java versions that served, the oldest first. */
  List<String> versions() {
    return facts.keySet().stream()
        .filter(name -> name.startsWith("jdk."))
        .map(name -> name.substring("jdk.".length()))
        .toList();
  }

  /** Calls a second of a case at the most connections. */
  OptionalDouble rate(String name, String server) {
    return load.stream()
        .filter(figure -> figure.name().equals(name) && figure.server().equals(server))
        .filter(figure -> figure.connections() == connections().last())
        .mapToDouble(Load::rate)
        .findFirst();
  }

  /** A number by name. */
  OptionalDouble fact(String name) {
    String fact = facts.get(name);
    return fact == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(fact));
  }

  /** Microseconds of a microbenchmark without parameters, on the Java version that ran them. */
  OptionalDouble micros(String version, String benchmark) {
    boolean ran = microbenchmarks.stream().anyMatch(line -> line.startsWith("Java " + version));
    return microbenchmarks.stream()
        .filter(line -> ran && line.startsWith("| " + benchmark + " |"))
        .mapToDouble(line -> Double.parseDouble(line.split("\\|", -1)[2].strip()))
        .findFirst();
  }
}

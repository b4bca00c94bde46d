package dev.octroi.reference.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a run measured beside what was expected of it. */
record Expectations(Measured measured) {

  /**
   * A row of the table.
   *
   * @param form how a value is written
   * @param value by Java version
   */
  private record Row(String expected, String form, Function<String, OptionalDouble> value) {

    String cell(String version) {
      OptionalDouble figure = value.apply(version);
      return figure.isPresent() ? String.format(Locale.ROOT, form, figure.getAsDouble()) : "–";
    }
  }

  /** A column per Java version; what was not measured is a dash. */
  List<String> table() {
    List<String> versions = measured.versions();
    String heads = versions.stream().map(v -> " JDK " + v + " |").collect(Collectors.joining());
    return Stream.concat(
            Stream.of("| Expected |" + heads, "|---|" + "---:|".repeat(versions.size())),
            rows().stream().map(row -> line(row, versions)))
        .toList();
  }

  private List<Row> rows() {
    return List.of(
        new Row("Challenge ≥ 80 % of the bare resource", "%.0f %%", this::challenge),
        new Row("Paid read, H2 ≥ 1,000/s", "%,.0f/s", rate("paid-h2")),
        new Row("Paid read, PostgreSQL ≥ 1,000/s", "%,.0f/s", rate("paid-postgres")),
        new Row("Paid read, H2 ≥ 3 times the peer", "%.1f times", times("paid-h2")),
        new Row("The same, answer cached", "%.1f times", times("paid-cached-h2")),
        new Row("Paid read, PostgreSQL ≥ 3 times the peer", "%.1f times", times("paid-postgres")),
        new Row("The same, answer cached", "%.1f times", times("paid-cached-postgres")),
        new Row("Verification, native ≤ 60 µs", "%.0f µs", micros("SignatureBench.verifyNative")),
        new Row("Verification, Java ≤ 260 µs", "%.0f µs", micros("SignatureBench.verifyJava")),
        new Row("Idle RSS after start ≤ 256 MiB", "%.0f MiB", fact("rss.started.")),
        new Row("RSS after the load, collected", "%.0f MiB", fact("rss.worked.")),
        new Row("Ready ≤ 3,000 ms", "%,.0f ms", fact("ready.")));
  }

  private static String line(Row row, List<String> versions) {
    String cells =
        versions.stream().map(v -> " " + row.cell(v) + " |").collect(Collectors.joining());
    return "| " + row.expected() + " |" + cells;
  }

  private OptionalDouble challenge(String version) {
    return ratio(measured.rate("challenge", version), measured.rate("bare", version), 100);
  }

  private Function<String, OptionalDouble> rate(String name) {
    return version -> measured.rate(name, version);
  }

  private Function<String, OptionalDouble> times(String name) {
    return version -> ratio(measured.rate(name, version), measured.rate("peer-paid", "node"), 1);
  }

  private Function<String, OptionalDouble> fact(String name) {
    return version -> measured.fact(name + version);
  }

  private Function<String, OptionalDouble> micros(String benchmark) {
    return version -> measured.micros(version, benchmark);
  }

  private static OptionalDouble ratio(OptionalDouble part, OptionalDouble whole, int scale) {
    return part.isEmpty() || whole.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(part.getAsDouble() / whole.getAsDouble() * scale);
  }
}

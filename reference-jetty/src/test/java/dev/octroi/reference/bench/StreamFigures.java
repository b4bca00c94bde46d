package dev.octroi.reference.bench;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What streams of models cost, as a table; empty if they were not measured. */
record StreamFigures(Measured measured) {

  List<String> lines() {
    if (measured.facts().get("streams.count") == null) {
      return List.of();
    }
    List<String> versions = measured.versions();
    String count = measured.facts().get("streams.count");
    String heap = measured.facts().get("streams.heap");
    List<String> lines = new ArrayList<>();
    lines.add(
        LocalDate.now(ZoneOffset.UTC)
            + ", the same machine; load average before the part in the table. Streams with `-Xmx"
            + heap
            + "`.");
    lines.add("");
    lines.add("| |" + cells(versions, version -> "JDK " + version));
    lines.add("|---|" + "---:|".repeat(versions.size()));
    lines.add("| Load before | " + plain(versions, "load.delay", "%.1f"));
    lines.add(
        "| First byte, median and 99th percentile | " + pair(versions, "first", "through", "ms"));
    lines.add("| The same from the model directly | " + pair(versions, "first", "direct", "ms"));
    lines.add("| Added at the median, ≤ 5 ms | " + added(versions, "first", "%.2f ms"));
    lines.add("| An event of 200 in a row | " + pair(versions, "event", "through", "µs"));
    lines.add("| The same from the model directly | " + pair(versions, "event", "direct", "µs"));
    lines.add("| Added at the median | " + added(versions, "event", "%.1f µs"));
    lines.add("| Load before the streams | " + plain(versions, "load.streams", "%.1f"));
    lines.add(
        "| "
            + count
            + " streams of 90 tokens, 2 a second: came whole | "
            + plain(versions, "stream.whole", "%,.0f"));
    lines.add("| Open at once | " + plain(versions, "stream.open", "%,.0f"));
    lines.add("| RSS before | " + plain(versions, "stream.rss.before", "%,.0f MiB"));
    lines.add("| RSS at most, ≤ 488 MiB (512 MB) | " + plain(versions, "stream.rss", "%,.0f MiB"));
    return lines;
  }

  private static String cells(List<String> versions, Function<String, String> cell) {
    return versions.stream()
        .map(version -> " " + cell.apply(version) + " |")
        .collect(Collectors.joining());
  }

  private String plain(List<String> versions, String name, String form) {
    return cells(versions, version -> written(form, measured.fact(name + "." + version))).strip();
  }

  private String pair(List<String> versions, String what, String way, String unit) {
    return cells(
            versions,
            version ->
                written("%,.2f", fact(what, "median", way, version))
                    + ", "
                    + written("%,.2f " + unit, fact(what, "slow", way, version)))
        .strip();
  }

  private String added(List<String> versions, String what, String form) {
    return cells(
            versions,
            version -> {
              OptionalDouble through = fact(what, "median", "through", version);
              OptionalDouble direct = fact(what, "median", "direct", version);
              return through.isPresent() && direct.isPresent()
                  ? String.format(Locale.ROOT, form, through.getAsDouble() - direct.getAsDouble())
                  : "–";
            })
        .strip();
  }

  private OptionalDouble fact(String what, String figure, String way, String version) {
    return measured.fact(String.join(".", "stream", what, figure, way, version));
  }

  private static String written(String form, OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, form, value.getAsDouble()) : "–";
  }
}

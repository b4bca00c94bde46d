package dev.octroi.reference.bench;

import dev.octroi.reference.bench.Measured.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Turns what a run measured into the tables of the page. */
public final class Figures {

  private static final Pattern PLACE =
      Pattern.compile("(?s)(<!-- figures -->\n).*(<!-- /figures -->)");
  private static final Pattern STREAMS =
      Pattern.compile("(?s)(<!-- streams -->\n).*(<!-- /streams -->)");

  private static final Map<String, String> CASES =
      Map.of(
          "bare", "Bare Jersey resource",
          "challenge", "402 challenge",
          "paid-h2", "Paid read, H2",
          "paid-cached-h2", "Paid read, answer cached, H2",
          "paid-postgres", "Paid read, PostgreSQL",
          "paid-cached-postgres", "Paid read, answer cached, PostgreSQL",
          "peer-challenge", "Peer: 402 challenge",
          "peer-paid", "Peer: paid call");

  private final Measured measured;

  private Figures(Measured measured) {
    this.measured = measured;
  }

  /**
   * Arguments: the folder of the run, the page, and the command's own arguments; only {@code all}
   * and {@code streams} are written to the page, everything is printed. Ends with 1 if an answer of
   * the gateway was not what its case is about; what the peer answers is noted, for this project
   * cannot mend it.
   */
  public static void main(String[] arguments) throws IOException {
    Measured measured = Measured.read(Path.of(arguments[0]));
    String text = new Figures(measured).text();
    String streams = String.join("\n", new StreamFigures(measured).lines());
    System.out.println(text + "\n" + streams);
    List<Load> wrong =
        measured.load().stream().filter(load -> load.unexpected() > 0 && !load.isPeer()).toList();
    if (!wrong.isEmpty()) {
      wrong.forEach(load -> System.err.println("Unexpected answers: " + load));
      System.exit(1);
    }
    Path page = Path.of(arguments[1]);
    if (arguments[2].equals("all")) {
      replace(page, PLACE, text);
    }
    if (!streams.isEmpty() && List.of("all", "streams").contains(arguments[2])) {
      replace(page, STREAMS, streams + "\n");
    }
  }

  private static void replace(Path page, Pattern place, String text) throws IOException {
    Matcher found = place.matcher(Files.readString(page));
    Files.writeString(page, found.replaceFirst("$1" + Matcher.quoteReplacement(text) + "$2"));
  }

  private String text() {
    List<String> lines = new ArrayList<>();
    lines.add(machine());
    lines.add("");
    if (!measured.load().isEmpty()) {
      lines.addAll(load());
      lines.add("");
      lines.addAll(peerFailures());
    }
    lines.addAll(new Expectations(measured).table());
    lines.add("");
    lines.addAll(measured.microbenchmarks());
    measured.missing().forEach(what -> lines.add("\nNot measured: " + what + "."));
    return String.join("\n", lines) + "\n";
  }

  private String machine() {
    String versions =
        measured.versions().stream()
            .map(version -> measured.facts().get("jdk." + version))
            .collect(Collectors.joining(" and "));
    return String.format(
        Locale.ROOT,
        "%s, %d cores (%s, %s), the load generator on the same cores; JDK %s.",
        LocalDate.now(ZoneOffset.UTC),
        Runtime.getRuntime().availableProcessors(),
        measured.facts().getOrDefault("cpu", System.getProperty("os.arch")),
        System.getProperty("os.name"),
        versions);
  }

  private List<String> load() {
    List<String> lines = new ArrayList<>();
    String heads =
        measured.connections().stream()
            .map(count -> count + (count == 1 ? " connection" : " connections"))
            .collect(Collectors.joining(" | "));
    lines.add("| Case | On | " + heads + " | CPU of a call |");
    lines.add("|---|---|" + "---:|".repeat(measured.connections().size() + 1));
    measured.load().stream()
        .map(figure -> figure.name() + "\t" + figure.server())
        .distinct()
        .forEach(key -> lines.add(row(key.split("\t", -1)[0], key.split("\t", -1)[1])));
    return lines;
  }

  private List<String> peerFailures() {
    return measured.load().stream()
        .filter(load -> load.isPeer() && load.unexpected() > 0)
        .map(
            load ->
                String.format(
                    Locale.ROOT,
                    "The peer gave %d wrong or late answers at %d connections (%s).%n",
                    load.unexpected(),
                    load.connections(),
                    CASES.get(load.name())))
        .toList();
  }

  private String row(String name, String server) {
    List<Load> figures =
        measured.load().stream()
            .filter(figure -> figure.name().equals(name) && figure.server().equals(server))
            .toList();
    String cells =
        figures.stream()
            .map(
                load ->
                    String.format(
                        Locale.ROOT,
                        "%,.0f/s (%.1f, %.1f ms)",
                        load.rate(),
                        load.median(),
                        load.slow()))
            .collect(Collectors.joining(" | "));
    String on = server.equals("node") ? "Node" : "JDK " + server;
    long micros = figures.get(figures.size() - 1).micros();
    return "| " + CASES.get(name) + " | " + on + " | " + cells + " | " + micros + " µs |";
  }
}

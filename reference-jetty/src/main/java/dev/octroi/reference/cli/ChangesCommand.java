package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes of routes and prices of a running gateway, and of all nodes beside it. */
@Command(
    name = "changes",
    description = "List changes of routes and prices that hold without a restart.")
final class ChangesCommand {

  private static final int PAGE = 100;

  @Spec private @Nullable CommandSpec spec;

  @Command(name = "list", description = "List the changes, the latest first.")
  int list(@Mixin AdminOptions admin) throws IOException {
    JsonNode listed = admin.client().get("changes?limit=" + PAGE);
    Table table = Table.list("changes", "CHANGE", "FROM", "STATE", "BY", "LINES", "NOTE");
    listed
        .path("data")
        .forEach(
            change ->
                table.row(
                    Table.cell(change, "number"),
                    Table.cell(change, "from"),
                    Table.cell(change, "state"),
                    Table.cell(change, "by"),
                    lines(change.path("lines")),
                    Table.cell(change, "note")));
    int code = admin.show(listed, table);
    listed
        .path("problems")
        .forEach(problem -> admin.out().println("Left out: " + problem.asText()));
    admin.out().flush();
    return code;
  }

  private static String lines(JsonNode lines) {
    return lines.properties().stream()
        .map(
            line ->
                line.getKey()
                    + (line.getValue().isNull() ? " reset" : "=" + line.getValue().asText()))
        .collect(Collectors.joining(", "));
  }

  @Command(
      name = "make",
      description = {
        "Change routes and prices on all nodes at the same moment.",
        "A line is a setting of a route, such as gateway.routes.weather.price=0.02, or a line of the"
            + " price book, such as group.prediction=0.006."
      })
  int make(
      @Mixin AdminOptions options,
      @Parameters(
              paramLabel = "KEY=VALUE",
              arity = "0..*",
              description = "What to set; KEY=@FILE takes the value from a file.")
          @Nullable List<String> lines,
      @Option(
              names = "--reset",
              paramLabel = "KEY",
              description = "Give a key, and all keys below it, back to the file.")
          @Nullable List<String> reset,
      @Option(
              names = "--from",
              paramLabel = "TIME",
              description =
                  "Since when, such as 2026-12-01T00:00:00Z; as soon as may be unless set.")
          @Nullable Instant from,
      @Option(names = "--note", paramLabel = "TEXT", description = "Why.") @Nullable String note,
      @Option(
              names = "--preview",
              description =
                  "Show what it would do to the calls of the last day, and write nothing.")
          boolean preview)
      throws IOException {
    ObjectNode body = body(lines == null ? List.of() : lines, reset == null ? List.of() : reset);
    if (from != null) {
      body.put("from", from.toString());
    }
    if (note != null) {
      body.put("note", note);
    }
    return preview ? preview(options, body) : write(options, body);
  }

  private int write(AdminOptions options, ObjectNode body) throws IOException {
    JsonNode change = options.client().post("changes", body);
    Table table = new Table("CHANGE", Table.cell(change, "number"));
    table.row("holds from", Table.cell(change, "from"));
    return options.show(change, table);
  }

  private static int preview(AdminOptions options, ObjectNode body) throws IOException {
    JsonNode told = options.client().post("changes/preview", body);
    Table table =
        Table.list(
            "prices that change", "ROW", "BEFORE", "AFTER", "CALLS OF A DAY", "PAID", "WOULD PAY");
    told.path("rows")
        .forEach(row -> table.row(row, "row", "before", "after", "calls", "paid", "would"));
    JsonNode all = told.path("all");
    if (!told.path("rows").isEmpty()) {
      table.row(
          "all",
          "-",
          "-",
          Table.cell(all, "calls"),
          Table.cell(all, "paid"),
          Table.cell(all, "would"));
    }
    return options.show(told, table);
  }

  private ObjectNode body(List<String> lines, List<String> reset) throws IOException {
    ObjectNode body = AdminClient.object();
    ObjectNode given = body.putObject("lines");
    for (String line : lines) {
      int at = line.indexOf('=');
      if (at < 1) {
        throw new ParameterException(
            Objects.requireNonNull(spec).commandLine(),
            "'" + line + "' is no line such as gateway.routes.weather.price=0.02");
      }
      String value = line.substring(at + 1);
      given.put(
          line.substring(0, at),
          value.startsWith("@") ? Files.readString(Path.of(value.substring(1))).strip() : value);
    }
    reset.forEach(given::putNull);
    return body;
  }
}

package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.reference.cli.AdminClient.Query;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The books of a running gateway. */
@Command(
    name = "books",
    description =
        "Compare the books of a running gateway with its payments and the chain, export them, or show"
            + " margins.",
    footer = {"", "Exit codes: 0 clean, 1 failed, 2 wrong usage, 7 something differs."})
final class BooksCommand {

  @Command(
      name = "verify",
      description = "Compare payments, journal and chain, and print each difference.")
  int verify(
      @Mixin AdminOptions admin,
      @Option(names = "--from", paramLabel = "TIME", description = "Payments settled from then on.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "TIME", description = "Payments settled before then.")
          @Nullable String to)
      throws IOException {
    JsonNode report =
        admin.client().postSlowly(period("books/verify", from, to).text(), AdminClient.object());
    if (admin.json()) {
      admin.out().println(report);
      admin.out().flush();
    } else {
      print(admin, report);
    }
    return report.path("clean").asBoolean() ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  private static void print(AdminOptions admin, JsonNode report) {
    if (!report.path("differences").isEmpty()) {
      Table table = Table.list("differences", "WHAT", "OF", "ONE SIDE", "THE OTHER");
      report
          .path("differences")
          .forEach(difference -> table.row(difference, "check", "subject", "stated", "found"));
      table.print(admin.out());
    }
    String closed = report.path("closedBefore").asText("");
    long channels = report.path("channels").asLong();
    admin
        .out()
        .printf(
            "%s: %d payments, %d journal lines, %d proven by a chain, %d not asked or not proven%s%s%s%n",
            report.path("clean").asBoolean() ? "clean" : "DIFFERENT",
            report.path("payments").asLong(),
            report.path("lines").asLong(),
            report.path("proven").asLong(),
            report.path("unproven").asLong(),
            channels == 0 ? "" : "; %d channels compared with their contract".formatted(channels),
            closed.isEmpty() ? "" : "; closed for all before " + closed,
            report.path("more").asBoolean() ? "; there are more differences" : "");
    admin.out().flush();
  }

  @Command(name = "export", description = "Print every journal line of a period, the oldest first.")
  int export(
      @Mixin AdminOptions admin,
      @Option(names = "--from", paramLabel = "TIME", description = "Default: the beginning.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "TIME", description = "Default: now.")
          @Nullable String to,
      @Option(
              names = "--format",
              paramLabel = "csv|jsonl",
              description = "Default: csv, or jsonl with --json.")
          @Nullable String format)
      throws IOException {
    String form = format != null ? format : admin.json() ? "jsonl" : "csv";
    admin.client().copy(period("books/export", from, to).with("format", form).text(), System.out);
    return ExitCode.OK;
  }

  @Command(
      name = "margin",
      description = "Show revenue less vendor cost and gas, by group and by row.")
  int margin(
      @Mixin AdminOptions admin,
      @Option(names = "--from", paramLabel = "TIME", description = "Default: a day before --to.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "TIME", description = "Default: now.")
          @Nullable String to)
      throws IOException {
    JsonNode margins = admin.client().get(period("margin", from, to).text());
    Table table =
        new Table("GROUP", "ROW", "CALLS", "TAKEN", "GIVEN BACK", "COST", "GAS", "MARGIN");
    margins.path("groups").forEach(group -> row(table, group, "all"));
    margins
        .path("rows")
        .forEach(
            row ->
                row(
                    table,
                    row,
                    (Table.cell(row, "method") + " " + Table.cell(row, "path")).strip()));
    row(table, margins, "all");
    return admin.show(margins, table);
  }

  private static void row(Table table, JsonNode margins, String row) {
    JsonNode figures = margins.path(margins.has("total") ? "total" : "figures");
    boolean isCosted = figures.path("cost").isTextual();
    String some = figures.path("uncosted").asLong() > 0 ? " (some calls without a cost)" : "";
    StringBuilder gas = new StringBuilder();
    figures
        .path("gas")
        .properties()
        .forEach(one -> gas.append(one.getValue().asText()).append(" of ").append(one.getKey()));
    table.row(
        margins.has("total") ? "all" : Table.cell(margins, "group"),
        row,
        Table.cell(figures, "calls"),
        Table.cell(figures, "taken"),
        Table.cell(figures, "givenBack"),
        isCosted ? Table.cell(figures, "cost") + some : "no cost set",
        figures.path("gasUsd").isTextual() ? Table.cell(figures, "gasUsd") : gas.toString(),
        figures.path("margin").isTextual() ? Table.cell(figures, "margin") : "not known");
  }

  private static Query period(String path, @Nullable String from, @Nullable String to) {
    return AdminClient.query(path).with("from", from).with("to", to);
  }
}

package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.reference.DryRun;
import dev.octroi.reference.cli.StartOptions.GivenSettings;
import dev.octroi.reference.doctor.Doctor;
import dev.octroi.reference.doctor.Doctor.Finding;
import dev.octroi.reference.doctor.Doctor.Finding.Level;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what would keep a gateway of these settings from serving or from being paid. */
@Command(
    name = "doctor",
    description =
        "Check settings, port, database, clock, upstreams, facilitators and chain, and say what to"
            + " change. Starts nothing and buys nothing. Takes the options of serve.",
    footer = {
      "",
      "What each vendor needs: reference-jetty/docs/going-live.md.",
      "Exit codes: 0 nothing is bad, 1 something is bad, 2 wrong usage."
    })
final class DoctorCommand implements Callable<Integer> {

  private static final Map<String, String> COLOURS =
      Map.of("ok", "@|green %s|@", "warning", "@|yellow %s|@", "bad", "@|bold,red %s|@");

  @Mixin private GivenSettings given = new GivenSettings();

  @Option(
      names = "--models",
      description =
          "Ask the vendors for the list of their models, and show which models of the catalogues"
              + " they no longer have. Costs nothing.")
  private boolean models;

  @Option(
      names = "--requests",
      description =
          "Print the requests that each group would send its vendor, for an example of each call."
              + " Sends none of them: the sandbox answers in this process.")
  private boolean requests;

  @Option(names = "--json", description = "Print JSON instead of a table.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (requests) {
      return requests();
    }
    List<Finding> findings = Doctor.examine(given.options(), models, Clock.systemUTC());
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    if (json) {
      line.getOut().println(ofMachine(findings));
      line.getOut().flush();
    } else {
      print(line.getOut(), line.getColorScheme().ansi(), findings);
    }
    return findings.stream().anyMatch(finding -> finding.level() == Level.BAD)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  private static void print(PrintWriter out, Ansi ansi, List<Finding> findings) {
    Table table = new Table("", "CHECKED", "FOUND");
    findings.forEach(
        finding -> table.row(word(finding.level()), finding.subject(), finding.what()));
    table.print(out, word -> ansi.string(COLOURS.getOrDefault(word.strip(), "%s").formatted(word)));
    findings.stream()
        .filter(finding -> !finding.advice().isEmpty())
        .forEach(
            finding ->
                out.printf(
                    "%n%s: %s.%n  %s%n", finding.subject(), finding.what(), finding.advice()));
    out.flush();
  }

  private static ArrayNode ofMachine(List<Finding> findings) {
    ArrayNode all = AdminClient.object().arrayNode();
    findings.forEach(
        finding ->
            all.addObject()
                .put("level", word(finding.level()))
                .put("checked", finding.subject())
                .put("found", finding.what())
                .put("advice", finding.advice()));
    return all;
  }

  private int requests() throws Exception {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try (DryRun gateway = DryRun.start(given.options())) {
      ObjectNode answer = AdminClient.object();
      ArrayNode calls = answer.putArray("calls");
      new AskedRequests(gateway, json ? calls::add : call -> AskedRequests.print(out, call)).make();
      List<String> refused = gateway.refusals();
      if (json) {
        refused.forEach(answer.putArray("refused")::add);
        out.println(answer);
      } else {
        print(out, refused);
      }
      out.flush();
      return refused.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    } catch (InvalidSettings e) {
      if (json) {
        ObjectNode answer = AdminClient.object();
        e.problems().forEach(answer.putArray("problems")::add);
        out.println(answer);
      } else {
        e.problems().forEach(problem -> out.printf("bad  settings  %s%n", problem));
      }
      out.flush();
      return ExitCode.FAILED;
    }
  }

  private static void print(PrintWriter out, List<String> refused) {
    out.printf(
        "%n%s%n",
        refused.isEmpty()
            ? "Nothing was sent. The vendors' contracts, as the sandbox has them, take all of it."
            : "Nothing was sent. The vendors' contracts, as the sandbox has them, refuse:");
    refused.forEach(line -> out.printf("  %s%n", line));
  }

  private static String word(Level level) {
    return level == Level.GOOD ? "ok" : level.name().toLowerCase(Locale.ROOT);
  }
}

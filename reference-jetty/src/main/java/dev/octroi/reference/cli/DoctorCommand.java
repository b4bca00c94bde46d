package dev.octroi.reference.cli;

import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.reference.DryRun;
import dev.octroi.reference.doctor.Doctor;
import dev.octroi.reference.doctor.Doctor.Finding;
import dev.octroi.reference.doctor.Doctor.Finding.Level;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what would keep a gateway of these settings from serving or from being paid. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Check settings, database, clock, upstreams, facilitators and chain, and say what to do."
            + " Starts nothing and buys nothing; takes the options that serve takes.",
    footer = {
      "",
      "What each vendor needs: reference-jetty/docs/going-live.md.",
      "Exit codes: 0 nothing is bad, 1 something must be mended, 2 wrong usage."
    })
final class DoctorCommand implements Callable<Integer> {

  @Mixin private GivenSettings given = new GivenSettings();

  @Option(
      names = "--models",
      description =
          "Ask the vendors of models which they have, and tell of those in the catalogues that are"
              + " gone. Costs nothing.")
  private boolean models;

  @Option(
      names = "--requests",
      description =
          "Print what each group asks its vendor for an example of each call, and look at nothing"
              + " else. Sends it to no vendor: the sandbox answers in this process.")
  private boolean requests;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (requests) {
      return requests();
    }
    List<Finding> findings = Doctor.examine(given.options(), models, Clock.systemUTC());
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    Table table = new Table("", "CHECKED", "FOUND");
    findings.forEach(
        finding -> table.row(word(finding.level()), finding.subject(), finding.what()));
    table.print(out);
    findings.stream()
        .filter(finding -> !finding.advice().isEmpty())
        .forEach(
            finding ->
                out.printf(
                    "%n%s: %s.%n  %s%n", finding.subject(), finding.what(), finding.advice()));
    out.flush();
    return findings.stream().anyMatch(finding -> finding.level() == Level.BAD)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  private int requests() throws Exception {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try (DryRun gateway = DryRun.start(given.options())) {
      new AskedRequests(gateway, out).print();
      List<String> refused = gateway.refusals();
      out.printf(
          "%n%s%n",
          refused.isEmpty()
              ? "Nothing was sent. The vendors' contracts, as the sandbox has them, take all of it."
              : "Nothing was sent. The vendors' contracts, as the sandbox has them, refuse:");
      refused.forEach(line -> out.printf("  %s%n", line));
      out.flush();
      return refused.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    } catch (InvalidSettings e) {
      e.problems().forEach(problem -> out.printf("bad  settings  %s%n", problem));
      out.flush();
      return ExitCode.FAILED;
    }
  }

  private static String word(Level level) {
    return level == Level.GOOD ? "ok" : level.name().toLowerCase(Locale.ROOT);
  }
}

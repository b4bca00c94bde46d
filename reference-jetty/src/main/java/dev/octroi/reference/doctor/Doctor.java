package dev.octroi.reference.doctor;

import dev.octroi.api.Surroundings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Examines what a reference gateway would start with. Starts none. */
public final class Doctor {

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private Doctor() {}

  /** Everything that was found, the settings first; with wrong settings nothing else is. */
  public static List<Finding> examine(ServeOptions options, Clock clock)
      throws InterruptedException {
    GatewaySettings settings;
    try {
      settings = ReferenceGateway.settings(options);
    } catch (InvalidSettings e) {
      return wrong(e.problems());
    }
    boolean sandbox = ReferenceGateway.needsSandbox(settings);
    Surroundings surroundings = new Surroundings(settings, clock);
    List<String> problems = sandbox ? List.of() : surroundings.problems();
    if (!problems.isEmpty()) {
      return wrong(problems);
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.good("settings", "nothing is wrong with them"));
    findings.addAll(MachineCheck.look());
    Clocks clocks = new Clocks(clock);
    findings.addAll(new DatabaseCheck(settings.database(), DEADLINE).look(clocks));
    if (sandbox) {
      findings.add(Finding.good("upstreams", "the sandbox's, which starts with the gateway"));
    } else {
      surroundings.upstreams(DEADLINE).stream()
          .map(report -> UpstreamCheck.judge(report, clocks))
          .forEach(findings::add);
      surroundings
          .unsold()
          .forEach(
              (group, missing) ->
                  findings.add(
                      Finding.warning(
                          "groups",
                          group + ", or a part of it, is not sold",
                          String.join(". ", missing))));
    }
    findings.addAll(new MoneyCheck(settings.payments(), surroundings).look(clocks));
    findings.addAll(clocks.findings());
    return findings;
  }

  private static List<Finding> wrong(List<String> problems) {
    return problems.stream()
        .map(problem -> Finding.bad("settings", problem, "Correct it; nothing else was looked at."))
        .toList();
  }
}

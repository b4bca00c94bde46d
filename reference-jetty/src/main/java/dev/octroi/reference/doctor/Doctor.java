package dev.octroi.reference.doctor;

import dev.octroi.api.Surroundings;
import dev.octroi.api.Surroundings.UpstreamReport;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.HttpSettings;
import dev.octroi.api.settings.HttpSettings.TlsSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.reference.CannotStart;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import dev.octroi.reference.TlsCertificate;
import dev.octroi.sandbox.Sandbox;
import dev.octroi.services.upstream.UpstreamClient.Probe;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Examines what a reference gateway would start with. Starts none. */
public final class Doctor {

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private static final String TLS = "tls";
  private static final String PORT = "port";
  private static final String RENEW = "Renew it; a running gateway takes the new files by itself.";

  /** Stands for the sandbox, which is not asked. */
  private static final URI SANDBOX = URI.create("http://127.0.0.1:1");

  private Doctor() {}

  /**
   * Everything that was found, the settings first; with wrong settings nothing else is.
   *
   * @param models whether the vendors of models are asked for their lists
   */
  public static List<Finding> examine(ServeOptions options, boolean models, Clock clock)
      throws InterruptedException {
    GatewaySettings settings;
    try {
      settings = ReferenceGateway.settings(options);
    } catch (InvalidSettings e) {
      return wrong(e.problems());
    } catch (CannotStart e) {
      return List.of(Finding.bad("data folder", e.what(), e.advice()));
    }
    boolean sandbox = ReferenceGateway.needsSandbox(settings);
    Surroundings surroundings =
        new Surroundings(sandbox ? ReferenceGateway.settings(options, SANDBOX) : settings, clock);
    List<String> problems = surroundings.problems();
    if (!problems.isEmpty()) {
      return wrong(problems);
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.good("settings", "nothing is wrong with them"));
    findings.addAll(MachineCheck.look());
    if (settings.http().tls().isSet()) {
      findings.add(tls(settings.http().tls()));
    }
    findings.add(port(settings.http()));
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
    if (models) {
      findings.addAll(sandbox ? besideSandbox(options, clock) : models(surroundings));
    }
    findings.addAll(new MoneyCheck(settings.payments(), surroundings).look(clocks));
    findings.addAll(clocks.findings());
    return findings;
  }

  private static Finding port(HttpSettings settings) {
    return CannotStart.listening(settings)
        .map(
            found ->
                found.inUse()
                    ? Finding.warning(
                        PORT, found.what(), "This is right if the gateway runs. " + found.advice())
                    : Finding.bad(PORT, found.what(), found.advice()))
        .orElseGet(
            () ->
                Finding.good(
                    PORT, settings.port() == 0 ? "any free one" : settings.port() + " is free"));
  }

  private static Finding tls(TlsSettings settings) {
    try {
      TlsCertificate certificate = TlsCertificate.read(settings);
      String name = certificate.server().getSubjectX500Principal().getName();
      return certificate
          .untimely()
          .map(why -> Finding.warning(TLS, "the certificate of " + name + " " + why, RENEW))
          .orElseGet(() -> Finding.good(TLS, "the certificate of " + name + " fits its key"));
    } catch (InvalidSettings e) {
      return Finding.bad(TLS, e.problems().get(0), "The gateway does not start without it.");
    }
  }

  private static List<Finding> models(Surroundings surroundings) throws InterruptedException {
    List<Finding> findings =
        surroundings.models(DEADLINE).stream()
            .flatMap(report -> ModelCheck.judge(report).stream())
            .toList();
    return findings.isEmpty()
        ? List.of(Finding.warning("models", "no vendor of any has an address", ""))
        : findings;
  }

  /** The vendors of the sandbox, which runs as long as they are asked. */
  private static List<Finding> besideSandbox(ServeOptions options, Clock clock)
      throws InterruptedException {
    try (Sandbox sandbox = Sandbox.start()) {
      return models(new Surroundings(ReferenceGateway.settings(options, sandbox.url()), clock));
    }
  }

  private static List<Finding> wrong(List<String> problems) {
    List<Finding> findings = new ArrayList<>();
    for (String problem : problems) {
      boolean last = findings.size() == problems.size() - 1;
      String advice = last ? "Correct it; nothing else was looked at." : "Correct it.";
      findings.add(Finding.bad("settings", problem, advice));
    }
    return findings;
  }

  /** Judges what upstreams answered. */
  private static final class UpstreamCheck {

    private UpstreamCheck() {}

    static Finding judge(UpstreamReport report, Clocks clocks) {
      String subject = report.setting().substring("gateway.".length());
      if (report.answer().isEmpty()) {
        return Finding.bad(
            subject,
            report.host() + " cannot be reached",
            "See that its name resolves and that this machine may connect there, or correct "
                + report.setting()
                + "'s address.");
      }
      Probe answer = report.answer().get();
      answer.date().ifPresent(date -> clocks.told(report.host(), date));
      if (answer.refused()) {
        return Finding.bad(
            subject,
            report.host() + " answers " + answer.status(),
            (report.hasCredential() ? "Correct" : "Set")
                + " the credential of "
                + report.setting());
      }
      if (answer.broken()) {
        return Finding.warning(
            subject, report.host() + " answers " + answer.status(), "Ask the vendor.");
      }
      return report.hasCredential()
          ? Finding.good(subject, report.host() + " answers, and refuses no credential")
          : Finding.warning(
              subject,
              report.host() + " answers; no credential is set",
              "Set the credential of " + report.setting() + ", unless the vendor wants none.");
    }
  }

  /** Looks at what the machine gives: a native library that can be loaded, a temporary folder. */
  private static final class MachineCheck {

    private static final String SIGNATURES = "signatures";
    private static final String TEMPORARY = "temporary folder";

    private MachineCheck() {}

    static List<Finding> look() {
      return List.of(signatures(Signatures.fastest()), temporary());
    }

    private static Finding signatures(Signatures found) {
      return found
          .setback()
          .map(
              why ->
                  Finding.warning(
                      SIGNATURES,
                      found.description() + ", at a quarter of the native library's speed: " + why,
                      "Name a folder that is writable and not mounted noexec in the variable "
                          + Signatures.FOLDER
                          + "."))
          .orElseGet(() -> Finding.good(SIGNATURES, found.description()));
    }

    private static Finding temporary() {
      String folder = System.getProperty("java.io.tmpdir");
      try {
        Files.delete(Files.createTempFile(Path.of(folder), "octroi-doctor", null));
        return Finding.good(TEMPORARY, folder);
      } catch (IOException e) {
        return Finding.warning(
            TEMPORARY,
            folder + " cannot be written: calls with bodies above 64 KiB get 503",
            "Name another one to the virtual machine: -Djava.io.tmpdir=FOLDER.");
      }
    }
  }

  /**
   * What was found in one place.
   *
   * @param subject what was looked at, such as {@code database}
   * @param what what was found there
   * @param advice what to do; empty where nothing is
   */
  public record Finding(String subject, Level level, String what, String advice) {

    /** How bad it is. */
    public enum Level {
      GOOD,
      /** The gateway serves, but look at it. */
      WARNING,
      /** The gateway does not start, or cannot serve or be paid. */
      BAD
    }

    static Finding good(String subject, String what) {
      return new Finding(subject, Level.GOOD, what, "");
    }

    static Finding warning(String subject, String what, String advice) {
      return new Finding(subject, Level.WARNING, what, advice);
    }

    static Finding bad(String subject, String what, String advice) {
      return new Finding(subject, Level.BAD, what, advice);
    }
  }

  /**
   * Compares this machine's clock, by which authorizations are judged to have begun and to have
   * ended, with those of others. For one examination.
   */
  static final class Clocks {

    private static final String SUBJECT = "clock";

    /** What is told to the second, over a network, may differ by as much. */
    private static final Duration TOLERABLE = Duration.ofSeconds(3);

    /** Payments that are good are then refused, and the other way round. */
    private static final Duration HARMFUL = Duration.ofSeconds(30);

    private final Clock clock;
    private final List<Finding> findings = new ArrayList<>();
    private int told;

    Clocks(Clock clock) {
      this.clock = clock;
    }

    /** A server told its time a moment ago. */
    void told(String who, Instant theirs) {
      told++;
      Duration difference = Duration.between(theirs, clock.instant()).abs();
      if (difference.compareTo(TOLERABLE) <= 0) {
        return;
      }
      String what = "differs from that of " + who + " by " + difference.toSeconds() + " s";
      String advice = "Let the machine keep its time by NTP.";
      findings.add(
          difference.compareTo(HARMFUL) > 0
              ? Finding.bad(SUBJECT, what, advice)
              : Finding.warning(SUBJECT, what, advice));
    }

    List<Finding> findings() {
      if (!findings.isEmpty()) {
        return findings;
      }
      return List.of(
          told == 0
              ? Finding.warning(SUBJECT, "no clock reference", "Check that NTP runs.")
              : Finding.good(SUBJECT, "agrees with " + told + " others"));
    }
  }
}

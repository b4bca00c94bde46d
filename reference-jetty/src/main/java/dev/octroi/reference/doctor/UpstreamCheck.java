package dev.octroi.reference.doctor;

import dev.octroi.api.UpstreamReport;
import dev.octroi.services.upstream.Probe;

/** Judges what upstreams answered. */
final class UpstreamCheck {

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
          (report.hasCredential() ? "Correct" : "Set") + " the credential of " + report.setting());
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

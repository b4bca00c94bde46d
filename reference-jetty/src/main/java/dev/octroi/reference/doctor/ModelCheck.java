package dev.octroi.reference.doctor;

import dev.octroi.api.Surroundings.ModelsReport;
import dev.octroi.api.group.SoldModels.SoldModel;
import dev.octroi.reference.doctor.Doctor.Finding;
import dev.octroi.services.upstream.VendorModels;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the models that are sold with what their vendors say that they have. */
final class ModelCheck {

  private ModelCheck() {}

  static List<Finding> judge(ModelsReport report) {
    String subject = "models of " + report.setting().substring("gateway.".length());
    if (report.answer().isEmpty()) {
      return List.of(
          Finding.warning(
              subject,
              report.host() + " gives no list of its models that can be read",
              "See that this machine may connect there, and ask again."));
    }
    VendorModels answer = report.answer().get();
    if (answer.listed().isEmpty()) {
      return List.of(
          Finding.warning(
              subject,
              report.host() + " answers " + answer.status() + " instead of a list of its models",
              report.hasCredential()
                  ? "Look the models up where the vendor announces them: "
                      + String.join(", ", names(report))
                  : "Set the credential of " + report.setting() + "."));
    }
    List<Finding> findings = new ArrayList<>();
    report.sold().models().stream()
        .flatMap(model -> fault(subject, model, answer, report.host()).stream())
        .forEach(findings::add);
    if (findings.isEmpty()) {
      findings.add(
          Finding.good(
              subject, report.host() + " has them all: " + String.join(", ", names(report))));
    }
    return findings;
  }

  private static List<String> names(ModelsReport report) {
    return report.sold().models().stream().map(SoldModel::id).toList();
  }

  private static Optional<Finding> fault(
      String subject, SoldModel model, VendorModels vendor, String host) {
    String said = model.id() + " (" + model.name() + ")";
    if (!vendor.has(model.name())) {
      return Optional.of(
          Finding.warning(
              subject,
              said + " is not in the list of " + host,
              "If the vendor does not serve it any more, give it the day and a successor in the"
                  + " catalogue."));
    }
    return vendor
        .end(model.name())
        .filter(end -> isUnexpected(end, model))
        .map(
            end ->
                Finding.warning(
                    subject,
                    said + " ends on " + end + ", says " + host,
                    "Give it that day and a successor in the catalogue."));
  }

  private static boolean isUnexpected(LocalDate end, SoldModel model) {
    return model.retired().map(known -> known.isAfter(end)).orElse(true);
  }
}

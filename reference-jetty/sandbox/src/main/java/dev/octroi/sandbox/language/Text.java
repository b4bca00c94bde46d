package dev.octroi.sandbox.language;

import java.util.List;
import java.util.stream.Collectors;

/** A plan's steps by their kind. */
final class Text {

  private Text() {}

  static String said(Plan plan) {
    return plan.steps().stream()
        .filter(Plan.Say.class::isInstance)
        .map(step -> ((Plan.Say) step).text())
        .collect(Collectors.joining());
  }

  static String thought(Plan plan) {
    return plan.steps().stream()
        .filter(Plan.Think.class::isInstance)
        .map(step -> ((Plan.Think) step).text())
        .collect(Collectors.joining());
  }

  static List<Plan.Call> calls(Plan plan) {
    return plan.steps().stream()
        .filter(Plan.Call.class::isInstance)
        .map(Plan.Call.class::cast)
        .toList();
  }
}

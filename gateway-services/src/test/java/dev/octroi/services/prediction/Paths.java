package dev.octroi.services.prediction;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import java.util.Map;
import java.util.stream.Collectors;

/** Path parameters that a row takes. */
final class Paths {

  private Paths() {}

  static Map<String, String> example(PredictionRead row) {
    return row.parameters().stream()
        .filter(parameter -> (row.path() + "/").contains(":" + parameter.name() + "/"))
        .collect(Collectors.toMap(Parameter::name, Paths::value));
  }

  private static String value(Parameter parameter) {
    return parameter.allowed().stream().findFirst().orElseGet(() -> value(parameter.kind()));
  }

  static String value(Kind kind) {
    return switch (kind) {
      case INTEGER -> "7";
      case EVM_ADDRESS -> "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
      case BASE58_ADDRESS -> "7Xz8f3Qm2KpR1vT9uYwLcB4dNhS6eJgA5oMkFiZtVxWq";
      default -> "example";
    };
  }
}

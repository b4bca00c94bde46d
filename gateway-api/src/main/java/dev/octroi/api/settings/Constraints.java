package dev.octroi.api.settings;

import dev.octroi.api.validation.HouseValidator;
import jakarta.validation.ConstraintViolation;
import java.util.List;

/** The constraints on settings. */
final class Constraints {

  private Constraints() {}

  /** What a record's component would break with this value, one message per constraint. */
  static List<String> broken(Class<? extends Record> record, String component, Object value) {
    return HouseValidator.get().validateValue(record, component, value).stream()
        .map(ConstraintViolation::getMessage)
        .sorted()
        .toList();
  }
}

package dev.octroi.api.settings;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.hibernate.validator.HibernateValidator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;

/**
 * Hibernate Validator, called by us: what a container does with constraints differs from one to the
 * next. The interpolator needs no expression language, which a plain servlet container lacks.
 */
final class Constraints {

  private static final Validator VALIDATOR =
      Validation.byProvider(HibernateValidator.class)
          .configure()
          .messageInterpolator(
              new ParameterMessageInterpolator(Set.of(Locale.ENGLISH), Locale.ENGLISH, false))
          .buildValidatorFactory()
          .getValidator();

  private Constraints() {}

  /** What a record's component would break with this value, one message per constraint. */
  static List<String> broken(Class<? extends Record> record, String component, Object value) {
    return VALIDATOR.validateValue(record, component, value).stream()
        .map(ConstraintViolation::getMessage)
        .sorted()
        .toList();
  }
}

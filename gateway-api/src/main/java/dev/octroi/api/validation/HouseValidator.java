package dev.octroi.api.validation;

import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.util.Locale;
import java.util.Set;
import org.hibernate.validator.HibernateValidator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;

/**
 * Hibernate Validator, called by us: what a container does with constraints differs from one to the
 * next. The interpolator needs no expression language, which a plain servlet container lacks.
 */
public final class HouseValidator {

  private static final Validator VALIDATOR =
      Validation.byProvider(HibernateValidator.class)
          .configure()
          .messageInterpolator(
              new ParameterMessageInterpolator(Set.of(Locale.ENGLISH), Locale.ENGLISH, false))
          .buildValidatorFactory()
          .getValidator();

  private HouseValidator() {}

  public static Validator get() {
    return VALIDATOR;
  }
}

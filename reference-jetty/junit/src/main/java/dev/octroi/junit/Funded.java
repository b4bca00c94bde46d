package dev.octroi.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a {@link Payer} of a test has; {@value #USUAL} dollars where nothing is said. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Funded {

  /** Dollars of a payer without this annotation. */
  String USUAL = "10";

  /** Decimal dollars with at most six places, such as {@code "0.005"}; {@code "0"} is nothing. */
  String value();
}

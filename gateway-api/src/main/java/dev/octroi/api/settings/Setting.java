package dev.octroi.api.settings;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes one component of a settings record; the reference page is made from it. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

  /** What it does, its unit and range, in one or two sentences. */
  String about();

  /**
   * The default, in the text form that a file would have: lists comma-separated, maps as {@code
   * key=value} comma-separated. Empty means that there is none: such a setting is required, unless
   * it is optional, a list or a map.
   */
  String value() default "";
}

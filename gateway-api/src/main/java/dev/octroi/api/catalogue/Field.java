package dev.octroi.api.catalogue;

import dev.octroi.services.Worded;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes one component of a body's record, beside its constraints. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {

  /** What it is, in a few words. */
  String value();

  /** What holds where it is absent: a whole number, {@code true} or {@code false}. */
  String byDefault() default "";

  /** Characters at most, where that is checked with an error code of its own. */
  int longest() default 0;

  /** The least number, where the record checks it itself. */
  int least() default 0;

  /** The largest number, where the record checks it itself; 0 for none. */
  int most() default 0;

  /** The constants whose words are the only ones taken. */
  Class<? extends Worded> words() default Worded.class;

  /** JSON Schema's format, such as {@code uri}. */
  String format() default "";
}

package dev.octroi.api.openapi;

import dev.octroi.services.read.Read;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of a resource's method what its signature does not, for the description. A method without it
 * is described by its path alone.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Described {

  /** What a call does, in a few words; what is sold says so itself. */
  String value() default "";

  /** What a caller should know besides, in Markdown. */
  String more() default "";

  /** The record of the body of a free call. */
  Class<?> body() default Void.class;

  /** The schema of the body of a free call in {@code schemas.json}, where there is no record. */
  String bodySchema() default "";

  /**
   * What a free call may send, as JSON that works against the sandbox: its body, or where it has
   * none its path parameters by name.
   */
  String example() default "";

  /** The schema in {@code schemas.json} of a body that may also come as a form. */
  String formSchema() default "";

  /** The record of the answer. */
  Class<?> answer() default Void.class;

  /** The schema of the answer in {@code schemas.json}, where there is no record. */
  String answerSchema() default "";

  /** The same for an answer of 202, where there is one. */
  String acceptedSchema() default "";

  /** The same for an answer of 503, where that is no error. */
  String unavailableSchema() default "";

  /** The media types of the answer. */
  String[] answerTypes() default "application/json";

  /** The status of success. */
  int status() default 200;

  /** The table whose rows a wildcard stands for. */
  Class<? extends Read> rows() default Read.class;

  /** Query parameters that the method reads by itself: {@code name: what it is}. */
  String[] query() default {};

  /** Headers that it reads: {@code name: what it is}. */
  String[] headers() default {};
}

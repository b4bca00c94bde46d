package dev.octroi.api.catalogue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a paid method that is no row of a read group, for the {@link Catalogue}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Sold {

  /** What a call does, in one sentence. */
  String about();

  /** The records that the body is read into; their constraints are the schema. */
  Class<? extends Record>[] body() default {};

  /**
   * The file beside the resource class with the schema, without its ending, of a body that is not
   * read into records; empty where it is, or where there is no body.
   */
  String schema() default "";

  /** Headers that a call must have, as {@code name=value}. */
  String[] headers() default {};

  /** Arguments that do, as a JSON object. */
  String example() default "{}";

  /** What a call changes in the world; agents are told. */
  Effect effect() default Effect.NONE;

  /** What a call changes in the world. */
  enum Effect {
    /** It reads, or makes an answer. */
    NONE,
    /** It adds something, such as a lease. */
    ADDS,
    /** What it does cannot be undone, such as a text that is sent. */
    FINAL
  }
}

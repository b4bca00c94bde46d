package dev.octroi.services.language;

/** Whether the model may, must or must not ask for a tool. */
public sealed interface ToolChoice {

  /** The model decides. */
  record Auto() implements ToolChoice {}

  /** No tool. */
  record None() implements ToolChoice {}

  /** At least one, whichever. */
  record Any() implements ToolChoice {}

  /** This one. */
  record Named(String name) implements ToolChoice {}
}

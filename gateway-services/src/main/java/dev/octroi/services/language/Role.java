package dev.octroi.services.language;

/** Who speaks in a turn. The two kinds of instruction stay apart because some models tell them. */
public enum Role {
  SYSTEM,
  DEVELOPER,
  USER,
  ASSISTANT;

  /** Whether the turn instructs the model instead of talking with it. */
  public boolean instructs() {
    return this == SYSTEM || this == DEVELOPER;
  }
}

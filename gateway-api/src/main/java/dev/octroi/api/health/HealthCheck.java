package dev.octroi.api.health;

/**
 * One thing that must be well for calls to be served. Thread-safe.
 *
 * @param name a word, such as {@code database}
 * @param todo what an operator does when it is not well, one sentence; served to any caller, so
 *     nothing in it is secret
 * @param probe looks
 */
public record HealthCheck(String name, String todo, Probe probe) {

  /** Looks at something that may be slow or fail in any way. */
  @FunctionalInterface
  public interface Probe {

    /** True if it is well; false, or anything thrown, if not. */
    boolean isWell() throws Exception;
  }
}

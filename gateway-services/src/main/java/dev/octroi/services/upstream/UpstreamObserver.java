package dev.octroi.services.upstream;

import java.util.Map;

/**
 * Is told of the calls of upstreams, for figures and traces. Thread-safe; implementations return at
 * once and throw nothing.
 */
@FunctionalInterface
public interface UpstreamObserver {

  /** Looks away. */
  UpstreamObserver NONE = (upstream, method) -> Watched.UNSEEN;

  /**
   * A call is about to begin, on the thread that asks for it.
   *
   * @param upstream its name in the settings, never a vendor's
   * @param method GET, POST or DELETE
   */
  Watched begins(String upstream, String method);

  /** One call, until its answer has been read or its stream's first byte is there. */
  @FunctionalInterface
  interface Watched {

    /** A call whose end no observer is told of. */
    Watched UNSEEN = status -> {};

    /** What the call says to the upstream besides, such as the trace that it is part of. */
    default Map<String, String> headers() {
      return Map.of();
    }

    /**
     * The call has ended, on any thread.
     *
     * @param status HTTP status of the answer; 0 if none came
     */
    void ended(int status);
  }
}

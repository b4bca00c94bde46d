package dev.octroi.payments;

/** Which host answers name as this server's. Implementations are thread-safe and do not block. */
@FunctionalInterface
public interface HostNaming {

  /** The one that the caller named, whichever that is. */
  HostNaming AS_CALLED = (request, named) -> named;

  /**
   * The host to tell a caller.
   *
   * @param named the one that the request names, with its port if it has one; the caller may have
   *     written anything there
   * @return {@code named}, or the host that stands for this server, with its port if it has one
   */
  String told(Exchange request, String named);
}

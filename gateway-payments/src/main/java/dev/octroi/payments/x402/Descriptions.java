package dev.octroi.payments.x402;

/**
 * Describes the resources of paid methods in their challenges.
 *
 * <p>Implementations are thread-safe and do no I/O; they are asked for every challenge.
 */
@FunctionalInterface
public interface Descriptions {

  /** Tells addresses only. */
  Descriptions NONE = (method, path) -> Description.NONE;

  /**
   * What there is to say of a resource.
   *
   * @param method the HTTP method, in upper case
   * @param path the path below the application, as {@link dev.octroi.payments.PricedRequest#path}
   *     has it
   */
  Description of(String method, String path);
}

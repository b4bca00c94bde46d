package dev.octroi.services.upstream;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A caller's request that is passed on as it is.
 *
 * @param method in upper case
 * @param target what stands after the base address, encoded, byte for byte as it is sent
 * @param headers in their order; none of them belongs to the caller's connection
 * @param repeatable whether it may be sent again where no answer came, or one that says that the
 *     upstream is down
 * @param firstByte how long the head of the answer may take, the wait for a connection included
 * @param idle how long the upstream may then be silent
 */
public record ProxyRequest(
    String method,
    String target,
    List<Header> headers,
    Optional<Body> body,
    boolean repeatable,
    Duration firstByte,
    Duration idle) {

  public ProxyRequest {
    headers = List.copyOf(headers);
  }

  /** One line of a head. */
  public record Header(String name, String value) {}

  /**
   * Bytes whose number is known.
   *
   * @param bytes opens them from their start, each time that it is asked
   */
  public record Body(long length, Supplier<InputStream> bytes) {}
}

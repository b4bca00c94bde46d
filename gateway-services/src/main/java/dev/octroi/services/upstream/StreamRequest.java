package dev.octroi.services.upstream;

import java.time.Duration;
import java.util.Map;

/**
 * One POST whose answer is read while it is written.
 *
 * @param target path below the base address, percent-encoded
 * @param json the body
 * @param headers that the vendor wants besides its credential
 * @param firstByte how long the first byte of the body may take, the wait for a connection included
 * @param idle how long the upstream may then be silent
 */
public record StreamRequest(
    String target, byte[] json, Map<String, String> headers, Duration firstByte, Duration idle) {

  public StreamRequest {
    headers = Map.copyOf(headers);
  }

  /** A minute for the first byte, and a minute for each that follows. */
  public static StreamRequest of(String target, byte[] json) {
    return new StreamRequest(target, json, Map.of(), Duration.ofMinutes(1), Duration.ofMinutes(1));
  }

  public StreamRequest with(Map<String, String> others) {
    return new StreamRequest(target, json, others, firstByte, idle);
  }

  public StreamRequest timeouts(Duration forFirstByte, Duration betweenBytes) {
    return new StreamRequest(target, json, headers, forFirstByte, betweenBytes);
  }
}

package dev.octroi.services.upstream;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an upstream said: 2xx with valid JSON (204: nothing), or an error of 400 and above with
 * whatever body.
 *
 * @param status HTTP status, 200 to 299 or 400 to 599
 * @param headers the first value of each, names in lower case
 * @param body decompressed; do not modify
 */
public record UpstreamAnswer(int status, Map<String, String> headers, byte[] body) {

  private static final Set<Integer> REFUSALS =
      Set.of(400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429);

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  public boolean successful() {
    return status < 300;
  }

  /**
   * Whether it says for certain that nothing was done: that the request was looked at and refused.
   * A deadline that passed (408), a conflict with what may be this very request (409) and whatever
   * else a server or a proxy may say of a request that is under way, is no such answer.
   */
  public boolean refused() {
    return REFUSALS.contains(status);
  }

  /**
   * Whether JSON is not in UTF-16 or UTF-32, which parsers read too, and of which the signs have a
   * byte of 0: what is added to a body is UTF-8.
   */
  public static boolean isUtf8(byte[] json) {
    for (byte one : json) {
      if (one == 0) {
        return false;
      }
    }
    return true;
  }

  /** The seconds of {@code Retry-After}, where it has that form; at most an hour. */
  public Optional<Duration> retryAfter() {
    return header("retry-after")
        .filter(value -> value.matches("\\d{1,6}"))
        .map(value -> Duration.ofSeconds(Math.min(3600, Long.parseLong(value))));
  }
}

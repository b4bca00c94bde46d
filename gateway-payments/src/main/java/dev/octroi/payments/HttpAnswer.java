package dev.octroi.payments;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer that payments give in place of a method's: a challenge, a refusal, or what was bought
 * before. Errors have the flat shape {@code {"error": "…"}} (decisions, error shapes).
 *
 * @param status HTTP status
 * @param headers by name, in order; the media type of the body among them
 * @param body the bytes of the body; not to be modified
 */
public record HttpAnswer(int status, Map<String, String> headers, byte[] body) {

  private static final String JSON = "application/json";
  private static final String RETRY_SECONDS = "1";

  /** An answer in JSON that no cache keeps. */
  public static HttpAnswer json(int status, byte[] body) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", JSON);
    headers.put("Cache-Control", "no-store");
    return new HttpAnswer(status, headers, body);
  }

  /**
   * An error.
   *
   * @param sentence what the caller is told
   */
  public static HttpAnswer error(int status, String sentence) {
    String text = new String(JsonStringEncoder.getInstance().quoteAsString(sentence));
    return json(status, ("{\"error\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8));
  }

  /** An error after which the same request may be sent again in a second. */
  public static HttpAnswer retry(int status, String sentence) {
    return error(status, sentence).with("Retry-After", RETRY_SECONDS);
  }

  /** 503: nothing was decided, and the same request may be sent again. */
  public static HttpAnswer busy(String sentence) {
    return retry(503, sentence);
  }

  /** The same with one more header. */
  public HttpAnswer with(String name, String value) {
    return with(Map.of(name, value));
  }

  /** The same with more headers. */
  public HttpAnswer with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new HttpAnswer(status, all, body);
  }
}

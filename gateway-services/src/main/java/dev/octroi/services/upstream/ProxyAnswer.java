package dev.octroi.services.upstream;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * An answer that is passed on as it is, whatever its status: its head is there, its body is read as
 * the upstream writes it. Must be closed; closing it early hangs up.
 */
public final class ProxyAnswer implements AutoCloseable {

  private static final String LENGTH = "Content-Length";
  private static final String CODING = "Transfer-Encoding";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private final int status;
  private final HttpHeaders headers;
  private final BodyStream body;

  private ProxyAnswer(int status, HttpHeaders headers, BodyStream body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /**
   * An answer whose end is beyond doubt: one that says it in two ways could leave its rest on the
   * connection, to be taken for the next answer. The JDK knows no other coding than {@code
   * chunked}, and would hand on what frames its pieces.
   */
  static ProxyAnswer of(HttpResponse<BodyQueue> response, BodyStream body) {
    HttpHeaders headers = response.headers();
    boolean ambiguous =
        headers.allValues(LENGTH).stream().distinct().count() > 1
            || !headers.allValues(LENGTH).stream().allMatch(NUMBER.asMatchPredicate())
            || !headers.allValues(CODING).stream().allMatch("chunked"::equalsIgnoreCase)
            || (headers.firstValue(LENGTH).isPresent() && headers.firstValue(CODING).isPresent());
    if (ambiguous || response.statusCode() < 200) {
      throw Failures.unreadable(new IOException("an answer whose length is ambiguous"));
    }
    return new ProxyAnswer(response.statusCode(), headers, body);
  }

  /** 200 to 599. */
  public int status() {
    return status;
  }

  /** All values of each, by name. */
  public Map<String, List<String>> headers() {
    return headers.map();
  }

  /** The values of a header, joined by commas. */
  public Optional<String> header(String name) {
    List<String> values = headers.allValues(name.toLowerCase(Locale.ROOT));
    return values.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", values));
  }

  /** How long the body is in bytes, where the head says so, and be it twice. */
  public OptionalLong length() {
    return headers.firstValueAsLong(LENGTH);
  }

  /** Whether the upstream, or a proxy before it, says that it cannot serve. */
  boolean isDown() {
    return status == 502 || status == 503 || status == 504;
  }

  /**
   * The bytes as they come, encoded as the head says. A read that waits longer than the upstream
   * may be silent, or past the call's deadline, and one whose upstream hangs up, throws {@link
   * UpstreamStream.BrokenStream}.
   */
  public InputStream body() {
    return body;
  }

  @Override
  public void close() {
    body.close();
  }
}

package dev.octroi.services.upstream;

import dev.octroi.services.Failure;
import dev.octroi.services.upstream.Exchange.AnswerTooLarge;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An answer whose first byte has come: the rest is read as the upstream writes it. Must be closed;
 * closing it early hangs up.
 */
public final class UpstreamStream implements AutoCloseable {

  private final int status;
  private final Map<String, String> headers;
  private final InputStream body;

  UpstreamStream(int status, Map<String, String> headers, InputStream body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** 200 to 299, or 400 to 599 with a body that has been read, up to a limit. */
  public int status() {
    return status;
  }

  /** The first value of each, names in lower case. */
  public Map<String, String> headers() {
    return headers;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  public boolean successful() {
    return status < 300;
  }

  /** The time of {@code Retry-After}, as {@link UpstreamAnswer#retryAfter()}. */
  public Optional<Duration> retryAfter() {
    return new UpstreamAnswer(status, headers, new byte[0]).retryAfter();
  }

  /**
   * The bytes as they come. A read that waits longer than the upstream may be silent, or past the
   * call's deadline, and one whose upstream hangs up, throws {@link BrokenStream}.
   */
  public InputStream body() {
    return body;
  }

  /**
   * All that is left, for an answer that is no stream.
   *
   * @throws BrokenStream if it breaks off or is longer than that
   */
  public byte[] readAll(int limit) throws IOException {
    byte[] all = body.readNBytes(limit);
    if (body.read() >= 0) {
      close();
      throw new BrokenStream(Failures.unreadable(new AnswerTooLarge(limit)));
    }
    return all;
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException impossible) {
      throw new IllegalStateException("closing only hangs up", impossible);
    }
  }

  /** An answer that ended before its end, after its first byte had come. */
  public static final class BrokenStream extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    BrokenStream(Failure failure) {
      super(failure.getMessage(), failure);
      this.failure = failure;
    }

    /** What a caller may be told. */
    public Failure failure() {
      return failure;
    }
  }
}

package dev.octroi.services.web;

import dev.octroi.services.Deadline;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageFetcher.Fetched.Page;
import dev.octroi.services.web.PageFetcher.Fetched.Reason;
import dev.octroi.services.web.PageFetcher.Fetched.Refused;
import dev.octroi.services.web.PageFetcher.Wanted;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/** One fetch, from its first address over its redirections to a page. Used once. */
final class PageVisit {

  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final PageConnections connections;
  private final WebAddress first;
  private final FetchLimits limits;
  private final Wanted wanted;
  private final Deadline deadline;
  private @Nullable HttpGet current;
  private boolean left;

  PageVisit(
      PageConnections connections,
      WebAddress first,
      FetchLimits limits,
      Wanted wanted,
      Deadline deadline) {
    this.connections = connections;
    this.first = first;
    this.limits = limits;
    this.wanted = wanted;
    this.deadline = deadline;
  }

  /** Hangs up, from another thread. */
  synchronized void leave() {
    left = true;
    if (current != null) {
      current.cancel();
    }
  }

  Fetched run() {
    WebAddress address = first;
    for (int redirects = 0; redirects <= limits.redirects(); redirects++) {
      if (!connections.guard().admits(address)) {
        return new Refused(Reason.NOT_PUBLIC);
      }
      HttpGet request = request(address);
      if (!begin(request)) {
        return new Refused(Reason.TOO_SLOW);
      }
      try {
        ClassicHttpResponse response = connections.open(request);
        if (!REDIRECTS.contains(response.getCode())) {
          return page(address, response);
        }
        Optional<WebAddress> next = next(address, response);
        if (next.isEmpty()) {
          return new Refused(Reason.REDIRECTS);
        }
        address = next.get();
      } catch (IOException failed) {
        return new Refused(reason(failed));
      } finally {
        // First of all: a client that closes an answer politely reads it to its end.
        request.cancel();
      }
    }
    return new Refused(Reason.REDIRECTS);
  }

  private HttpGet request(WebAddress address) {
    HttpGet request = new HttpGet(address.uri());
    request.setHeader("Accept", wanted.accept());
    request.setHeader("Accept-Encoding", "gzip");
    request.setHeader("Connection", "close");
    return request;
  }

  private synchronized boolean begin(HttpGet request) {
    current = request;
    return !left && !deadline.remaining().isZero();
  }

  private static Optional<WebAddress> next(WebAddress from, ClassicHttpResponse response) {
    Header location = response.getFirstHeader("Location");
    return location == null || location.getValue() == null
        ? Optional.empty()
        : from.resolve(location.getValue());
  }

  private Fetched page(WebAddress address, ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    if (response.getCode() != 200 || entity == null) {
      return new Refused(Reason.STATUS);
    }
    ContentType type = ContentType.parseLenient(entity.getContentType());
    String mime = type == null ? "" : type.getMimeType().toLowerCase(Locale.ROOT);
    if (!wanted.includes(mime)) {
      return new Refused(wanted.refusal());
    }
    byte[] body = body(entity);
    if (body.length > limits.bytes()) {
      return new Refused(Reason.TOO_LARGE);
    }
    Optional<Charset> charset = Optional.ofNullable(type).map(ContentType::getCharset);
    return new Page(address.uri(), Wanted.isHtml(mime), charset, body);
  }

  /** At most one byte more than the limit, of the wire as of what it inflates to. */
  private byte[] body(HttpEntity entity) throws IOException {
    InputStream wire = new AtMost(entity.getContent(), limits.bytes());
    String encoding = entity.getContentEncoding();
    if (encoding == null || encoding.equalsIgnoreCase("identity")) {
      return wire.readNBytes(limits.bytes() + 1);
    }
    if (!encoding.equalsIgnoreCase("gzip") && !encoding.equalsIgnoreCase("x-gzip")) {
      throw new IOException("unknown content encoding");
    }
    return new GZIPInputStream(wire).readNBytes(limits.bytes() + 1);
  }

  private static Reason reason(IOException failed) {
    if (failed instanceof Guard.NotPublic) {
      return Reason.NOT_PUBLIC;
    }
    if (failed instanceof AtMost.Exceeded) {
      return Reason.TOO_LARGE;
    }
    return failed instanceof SocketTimeoutException ? Reason.TOO_SLOW : Reason.UNREACHABLE;
  }

  /** A stream that may not be longer than a limit, which compressed nothings can be without end. */
  private static final class AtMost extends FilterInputStream {

    private long left;

    AtMost(InputStream in, int limit) {
      super(in);
      this.left = limit;
    }

    @Override
    public int read() throws IOException {
      int octet = super.read();
      count(octet < 0 ? 0 : 1);
      return octet;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      count(Math.max(0, read));
      return read;
    }

    private void count(int read) throws IOException {
      left -= read;
      if (left < 0) {
        throw new Exceeded();
      }
    }

    /** It is longer. */
    static final class Exceeded extends IOException {

      private static final long serialVersionUID = 1L;

      Exceeded() {
        super("too large");
      }
    }
  }
}

package dev.octroi.services.web;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import java.net.URI;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.ssl.SSLContexts;
import org.jspecify.annotations.Nullable;

/**
 * Fetches pages of the public web, and of nothing else, within limits of time, size and number.
 * Sends no cookies and no credentials, and uses no proxy. Thread-safe.
 */
public final class PageFetcher implements AutoCloseable {

  /** Pages that one call fetches at the same time, so that it leaves places to others. */
  private static final int SIDE_BY_SIDE = 8;

  private static final Duration SOON = Duration.ofSeconds(1);

  private final FetchLimits limits;
  private final Wanted wanted;
  private final Semaphore places;
  private final ExecutorService threads;
  private final Guard guard;
  private final Supplier<SSLContext> trust;
  private @Nullable PageConnections connections;

  /**
   * @param ports that pages may be fetched from
   */
  public PageFetcher(FetchLimits limits, Set<Integer> ports, HostThreads threads) {
    this(limits, ports, Wanted.TEXT, threads);
  }

  /**
   * @param ports that may be fetched from
   * @param wanted what is taken
   */
  public PageFetcher(FetchLimits limits, Set<Integer> ports, Wanted wanted, HostThreads threads) {
    this(limits, Guard.ofPublicWeb(ports), wanted, SSLContexts::createSystemDefault, threads);
  }

  /** A fetcher of text with a guard of a test's own. */
  PageFetcher(FetchLimits limits, Guard guard, Supplier<SSLContext> trust) {
    this(limits, guard, Wanted.TEXT, trust, HostThreads.OF_THE_JVM);
  }

  /**
   * @param trust asked when the first page is fetched, for trust stores take their time
   */
  PageFetcher(
      FetchLimits limits,
      Guard guard,
      Wanted wanted,
      Supplier<SSLContext> trust,
      HostThreads threads) {
    this.limits = limits;
    this.wanted = wanted;
    this.guard = guard;
    this.trust = trust;
    this.places = new Semaphore(limits.atOnce());
    this.threads = threads.pool("web");
  }

  /**
   * Fetches a page.
   *
   * @param deadline when the call must have ended; the fetch's own holds besides
   * @throws Failure 503 when too many fetches are under way, or the gateway is stopping
   */
  public Fetched fetch(WebAddress address, Deadline deadline) {
    return start(address, deadline).result();
  }

  /**
   * Fetches several pages, some at the same time.
   *
   * @param made what is kept of what came of each, so that no more pages are held than are fetched
   *     at the same time; called in their order, by this thread
   * @throws Failure as {@link #fetch}
   */
  public <R> List<R> fetchAll(
      List<WebAddress> addresses, Deadline deadline, Function<Fetched, R> made) {
    List<R> all = new ArrayList<>();
    for (int next = 0; next < addresses.size(); next += SIDE_BY_SIDE) {
      int end = Math.min(addresses.size(), next + SIDE_BY_SIDE);
      List<Running> some = new ArrayList<>();
      try {
        addresses.subList(next, end).forEach(address -> some.add(start(address, deadline)));
        some.forEach(running -> all.add(made.apply(running.result())));
      } finally {
        some.forEach(running -> running.visit().leave());
      }
    }
    return all;
  }

  private Running start(WebAddress address, Deadline deadline) {
    Deadline ends = deadline.atMost(limits.deadline());
    take(ends);
    PageVisit visit = new PageVisit(connections(), address, limits, wanted, ends);
    return new Running(visit, threads.submit(() -> visited(visit)), ends);
  }

  /** A fetch under way. */
  private record Running(PageVisit visit, Future<Fetched> future, Deadline ends) {

    Fetched result() {
      try {
        return future.get(ends.remaining().toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | CancellationException late) {
        visit.leave();
        return new Fetched.Refused(Fetched.Reason.TOO_SLOW);
      } catch (InterruptedException stop) {
        visit.leave();
        Thread.currentThread().interrupt();
        throw unavailable("The gateway is stopping");
      } catch (ExecutionException unforeseen) {
        throw new IllegalStateException(unforeseen.getCause());
      }
    }
  }

  /** The place is given back by the visit's own thread: a resolver that hangs keeps it. */
  private Fetched visited(PageVisit visit) {
    try {
      return visit.run();
    } finally {
      places.release();
    }
  }

  private void take(Deadline ends) {
    try {
      if (!places.tryAcquire(ends.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw unavailable("Too many pages are being fetched");
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw unavailable("The gateway is stopping");
    }
  }

  private static Failure unavailable(String message) {
    return new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, message, SOON, null);
  }

  private synchronized PageConnections connections() {
    if (connections == null) {
      connections = new PageConnections(limits, guard, new DefaultClientTlsStrategy(trust.get()));
    }
    return connections;
  }

  /** Ends what is under way. */
  @Override
  public synchronized void close() {
    threads.shutdownNow();
    if (connections != null) {
      connections.close();
    }
  }

  /** What a fetch takes; anything else is refused before it is read. */
  public enum Wanted {
    /** HTML and plain text. */
    TEXT(
        Fetched.Reason.NOT_TEXT,
        "text/html",
        "application/xhtml+xml",
        "text/markdown",
        "text/plain"),
    /** Pictures, and bytes whose kind the host does not know. */
    PICTURE(
        Fetched.Reason.NOT_PICTURE,
        "image/png",
        "image/jpeg",
        "image/webp",
        "application/octet-stream"),
    /** JSON and YAML, which hosts also call text. */
    DOCUMENT(
        Fetched.Reason.NOT_DOCUMENT,
        "application/json",
        "application/yaml",
        "application/x-yaml",
        "text/yaml",
        "text/x-yaml",
        "application/vnd.oai.openapi",
        "application/vnd.oai.openapi+json",
        "text/plain",
        "application/octet-stream");

    private final Fetched.Reason refusal;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<String> types;

    Wanted(Fetched.Reason refusal, String... types) {
      this.refusal = refusal;
      this.types = List.of(types);
    }

    /** Why anything else is refused. */
    Fetched.Reason refusal() {
      return refusal;
    }

    boolean includes(String mediaType) {
      return types.contains(mediaType);
    }

    String accept() {
      return String.join(",", types);
    }

    static boolean isHtml(String mediaType) {
      return mediaType.equals("text/html") || mediaType.equals("application/xhtml+xml");
    }
  }

  /**
   * How much a fetch may cost.
   *
   * @param deadline for the whole of it, redirections included
   * @param bytes the largest page, after decompression
   * @param redirects how many are followed
   * @param atOnce fetches under way
   */
  public record FetchLimits(Duration deadline, int bytes, int redirects, int atOnce) {

    public FetchLimits {
      if (deadline.isNegative() || deadline.isZero() || bytes < 1 || redirects < 0 || atOnce < 1) {
        throw new IllegalArgumentException("A fetch has time, bytes and a place");
      }
    }
  }

  /** What came of a fetch. */
  public sealed interface Fetched {

    /**
     * A page.
     *
     * @param url where it was found, after redirections
     * @param html whether it is HTML, and not plain text or Markdown
     * @param charset as its header says
     * @param body decompressed; do not modify
     */
    record Page(URI url, boolean html, Optional<Charset> charset, byte[] body) implements Fetched {}

    /** None, for this reason. */
    record Refused(Reason reason) implements Fetched {}

    /** Why there is no page; the text is for the caller and tells nothing of the inside. */
    enum Reason {
      NOT_PUBLIC("it is not on the public web"),
      UNREACHABLE("it cannot be reached"),
      TOO_SLOW("it took too long"),
      TOO_LARGE("it is too large"),
      REDIRECTS("it redirects too often, or to nowhere"),
      STATUS("it does not answer with a page"),
      NOT_TEXT("it is neither HTML nor plain text"),
      NOT_PICTURE("it is not a picture"),
      NOT_DOCUMENT("it is neither JSON nor YAML");

      private final String text;

      Reason(String text) {
        this.text = text;
      }

      public String text() {
        return text;
      }
    }
  }
}

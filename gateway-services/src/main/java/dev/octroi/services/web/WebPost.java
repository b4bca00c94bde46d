package dev.octroi.services.web;

import dev.octroi.services.Deadline;
import dev.octroi.services.HostThreads;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.ssl.SSLContexts;
import org.jspecify.annotations.Nullable;

/**
 * Posts to one address within a deadline: follows no redirect, and reads only the beginning of an
 * answer. The name of the host may change its addresses between two posts; each is asked of the
 * guard. Thread-safe.
 */
public final class WebPost implements AutoCloseable {

  /** Bytes of an answer that are read. */
  private static final int READ = 1024;

  private final WebAddress to;
  private final Guard guard;
  private final FetchLimits limits;
  private final ExecutorService threads;
  private @Nullable PageConnections connections;

  /** What came of a post. */
  public sealed interface Posted {

    /**
     * The host has answered.
     *
     * @param retryAfter the header of this name
     * @param start how the body begins
     */
    record Answered(int status, Optional<String> retryAfter, String start) implements Posted {}

    /** There is no answer, for this reason. */
    record Unanswered(String why) implements Posted {}
  }

  /**
   * Connects to nothing yet.
   *
   * @param anywhere whether the host may lie in a private network
   * @param deadline for the whole of a post
   * @param atOnce posts under way at most
   */
  public WebPost(
      WebAddress to, boolean anywhere, Duration deadline, int atOnce, HostThreads threads) {
    this.to = to;
    Set<Integer> port = Set.of(to.port());
    this.guard = anywhere ? Guard.ofAnyNetwork(port) : Guard.ofPublicWeb(port);
    this.limits = new FetchLimits(deadline, READ, 0, atOnce);
    this.threads = threads.pool("octroi-post");
  }

  /** Posts JSON, and waits for the answer. */
  public Posted post(Map<String, String> headers, byte[] json) {
    if (!guard.admits(to)) {
      return new Posted.Unanswered("The address is not on the public web.");
    }
    Deadline deadline = Deadline.in(limits.deadline());
    HttpPost request = new HttpPost(to.uri());
    headers.forEach(request::setHeader);
    request.setHeader("Connection", "close");
    request.setEntity(new ByteArrayEntity(json, ContentType.APPLICATION_JSON));
    // An answer is one as soon as its head is there, whether or not its body ends.
    CompletableFuture<Posted> head = new CompletableFuture<>();
    try {
      return threads
          .submit(() -> send(request, head))
          .get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      return head.getNow(
          new Posted.Unanswered("No answer within " + limits.deadline().toSeconds() + " s."));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return new Posted.Unanswered("The gateway is stopping.");
    } catch (RejectedExecutionException stop) {
      return new Posted.Unanswered("The gateway is stopping.");
    } catch (ExecutionException unforeseen) {
      throw new IllegalStateException(unforeseen.getCause());
    } finally {
      request.cancel();
    }
  }

  private Posted send(HttpPost request, CompletableFuture<Posted> head) {
    try {
      ClassicHttpResponse response = connections().open(request);
      Header after = response.getFirstHeader("Retry-After");
      Optional<String> retryAfter = Optional.ofNullable(after).map(Header::getValue);
      int status = response.getCode();
      head.complete(new Posted.Answered(status, retryAfter, ""));
      if (response.getEntity() == null) {
        return new Posted.Answered(status, retryAfter, "");
      }
      // Not closed: that would read it to its end. The request's cancellation ends it.
      InputStream body = response.getEntity().getContent();
      String start = new String(body.readNBytes(READ), StandardCharsets.UTF_8);
      return new Posted.Answered(status, retryAfter, start);
    } catch (Guard.NotPublic e) {
      return new Posted.Unanswered("The address is not on the public web.");
    } catch (IOException e) {
      return head.getNow(new Posted.Unanswered("The host cannot be reached, or broke off."));
    } finally {
      request.cancel();
    }
  }

  private synchronized PageConnections connections() {
    if (connections == null) {
      connections =
          new PageConnections(
              limits, guard, new DefaultClientTlsStrategy(SSLContexts.createSystemDefault()));
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
}

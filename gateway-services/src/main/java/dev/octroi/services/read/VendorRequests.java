package dev.octroi.services.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import dev.octroi.services.upstream.VenueWords;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The requests that one call of a row makes of its vendor: at most as many as the row says, all
 * within one deadline. Thread-safe.
 */
public final class VendorRequests {

  /** The vendor answered a request with an error, which is then the answer of the whole call. */
  static final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient UpstreamAnswer answer;

    Refused(UpstreamAnswer answer) {
      super("The vendor refused a request", null, false, false);
      this.answer = answer;
    }

    UpstreamAnswer answer() {
      return answer;
    }
  }

  /** The one success besides 200: what was asked for has only begun. */
  private static final int ACCEPTED = 202;

  private final UpstreamClient client;
  private final Connector connector;
  private final Deadline deadline;
  private final Instant now;
  private final AtomicInteger left;
  private final Queue<CompletableFuture<?>> running = new ConcurrentLinkedQueue<>();

  /**
   * @param most how many requests at most
   * @param now the time of the call
   */
  VendorRequests(UpstreamClient client, Connector connector, int most, Instant now) {
    this.client = client;
    this.connector = connector;
    this.deadline = Deadline.in(client.settings().deadline());
    this.now = now;
    this.left = new AtomicInteger(most);
  }

  /** The time of the call. */
  public Instant now() {
    return now;
  }

  /** What the vendor calls the venues. */
  public VenueWords words() {
    return client.settings().words();
  }

  /**
   * Asks the vendor.
   *
   * @return the JSON object of a 200; an error of the vendor's fails the future, and is the answer
   *     of the whole call unless the computation handles it
   */
  public CompletableFuture<JsonNode> ask(UpstreamTarget target) {
    return send(target).thenApply(VendorRequests::object);
  }

  /**
   * The same, with another body where the vendor says that there is nothing.
   *
   * @param saysNone whether an answer is the vendor's word that there is nothing
   */
  public CompletableFuture<JsonNode> askOr(
      UpstreamTarget target, Predicate<UpstreamAnswer> saysNone, JsonNode absent) {
    return send(target).thenApply(answer -> saysNone.test(answer) ? absent : object(answer));
  }

  CompletableFuture<UpstreamAnswer> send(UpstreamTarget target) {
    if (left.getAndDecrement() <= 0) {
      throw new IllegalStateException("A call asks its vendor more often than its row says");
    }
    CompletableFuture<UpstreamAnswer> call =
        client.sendAsync(UpstreamRequest.get(target.encoded(words())), deadline);
    running.add(call);
    return call.thenApply(answer -> checked(target, answer));
  }

  private UpstreamAnswer checked(UpstreamTarget target, UpstreamAnswer answer) {
    if (answer.successful()) {
      UpstreamJson.requireNoError(client, answer);
    }
    if (answer.status() == 200) {
      connector.check(target, answer);
    } else if (answer.successful() && answer.status() != ACCEPTED) {
      throw Failures.unreadable("its status is " + answer.status());
    }
    return answer;
  }

  private static JsonNode object(UpstreamAnswer answer) {
    if (!answer.successful()) {
      throw new Refused(answer);
    }
    Failures.require(answer.status() == 200, "its status is not 200");
    return UpstreamJson.object(answer.body());
  }

  /** Ends what is under way, once the last reader has left. */
  void cancel() {
    running.forEach(call -> call.cancel(true));
  }
}

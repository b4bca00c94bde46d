package dev.octroi.services.read;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * The reads of a group from its upstream: arguments checked, fresh answers from memory, identical
 * concurrent reads as one call. Thread-safe.
 */
public final class UpstreamReads implements Reads {

  private final UpstreamClient client;
  private final Connector connector;
  private final AnswerCache cache;
  private final SharedCalls calls = new SharedCalls();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  public UpstreamReads(UpstreamClient client, Connector connector, CacheSettings settings) {
    this(client, connector, settings, Ticker.systemTicker());
  }

  /**
   * @param ticker the cache's clock, in nanoseconds
   */
  UpstreamReads(UpstreamClient client, Connector connector, CacheSettings settings, Ticker ticker) {
    this.client = client;
    this.connector = connector;
    this.cache = new AnswerCache(settings, ticker);
  }

  @Override
  public CacheFigures cacheFigures() {
    return new CacheFigures(hits.sum(), misses.sum());
  }

  @Override
  public Answer read(
      Read row, Map<String, String> path, Map<String, List<String>> query, Deadline deadline) {
    Arguments arguments = ParameterRules.check(row, path, query);
    UpstreamTarget target = connector.target(row, arguments);
    ReadKey key = new ReadKey(row.name(), arguments);
    Answer fresh = cache.fresh(key);
    if (fresh != null) {
      hits.increment();
      return fresh;
    }
    misses.increment();
    return calls.join(key, deadline, () -> ask(row, arguments, target, key));
  }

  /** The call itself, with the upstream's whole deadline: readers have their own. */
  @SuppressWarnings("FutureReturnValueIgnored") // the watcher's, which has nothing to say
  private CompletableFuture<Answer> ask(
      Read row, Arguments arguments, UpstreamTarget target, ReadKey key) {
    Answer fresh = cache.fresh(key); // a call may have ended since the reader looked
    if (fresh != null) {
      return CompletableFuture.completedFuture(fresh);
    }
    UpstreamRequest request = UpstreamRequest.get(target.encoded(client.settings().words()));
    CompletableFuture<UpstreamAnswer> call =
        client.sendAsync(request, Deadline.in(client.settings().deadline()));
    CompletableFuture<Answer> answer = call.thenApply(said -> made(row, arguments, key, said));
    answer.whenComplete(
        (made, error) -> {
          if (answer.isCancelled()) {
            call.cancel(true);
          }
        });
    return answer;
  }

  private Answer made(Read row, Arguments arguments, ReadKey key, UpstreamAnswer said) {
    if (!said.successful()) {
      return connector.error(row, arguments, said);
    }
    Answer answer = connector.success(row, arguments, said);
    cache.put(row, key, answer);
    return answer;
  }
}

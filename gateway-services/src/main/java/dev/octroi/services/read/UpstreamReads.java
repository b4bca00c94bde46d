package dev.octroi.services.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.read.Reads.CacheFigures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.Waiting;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a group from its upstream: arguments checked, fresh answers from memory, identical
 * concurrent reads as one call. Thread-safe.
 */
public final class UpstreamReads implements Reads {

  private final UpstreamClient client;
  private final Connector connector;
  private final Clock clock;
  private final AnswerCache cache;
  private final SharedCalls calls = new SharedCalls();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  public UpstreamReads(
      UpstreamClient client, Connector connector, CacheSettings settings, Clock clock) {
    this(client, connector, settings, clock, Ticker.systemTicker());
  }

  /**
   * @param ticker the cache's clock, in nanoseconds
   */
  UpstreamReads(
      UpstreamClient client,
      Connector connector,
      CacheSettings settings,
      Clock clock,
      Ticker ticker) {
    this.client = client;
    this.connector = connector;
    this.clock = clock;
    this.cache = new AnswerCache(settings, ticker);
  }

  @Override
  public CacheFigures cacheFigures() {
    return new CacheFigures(hits.sum(), misses.sum());
  }

  @Override
  public Answer read(
      Read row, Map<String, String> path, Map<String, List<String>> query, Deadline deadline) {
    Arguments arguments = ParameterRules.check(row, path, connector.named(row, query));
    Instant now = clock.instant();
    UpstreamTarget target = connector.target(row, arguments, now);
    ReadKey key = new ReadKey(row.name(), arguments);
    Answer fresh = cache.fresh(key);
    if (fresh != null) {
      hits.increment();
      return fresh;
    }
    misses.increment();
    return calls.join(key, deadline, () -> ask(row, arguments, target, key, now));
  }

  /** The call itself, with the upstream's whole deadline: readers have their own. */
  @SuppressWarnings("FutureReturnValueIgnored") // the watcher's, which has nothing to say
  private CompletableFuture<Answer> ask(
      Read row, Arguments arguments, UpstreamTarget target, ReadKey key, Instant now) {
    Answer fresh = cache.fresh(key); // a call may have ended since the reader looked
    if (fresh != null) {
      return CompletableFuture.completedFuture(fresh);
    }
    VendorRequests vendor = new VendorRequests(client, connector, row.source().calls(), now);
    CompletableFuture<Answer> answer =
        connector
            .computation(row, arguments)
            .map(made -> made.compute(arguments, target, vendor).thenApply(UpstreamReads::said))
            .orElseGet(() -> vendor.send(target).thenApply(said -> projected(row, arguments, said)))
            .handle(UpstreamReads::saidOrRefused)
            .thenApply(said -> made(row, arguments, key, said));
    answer.whenComplete(
        (made, error) -> {
          if (answer.isCancelled()) {
            vendor.cancel();
          }
        });
    return answer;
  }

  private static UpstreamAnswer projected(Read row, Arguments arguments, UpstreamAnswer whole) {
    return row.source()
        .projection()
        .filter(part -> whole.status() == 200)
        .map(part -> said(part.of(arguments, UpstreamJson.object(whole.body()))))
        .orElse(whole);
  }

  private static UpstreamAnswer said(JsonNode body) {
    return new UpstreamAnswer(200, Map.of(), UpstreamJson.bytes(body));
  }

  private static UpstreamAnswer saidOrRefused(
      @Nullable UpstreamAnswer said, @Nullable Throwable error) {
    if (error == null) {
      return Objects.requireNonNull(said);
    }
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (cause instanceof VendorRequests.Refused refused) {
      return refused.answer();
    }
    throw error instanceof CompletionException whole ? whole : new CompletionException(error);
  }

  private Answer made(Read row, Arguments arguments, ReadKey key, UpstreamAnswer said) {
    if (!said.successful()) {
      return connector.error(row, arguments, said);
    }
    Answer answer = connector.success(row, arguments, said);
    cache.put(row, key, answer);
    return answer;
  }

  /** Answers that are still fresh, within a number of bytes. Thread-safe. */
  private static final class AnswerCache {

    /** What an entry costs besides its arguments and its body: node and headers, roughly. */
    private static final int OVERHEAD = 1024;

    private record Entry(Answer answer, Duration freshness) {}

    private final Cache<ReadKey, Entry> entries;
    private final Duration unstated;

    AnswerCache(CacheSettings settings, Ticker ticker) {
      this.unstated = settings.unstated();
      this.entries =
          Caffeine.newBuilder()
              .maximumWeight(settings.maxBytes())
              .weigher(
                  (ReadKey key, Entry entry) ->
                      entry.answer().body().length + key.arguments().weight() + OVERHEAD)
              .expireAfter(Expiry.<ReadKey, Entry>creating((key, entry) -> entry.freshness()))
              .ticker(ticker)
              .build();
    }

    @Nullable Answer fresh(ReadKey key) {
      Entry entry = entries.getIfPresent(key);
      return entry == null ? null : entry.answer();
    }

    /** Remembers a 200 for as long as the row says. */
    void put(Read row, ReadKey key, Answer answer) {
      Duration freshness = row.freshness().isZero() ? unstated : row.freshness();
      if (answer.status() == 200 && answer.charged() && !freshness.isZero()) {
        entries.put(key, new Entry(answer, freshness));
      }
    }
  }

  /**
   * One upstream call for identical concurrent reads. Each reader keeps its own deadline; the call
   * is cancelled when the last of them has left; nothing outlives the call, so a failure is shared
   * by those who waited and by no later reader. Thread-safe.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // those of watchers, which have nothing to say
  private static final class SharedCalls {

    private static final class Call {
      final CompletableFuture<CompletableFuture<Answer>> begun = new CompletableFuture<>();
      final CompletableFuture<Answer> answer = begun.thenCompose(call -> call);
      int readers;
    }

    private final ConcurrentHashMap<ReadKey, Call> calls = new ConcurrentHashMap<>();

    /**
     * The answer of the call that is under way for the key, or of a new one.
     *
     * @param begin starts the call; run outside of any lock
     */
    Answer join(ReadKey key, Deadline deadline, Supplier<CompletableFuture<Answer>> begin) {
      Call mine = new Call();
      Call call = calls.compute(key, (same, running) -> joined(running == null ? mine : running));
      if (call == mine) {
        begin(key, mine, begin);
      }
      return Waiting.until(deadline, call.answer, () -> leave(key, call));
    }

    private static Call joined(Call call) {
      call.readers++;
      return call;
    }

    private void begin(ReadKey key, Call call, Supplier<CompletableFuture<Answer>> begin) {
      try {
        CompletableFuture<Answer> running = begin.get();
        running.whenComplete((answer, error) -> calls.remove(key, call));
        call.begun.complete(running);
      } catch (RuntimeException refused) {
        calls.remove(key, call);
        call.begun.completeExceptionally(refused);
      }
    }

    private void leave(ReadKey key, Call call) {
      boolean[] last = new boolean[1];
      calls.computeIfPresent(key, (same, running) -> left(running, call, last));
      if (last[0]) {
        call.begun.thenAccept(running -> running.cancel(true));
      }
    }

    /** Counts one reader out; null, which removes it, for a call without any. */
    private static @Nullable Call left(Call running, Call call, boolean[] last) {
      if (running != call) {
        return running;
      }
      call.readers--;
      last[0] = call.readers == 0;
      return last[0] ? null : call;
    }
  }

  /**
   * How much is remembered of a group's answers.
   *
   * @param maxBytes memory for bodies; the least used go first
   * @param unstated freshness of the rows that state none; zero for never
   */
  public record CacheSettings(long maxBytes, Duration unstated) {

    /** 64 MiB; nothing without a stated freshness. */
    public static CacheSettings standard() {
      return new CacheSettings(64L << 20, Duration.ZERO);
    }
  }

  /**
   * Two reads with equal keys get the same answer. The row is part of it because two rows may ask
   * the same of the upstream and make different records of it.
   */
  record ReadKey(String row, Arguments arguments) {}
}

package dev.octroi.api.observe;

import dev.octroi.api.observe.OutcomeSums.OutcomeSum;
import dev.octroi.payments.Daemons;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.services.HostThreads;
import dev.octroi.services.upstream.Failures;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts in memory how the calls of groups end, and adds the counts to the sums in the database
 * every 15 seconds. A call costs no statement; what callers do makes no more rows than there are
 * rows of the catalogue. What was not added yet when the process is killed is lost. Thread-safe.
 */
public final class CallOutcomes implements CallWatcher, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CallOutcomes.class);

  private static final Duration PAUSE = Duration.ofSeconds(15);
  private static final Duration FORGETTING = Duration.ofMinutes(10);

  /** Far more than a catalogue has rows; a host that sold more would see the rest as one row. */
  private static final int MOST_KEYS = 20_000;

  private static final String REST = "other";
  private static final String GATEWAY = "gateway";

  /** What is counted apart. */
  record Key(Instant hour, String group, String method, String path, CallOutcome outcome) {}

  private static final int PAYING = Latencies.SIZE;
  private static final int ASKED = Latencies.SIZE + 1;
  private static final int CELLS = Latencies.SIZE + 2;

  /**
   * The counts of a key: its buckets, the calls that brought a payment, and those that an upstream
   * was asked for.
   */
  private final Map<Key, AtomicLongArray> counts = new ConcurrentHashMap<>();

  /** What adds the counts that were taken from here. */
  private final Queue<Runnable> unwritten = new ArrayDeque<>();

  private final Clock clock;
  private volatile Optional<OutcomeSums> sums = Optional.empty();
  private volatile Optional<ScheduledExecutorService> thread = Optional.empty();

  public CallOutcomes(Clock clock) {
    this.clock = clock;
  }

  /** Adds what is counted to these sums from now on. */
  public void keepIn(OutcomeSums theSums) {
    sums = Optional.of(theSums);
    ScheduledExecutorService started = HostThreads.OF_THE_JVM.clock("octroi-outcomes");
    thread = Optional.of(started);
    var unusedToo =
        started.scheduleWithFixedDelay(
            Daemons.guarded("Deleting old sums of calls", theSums::forget),
            PAUSE.toMillis(),
            FORGETTING.toMillis(),
            TimeUnit.MILLISECONDS);
    var unused =
        started.scheduleWithFixedDelay(
            Daemons.guarded("Adding up how calls ended", this::flush),
            PAUSE.toMillis(),
            PAUSE.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  @Override
  public void cut(ObservedCall call) {
    call.attach(Cut.class, Cut.CUT);
  }

  @Override
  public void ended(ObservedCall call) {
    String group = call.endpoint().group();
    if (group.equals(GATEWAY)) {
      return;
    }
    CallOutcome outcome = CallOutcome.of(call, call.attached(Cut.class).isPresent());
    Instant hour = call.at().truncatedTo(ChronoUnit.HOURS);
    Key key = new Key(hour, group, call.endpoint().method(), call.endpoint().path(), outcome);
    AtomicLongArray cells = counts.get(key);
    if (cells == null) {
      Key kept = counts.size() < MOST_KEYS ? key : new Key(hour, group, REST, REST, outcome);
      cells = counts.computeIfAbsent(kept, one -> new AtomicLongArray(CELLS));
    }
    cells.incrementAndGet(Latencies.bucket(call.nanos()));
    if (call.broughtPayment()) {
      cells.incrementAndGet(PAYING);
    }
    if (call.failure().upstream() != null) {
      cells.incrementAndGet(ASKED);
    }
  }

  /** Adds what was counted since to the sums; for those who are about to read them. */
  public synchronized void flush() {
    if (sums.isEmpty() || !write()) {
      return;
    }
    Instant over = clock.instant().truncatedTo(ChronoUnit.HOURS).minus(1, ChronoUnit.HOURS);
    List<OutcomeSum> since = new ArrayList<>();
    counts.forEach(
        (key, cells) -> {
          OutcomeSum sum = taken(key, cells);
          if (sum.latencies().calls() > 0) {
            since.add(sum);
          } else if (key.hour().isBefore(over)) {
            counts.remove(key);
          }
        });
    for (int from = 0; from < since.size(); from += OutcomeSums.CHUNK) {
      int to = Math.min(from + OutcomeSums.CHUNK, since.size());
      unwritten.add(sums.get().adding(List.copyOf(since.subList(from, to))));
    }
    write();
  }

  /**
   * Whether all that was taken is in the sums; of what failed it is not known, and it goes first.
   */
  private boolean write() {
    try {
      while (!unwritten.isEmpty()) {
        unwritten.element().run();
        unwritten.remove();
      }
      return true;
    } catch (LedgerUnavailable e) {
      LOG.warn("How calls ended could not be added up; it is tried again", e);
      return false;
    }
  }

  private static OutcomeSum taken(Key key, AtomicLongArray cells) {
    long[] buckets = new long[Latencies.SIZE];
    for (int place = 0; place < buckets.length; place++) {
      buckets[place] = cells.getAndSet(place, 0);
    }
    return new OutcomeSum(
        key, cells.getAndSet(PAYING, 0), cells.getAndSet(ASKED, 0), new Latencies(buckets));
  }

  /** Adds what is left; the database is still open then. */
  @Override
  public void close() {
    thread.ifPresent(ScheduledExecutorService::shutdown);
    flush();
  }

  private enum Cut {
    CUT
  }

  /** How a call ended, as the operator sees it. */
  public enum CallOutcome {
    /** It was answered, and nothing went wrong. */
    SERVED,
    /** It brought no payment and was told the price. */
    CHALLENGE,
    /** It brought a payment, which was refused. */
    REFUSED,
    /** It came too often. */
    LIMITED,
    /** Something in the request was wrong. */
    CLIENT_ERROR,
    /** An upstream did not answer in time. */
    TIMEOUT,
    /** The gateway or an upstream failed. */
    SERVER_ERROR,
    /** Its caller had gone before the last byte of the answer. */
    CUT;

    private static final int PAYMENT_REQUIRED = 402;
    private static final int TOO_MANY = 429;

    static CallOutcome of(ObservedCall call, boolean isCut) {
      int status = call.status();
      if (PaymentHeaders.isChallenge(status) && call.broughtPayment() && !call.hadPaymentTaken()) {
        return REFUSED;
      }
      if (status == PAYMENT_REQUIRED) {
        return CHALLENGE;
      }
      if (status == TOO_MANY) {
        return LIMITED;
      }
      if (status >= 500) {
        return Failures.isLate(call.failure().reason()) ? TIMEOUT : SERVER_ERROR;
      }
      if (status >= 400) {
        return CLIENT_ERROR;
      }
      return isCut ? CUT : SERVED;
    }

    /** Whether the caller did not get what it wanted, unless that was the price. */
    public boolean isFailure() {
      return this != SERVED && this != CHALLENGE;
    }

    /** How answers name it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How long calls took, as counts of fixed buckets, so that those of several hours and nodes add
   * up.
   *
   * @param counts of each bucket, one for each bound and one for all that is longer
   */
  public record Latencies(long[] counts) {

    /**
     * The upper bounds of the buckets in milliseconds, from a read out of memory to a long model.
     */
    private static final long[] BOUNDS = {
      1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 120_000
    };

    static final int SIZE = BOUNDS.length + 1;

    /** The bucket of a call. */
    static int bucket(long nanos) {
      long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
      int place = 0;
      while (place < BOUNDS.length && micros > BOUNDS[place] * 1000) {
        place++;
      }
      return place;
    }

    /** How many calls there were. */
    public long calls() {
      return Arrays.stream(counts).sum();
    }

    /** All of them together. */
    public static Latencies sum(Collection<Latencies> all) {
      long[] sum = new long[SIZE];
      for (Latencies one : all) {
        for (int place = 0; place < SIZE; place++) {
          sum[place] += one.counts[place];
        }
      }
      return new Latencies(sum);
    }

    /**
     * The time in milliseconds within which so many of a hundred calls ended, as if those of a
     * bucket lay evenly in it; null without calls. Above the last bound it is that bound.
     */
    public @Nullable Long percentile(int percent) {
      long calls = calls();
      if (calls == 0) {
        return null;
      }
      long rank = Math.max(1, (calls * percent + 99) / 100);
      long before = 0;
      for (int place = 0; place < BOUNDS.length; place++) {
        if (before + counts[place] >= rank) {
          long from = place == 0 ? 0 : BOUNDS[place - 1];
          return Math.max(1, from + (BOUNDS[place] - from) * (rank - before) / counts[place]);
        }
        before += counts[place];
      }
      return BOUNDS[BOUNDS.length - 1];
    }
  }
}

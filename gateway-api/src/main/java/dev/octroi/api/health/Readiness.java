package dev.octroi.api.health;

import dev.octroi.services.HostThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this node may be sent calls. Its checks run side by side within a deadline, and what they
 * found holds for a moment, so that probes cost next to nothing however many there are. A check
 * that hangs is not begun again before it has ended. Thread-safe.
 */
public final class Readiness implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);

  /** Orchestrators give a probe a second by default, and take its silence for a no. */
  private static final Duration DEADLINE = Duration.ofMillis(900);

  /** Under load a check may be well and slow: what it tells to do is not what is needed then. */
  private static final String LATE =
      "It did not answer within " + DEADLINE.toMillis() + " ms: look at it if that goes on.";

  private static final Duration FRESH = Duration.ofSeconds(2);

  private final List<Watched> checks;
  private final BooleanSupplier needsRestart;
  private final ReentrantLock looking = new ReentrantLock();
  private final ExecutorService threads = HostThreads.OF_THE_JVM.pool("octroi-health");
  private volatile boolean stopping;
  private volatile boolean leftOut;
  private volatile @Nullable Looked last;

  /** A report and the {@link System#nanoTime} at which it was made. */
  private record Looked(List<HealthReport.Finding> findings, long at) {

    boolean isFresh() {
      return System.nanoTime() - at < FRESH.toNanos();
    }
  }

  /** A check with its run that has not been waited for to its end. */
  private static final class Watched {
    final HealthCheck check;
    @Nullable CompletableFuture<Boolean> run;
    boolean well = true;

    Watched(HealthCheck check) {
      this.check = check;
    }
  }

  /**
   * Makes it; nothing is looked at yet.
   *
   * @param needsRestart whether this process is beyond help, and a new one would not be
   */
  public Readiness(List<HealthCheck> checks, BooleanSupplier needsRestart) {
    this.needsRestart = needsRestart;
    this.checks = checks.stream().map(Watched::new).toList();
  }

  /**
   * From now on to its end this node wants no more calls; those that come are served all the same.
   */
  public void drain() {
    stopping = true;
  }

  /** The same until it is taken back, for an operator who may think better of it. */
  public void leaveOut(boolean out) {
    leftOut = out;
  }

  /** Whether this node wants no more calls, however well it is. */
  public boolean draining() {
    return stopping || leftOut;
  }

  /** Whether only a new process can serve again. */
  boolean needsRestart() {
    return needsRestart.getAsBoolean();
  }

  /** What was found at most two seconds ago. */
  HealthReport report() {
    Looked known = last;
    if (known == null || !known.isFresh()) {
      known = look();
    }
    return new HealthReport(draining(), known.findings());
  }

  private Looked look() {
    looking.lock();
    try {
      Looked known = last;
      if (known != null && known.isFresh()) {
        return known;
      }
      if (threads.isShutdown()) {
        return known == null ? new Looked(List.of(), System.nanoTime()) : known;
      }
      checks.forEach(this::begin);
      long end = System.nanoTime() + DEADLINE.toNanos();
      List<HealthReport.Finding> findings = new ArrayList<>();
      for (Watched watched : checks) {
        findings.add(ended(watched, end));
      }
      Looked looked = new Looked(List.copyOf(findings), System.nanoTime());
      last = looked;
      return looked;
    } finally {
      looking.unlock();
    }
  }

  private void begin(Watched watched) {
    if (watched.run == null || watched.run.isDone()) {
      watched.run = CompletableFuture.supplyAsync(() -> run(watched.check), threads);
    }
  }

  private static boolean run(HealthCheck check) {
    try {
      return check.probe().isWell();
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  /** How it ended; says in the log once why it is not well, and once that it is again. */
  private static HealthReport.Finding ended(Watched watched, long end) {
    CompletableFuture<Boolean> run = watched.run;
    boolean well = false;
    String why = "it says no";
    String todo = watched.check.todo();
    try {
      well = run != null && run.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | CancellationException e) {
      why = String.valueOf(e.getCause());
    } catch (TimeoutException e) {
      why = "it does not answer within " + DEADLINE.toMillis() + " ms";
      todo = LATE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new HealthReport.Finding(watched.check.name(), watched.well, todo);
    }
    if (watched.well && !well) {
      LOG.warn("Not ready: {} fails, {}. {}", watched.check.name(), why, todo);
    } else if (!watched.well && well) {
      LOG.info("{} is well again", watched.check.name());
    }
    watched.well = well;
    return new HealthReport.Finding(watched.check.name(), well, todo);
  }

  /** Ends the threads; a check that hangs is interrupted. */
  @Override
  public void close() {
    stopping = true;
    threads.shutdownNow();
  }

  /**
   * One thing that must be well for calls to be served. Thread-safe.
   *
   * @param name a word, such as {@code database}
   * @param todo what an operator does when it is not well, one sentence; served to any caller, so
   *     nothing in it is secret
   * @param probe looks
   */
  public record HealthCheck(String name, String todo, Probe probe) {

    /** Looks at something that may be slow or fail in any way. */
    @FunctionalInterface
    public interface Probe {

      /** True if it is well; false, or anything thrown, if not. */
      boolean isWell() throws Exception;
    }
  }

  /**
   * What a node found when it last looked at itself.
   *
   * @param draining whether it is about to stop and wants no more calls
   */
  record HealthReport(boolean draining, List<Finding> findings) {

    /**
     * How one check ended.
     *
     * @param todo what an operator does if it is not well
     */
    record Finding(String name, boolean well, String todo) {}

    boolean ready() {
      return !draining && findings.stream().allMatch(Finding::well);
    }
  }
}

package dev.octroi.services.language.relay;

import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.EventSequence;
import dev.octroi.services.language.translation.StreamTranslation;
import dev.octroi.services.upstream.UpstreamStream;
import dev.octroi.services.upstream.UpstreamStream.BrokenStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that leaves as the upstream writes it, event by event: the next bytes are read when the
 * last ones have left, so that a slow reader slows its upstream, and a reader that is gone hangs up
 * on it. Written by one thread; closing it any thread may.
 */
public final class ModelStream implements AutoCloseable {

  private static final int CHUNK = 8 * 1024;

  /** What an upstream may say before its answer begins, besides the prompt that some repeat. */
  private static final int LONGEST_HEAD = 256 * 1024;

  /** One protocol repeats instructions and tools in two events. */
  private static final long REPETITIONS = 4;

  private final String model;
  private final UpstreamStream upstream;
  private final StreamTranslation translation;
  private final Meter meter;
  private final Pulse pulse;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private final byte[] chunk = new byte[CHUNK];

  /** Of the protocol's state and the way out, which signs of life use too. */
  private final ReentrantLock turn = new ReentrantLock();

  ModelStream(
      String model,
      UpstreamStream upstream,
      StreamTranslation translation,
      Meter meter,
      Pulse pulse) {
    this.model = model;
    this.upstream = upstream;
    this.translation = translation;
    this.meter = meter;
    this.pulse = pulse;
  }

  /** The public name of the model that answers. */
  public String model() {
    return model;
  }

  /** What has been used by now, in millionths of a dollar, at most the quote. */
  public long micros() {
    return meter.micros();
  }

  /**
   * Waits until the answer proper begins; what came before it is held back.
   *
   * @return why there is none, as the payer is told it
   * @throws Failure if the upstream falls silent or hangs up before
   */
  Event.@Nullable Failed begin() {
    try {
      InputStream in = upstream.body();
      long longest = LONGEST_HEAD + REPETITIONS * meter.asked();
      while (!meter.hasContent() && !translation.isOver() && head.size() < longest) {
        head.writeBytes(next(in));
      }
      if (meter.hasContent()) {
        return null;
      }
      Event.Failed failure = meter.failure();
      if (failure != null) {
        return new Event.Failed(failure.problem().forPayer());
      }
      return new Event.Failed(
          translation.isOver() ? EventSequence.empty() : EventSequence.broken());
    } catch (BrokenStream broken) {
      throw broken.failure();
    } catch (IOException impossible) {
      throw new IllegalStateException("an upstream breaks off in one way", impossible);
    }
  }

  /**
   * Writes all of it, and the error event of its protocol if the upstream breaks off.
   *
   * @throws IOException if the reader is gone
   */
  public void writeTo(OutputStream out) throws IOException {
    try (Pulse.Beat beat = pulse.of(() -> isAlive(out))) {
      sendHead(out);
      while (!translation.isOver()) {
        send(out, nextOrEnd(upstream.body()));
        beat.seen();
      }
    } finally {
      close();
    }
  }

  /**
   * Writes its beginning, until the caller has enough; {@link #writeTo} goes on from there.
   *
   * @throws IOException if the reader is gone
   */
  public void writeUntil(BooleanSupplier enough, OutputStream out) throws IOException {
    sendHead(out);
    while (!translation.isOver() && !enough.getAsBoolean()) {
      send(out, nextOrEnd(upstream.body()));
    }
  }

  private void sendHead(OutputStream out) throws IOException {
    send(out, head.toByteArray());
    head.reset();
  }

  private byte[] nextOrEnd(InputStream in) throws IOException {
    try {
      return next(in);
    } catch (BrokenStream broken) {
      turn.lock();
      try {
        return translation.fail(EventSequence.broken());
      } finally {
        turn.unlock();
      }
    }
  }

  private byte[] next(InputStream in) throws IOException {
    int count = in.read(chunk);
    turn.lock();
    try {
      return count < 0 ? translation.end() : translation.feed(chunk, 0, count);
    } finally {
      turn.unlock();
    }
  }

  private void send(OutputStream out, byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return;
    }
    turn.lock();
    try {
      out.write(bytes);
      out.flush();
    } finally {
      turn.unlock();
    }
  }

  /**
   * A sign of life, unless something is being said right now; a reader that is gone ends it all.
   */
  private boolean isAlive(OutputStream out) {
    if (!turn.tryLock()) {
      return true;
    }
    try {
      out.write(translation.ping());
      out.flush();
      return true;
    } catch (IOException gone) {
      close();
      return false;
    } finally {
      turn.unlock();
    }
  }

  /** Hangs up on the upstream if it is still talking. */
  @Override
  public void close() {
    upstream.close();
  }

  /**
   * Gives signs of life on streams that have nothing to say, so that proxies on the way keep them
   * open and a reader who is gone is noticed. Thread-safe.
   */
  static final class Pulse implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);

    private final long pauseNanos;
    private final ScheduledExecutorService clock;

    /** A sign that blocks on a slow reader must not keep the others from theirs. */
    private final ExecutorService signs;

    Pulse(Duration pause, HostThreads threads) {
      this.pauseNanos = pause.toNanos();
      this.clock = threads.clock("language-pulse-clock");
      this.signs = threads.pool("language-pulse-sign");
    }

    /**
     * Begins to beat.
     *
     * @param sign false once the reader is gone
     */
    Beat of(BooleanSupplier sign) {
      return new Beat(sign);
    }

    @Override
    public void close() {
      clock.shutdownNow();
      signs.shutdownNow();
    }

    /** One stream's. */
    final class Beat implements AutoCloseable {

      private final BooleanSupplier sign;
      private final ScheduledFuture<?> ticks;
      private volatile long last = System.nanoTime();

      Beat(BooleanSupplier sign) {
        this.sign = sign;
        this.ticks =
            clock.scheduleWithFixedDelay(this::tick, pauseNanos, pauseNanos, TimeUnit.NANOSECONDS);
      }

      /** Something was said. */
      void seen() {
        last = System.nanoTime();
      }

      private void tick() {
        if (System.nanoTime() - last >= pauseNanos) {
          seen();
          try {
            signs.execute(this::give);
          } catch (RuntimeException | Error e) {
            // No thread now: a schedule forgets a task that throws, and this stream beats on.
            LOG.debug("A sign of life was left out", e);
          }
        }
      }

      private void give() {
        if (!ticks.isCancelled() && !sign.getAsBoolean()) {
          close();
        }
      }

      @Override
      public void close() {
        ticks.cancel(false);
      }
    }
  }
}

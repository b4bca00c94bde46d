package dev.octroi.payments.body;

import java.time.Duration;

/**
 * How fast a request body has to come.
 *
 * @param deadline how long it may take as a whole, in seconds at least
 * @param bytesPerSecond how much of it has to come in each period of {@link #PERIOD}, as a rate; 0
 *     for any
 */
public record BodyPace(Duration deadline, long bytesPerSecond) {

  /** Over how long the rate is judged: a pause that a mobile network makes is shorter. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  /** Two minutes, and 1 KiB a second. */
  public static final BodyPace DEFAULT = new BodyPace(Duration.ofMinutes(2), 1024);

  /** Begins to watch a body whose first byte may come now. */
  public Watch watch() {
    return new Watch(this, System.nanoTime());
  }

  /** One body. Not thread-safe. */
  public static final class Watch {

    private final BodyPace pace;
    private final long began;
    private long periodBegan;
    private long lengthThen;

    private Watch(BodyPace pace, long now) {
      this.pace = pace;
      this.began = now;
      this.periodBegan = now;
    }

    /** How long until it has to be looked at again. */
    public Duration untilDue() {
      long now = System.nanoTime();
      long period = PERIOD.toNanos() - (now - periodBegan);
      long whole = pace.deadline.toNanos() - (now - began);
      return Duration.ofNanos(Math.max(0, Math.min(period, whole)));
    }

    /**
     * Whether it comes too slowly.
     *
     * @param length how many bytes have come so far
     */
    public boolean isLate(long length) {
      long now = System.nanoTime();
      if (now - began >= pace.deadline.toNanos()) {
        return true;
      }
      if (now - periodBegan < PERIOD.toNanos()) {
        return false;
      }
      long wanted = pace.bytesPerSecond * PERIOD.toSeconds();
      boolean late = length - lengthThen < wanted;
      periodBegan = now;
      lengthThen = length;
      return late;
    }
  }
}

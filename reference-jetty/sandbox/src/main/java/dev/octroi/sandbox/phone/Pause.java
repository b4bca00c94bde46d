package dev.octroi.sandbox.phone;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A vendor that takes its time. */
final class Pause {

  private Pause() {}

  /** Waits, or until the caller has gone. */
  static void of(Duration time) {
    try {
      if (new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("a latch that has no counter was released");
      }
    } catch (InterruptedException callerGone) {
      throw new IllegalStateException("the caller no longer waits", callerGone);
    }
  }
}

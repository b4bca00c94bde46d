package dev.octroi.payments;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads with a name and a number, which keep no process alive. Thread-safe. */
public final class Daemons implements ThreadFactory {

  private static final Logger LOG = LoggerFactory.getLogger(Daemons.class);

  private final String name;
  private final AtomicInteger count = new AtomicInteger();

  /**
   * The threads of one errand.
   *
   * @param name what a dump of the process shows, with the number behind it
   */
  public Daemons(String name) {
    this.name = name;
  }

  /**
   * A thread for a loop that must not end before it says so by returning: whatever it throws, an
   * error of the virtual machine included, is logged, and the loop begins again.
   */
  public Thread persistent(Runnable loop) {
    return newThread(
        () -> {
          while (!isDone(loop)) {
            // It begins again.
          }
        });
  }

  /**
   * A task for a schedule, which forgets a task that throws: this one never does, and says in the
   * log what went wrong.
   *
   * @param what names the task in the log
   */
  public static Runnable guarded(String what, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Throwable e) {
        say(what + " failed and is tried again", e);
      }
    };
  }

  private boolean isDone(Runnable loop) {
    try {
      loop.run();
      return true;
    } catch (Throwable e) {
      say("A thread of " + name + " failed and goes on", e);
      return false;
    }
  }

  /** Where there is no memory there may be none for a line in the log either. */
  private static void say(String what, Throwable why) {
    try {
      LOG.error(what, why);
    } catch (Throwable e) {
      // What matters goes on.
    }
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}

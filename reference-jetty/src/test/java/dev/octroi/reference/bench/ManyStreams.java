package dev.octroi.reference.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Many slow streams at once through a gateway, while its memory is watched. */
public final class ManyStreams {

  /** Three quarters of a minute of two events a second. */
  private static final String WORDS = "emit 90 tokens at 500 ms";

  /** They arrive within twenty seconds, so that all are open long before the first one ends. */
  private static final long ARRIVAL_MILLIS = 20;

  private static final long STACK = 256 * 1024;
  private static final long LOOK_MILLIS = 200;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger whole = new AtomicInteger();
  private final AtomicLong memory = new AtomicLong();

  private ManyStreams() {}

  /**
   * Arguments: the gateway's address, its key, how many streams, the process to watch, its Java
   * version. Prints facts.
   */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    URI base = URI.create(arguments[0] + "/v1");
    Path status = Path.of("/proc", arguments[3], "status");
    ManyStreams streams = new ManyStreams();
    long idle = residentKib(status);
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
      Thread caller = new Thread(null, () -> streams.call(base, arguments[1]), "caller", STACK);
      caller.start();
      callers.add(caller);
      caller.join(ARRIVAL_MILLIS);
    }
    for (Thread caller : callers) {
      while (caller.isAlive()) {
        streams.memory.accumulateAndGet(residentKib(status), Math::max);
        caller.join(LOOK_MILLIS);
      }
    }
    fact("whole", arguments[4], streams.whole.get());
    fact("open", arguments[4], streams.most.get());
    fact("rss.before", arguments[4], idle / 1024);
    fact("rss", arguments[4], streams.memory.get() / 1024);
  }

  private void call(URI base, String key) {
    try (EventStream stream = new EventStream(base, key)) {
      if (stream
          .ask(WORDS, () -> most.accumulateAndGet(open.incrementAndGet(), Math::max))
          .whole()) {
        whole.incrementAndGet();
      }
      open.decrementAndGet();
    } catch (IOException broken) {
      System.err.println(String.valueOf(broken.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private static long residentKib(Path status) throws IOException {
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private static void fact(String name, String version, long value) {
    System.out.printf("fact\tstream.%s.%s\t%d%n", name, version, value);
  }
}

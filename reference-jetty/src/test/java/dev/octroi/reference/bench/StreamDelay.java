package dev.octroi.reference.bench;

import dev.octroi.reference.bench.EventStream.Heard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a gateway adds to a model's stream: the same call of the model itself and through the
 * gateway take turns, so that both meet the same machine.
 */
public final class StreamDelay {

  private static final String WORDS = "emit 200 tokens";
  private static final String FEW_WORDS = "emit 20 tokens";
  private static final int AT_ONCE = 8;

  /** Of their own: a common pool has one thread on two cores. */
  private static final Executor THREADS = task -> new Thread(task, "warm-up").start();

  private StreamDelay() {}

  /**
   * Arguments: the model's base address, the gateway's, its key, calls before the measurement and
   * measured ones, of each; the Java version of the gateway. Prints facts.
   */
  public static void main(String[] arguments) throws IOException {
    int measured = Integer.parseInt(arguments[4]);
    URI direct = URI.create(arguments[0]);
    URI through = URI.create(arguments[1] + "/v1");
    warm(direct, "sandbox", Integer.parseInt(arguments[3]) / AT_ONCE);
    warm(through, arguments[2], Integer.parseInt(arguments[3]) / AT_ONCE);
    List<Heard> models = new ArrayList<>();
    List<Heard> gateways = new ArrayList<>();
    try (EventStream model = new EventStream(direct, "sandbox");
        EventStream gateway = new EventStream(through, arguments[2])) {
      for (int i = 0; i < measured; i++) {
        models.add(model.ask(WORDS, () -> {}));
        gateways.add(gateway.ask(WORDS, () -> {}));
      }
    }
    print("direct", arguments[5], models);
    print("through", arguments[5], gateways);
  }

  /** Until the compilers have little left to do. */
  private static void warm(URI base, String key, int calls) {
    IntStream.range(0, AT_ONCE)
        .mapToObj(caller -> CompletableFuture.runAsync(() -> ask(base, key, calls), THREADS))
        .toList()
        .forEach(CompletableFuture::join);
  }

  private static void ask(URI base, String key, int calls) {
    try (EventStream stream = new EventStream(base, key)) {
      for (int i = 0; i < calls; i++) {
        stream.ask(FEW_WORDS, () -> {});
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void print(String way, String version, List<Heard> calls) {
    if (!calls.stream().allMatch(Heard::whole)) {
      throw new IllegalStateException("A stream did not come whole: " + way);
    }
    print("first", way, version, calls, call -> call.firstNanos() / 1e6);
    print("event", way, version, calls, Heard::eventMicros);
  }

  private static void print(
      String what, String way, String version, List<Heard> calls, ToDoubleFunction<Heard> value) {
    double[] sorted = calls.stream().mapToDouble(value).sorted().toArray();
    String form = "fact\tstream.%s.%s.%s.%s\t%.3f%n";
    System.out.printf(Locale.ROOT, form, what, "median", way, version, sorted[sorted.length / 2]);
    int slow = Math.min(sorted.length - 1, sorted.length * 99 / 100);
    System.out.printf(Locale.ROOT, form, what, "slow", way, version, sorted[slow]);
  }
}

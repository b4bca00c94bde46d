package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Paid calls at a steady rate for {@code -Doctroi.soak.minutes}, {@code -Doctroi.soak.rate} (100) a
 * second: in the end the gateway has no more heap, threads and open files than when it had warmed
 * up, its file has little more than what is in it, and its books balance.
 */
@Tag("slow")
@EnabledIfSystemProperty(
    named = "octroi.soak.minutes",
    matches = "[0-9]+",
    disabledReason = "it takes half an hour: profile soak")
class SoakIT {

  private static final int MINUTES = Integer.getInteger("octroi.soak.minutes", 2);
  private static final int RATE = Integer.getInteger("octroi.soak.rate", 100);
  private static final String LEDGER = "octroi.mv.db";
  private static final int AT_ONCE = 32;
  private static final long SAMPLE_SECONDS = 20;

  /** Caches that fill, and what a collector leaves. */
  private static final long MEBIBYTES_MORE = 48;

  private static final long MORE = 16;

  /** A sale's rows and its share of the indexes; each commit writes some 25 KB. */
  private static final long BYTES_OF_A_SALE = 8 << 10;

  /** What a file has beside, in the seconds before its room is used again. */
  private static final long BYTES_MORE = 256L << 20;

  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  /** What the gateway's process has at one moment. */
  private record Sample(long heapMebibytes, long threads, long files, long ledgerMebibytes) {}

  private final AtomicInteger served = new AtomicInteger();
  private final List<String> wrong = new ArrayList<>();

  @Test
  @Tag("spec:money.9")
  void nothingGrowsAndTheBooksBalance(@TempDir Path data) throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(Path.of("/proc/self/fd")), "no /proc: open files cannot be counted");
    BuiltJar jar =
        BuiltJar.in(data, "--port", "0", "--data", data.toString())
            .jvm("-Xmx512m")
            .set("gateway.limits.unpaid-per-minute", "10000000");
    List<Sample> samples = new ArrayList<>();
    try (Running gateway = jar.start()) {
      URI base = gateway.awaitReady();
      long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
      while (System.nanoTime() < end) {
        call(base, Duration.ofSeconds(SAMPLE_SECONDS));
        samples.add(sample(gateway.pid(), data.resolve(LEDGER)));
      }
      gateway.terminate();
      assertThat(gateway.awaitExit()).isZero();
    }
    System.out.println("soak: " + served + " sold; " + samples);
    assertThat(wrong).isEmpty();
    Sample first = samples.get(samples.size() / 3);
    Sample last = samples.get(samples.size() - 1);
    assertThat(last.heapMebibytes()).isLessThan(first.heapMebibytes() + MEBIBYTES_MORE);
    assertThat(last.threads()).isLessThan(first.threads() + MORE);
    assertThat(last.files()).isLessThan(first.files() + MORE);
    assertThat(Files.size(data.resolve(LEDGER)))
        .isLessThan(BYTES_MORE + served.get() * BYTES_OF_A_SALE);
    try (LedgerTables tables = LedgerTables.ofFile(data, data.resolve("copies"))) {
      tables.assertBooksAgree();
      tables.assertNothingReserved();
      assertThat(tables.payments()).isEqualTo(served.get());
    }
  }

  /** At the rate, or at what the gateway can do with some calls under way. */
  private void call(URI base, Duration time) throws Exception {
    Offer offer = Offer.read(base);
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    Semaphore due = new Semaphore(0);
    long end = System.nanoTime() + time.toNanos();
    for (int i = 0; i < AT_ONCE; i++) {
      threads.execute(
          () -> {
            while (taken(due, end)) {
              buy(offer.accept(Wallet.generate()), base);
            }
          });
    }
    long pause = TimeUnit.SECONDS.toNanos(1) / RATE;
    for (long next = System.nanoTime(); next < end; next += pause) {
      while (System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
      due.release();
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  private static boolean taken(Semaphore due, long end) {
    try {
      long left = end - System.nanoTime();
      return left > 0 && due.tryAcquire(left, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void buy(Sale sale, URI base) {
    try {
      HttpResponse<String> answer = sale.send(base);
      if (answer.statusCode() == 200) {
        served.incrementAndGet();
      } else {
        note(answer.statusCode() + " " + answer.body());
      }
    } catch (Exception e) {
      note(e.toString());
    }
  }

  private synchronized void note(String what) {
    wrong.add(what);
  }

  private static Sample sample(long pid, Path ledger) throws Exception {
    jcmd(pid, "GC.run");
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
    assertThat(used.find()).isTrue();
    Path process = Path.of("/proc", Long.toString(pid));
    try (Stream<Path> files = Files.list(process.resolve("fd"));
        Stream<Path> threads = Files.list(process.resolve("task"))) {
      long heap = Long.parseLong(used.group(1)) >> 10;
      return new Sample(heap, threads.count(), files.count(), Files.size(ledger) >> 20);
    }
  }

  private static String jcmd(long pid, String command) throws Exception {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try (Running run =
        Running.start(List.of(jcmd, Long.toString(pid), command), Map.of(), Path.of("."))) {
      assertThat(run.awaitExit()).as(run::said).isZero();
      return run.outText();
    }
  }
}

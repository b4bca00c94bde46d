package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.jaxrs.Dialler.Step;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A host that is killed between its payment and the answer of an effect that cannot be undone, and
 * what the same payment gets from its next start. Each start is the next one's victim.
 *
 * <p>Never is it charged twice, and never is the vendor asked twice: what was charged is done once
 * and answered, or refunded once, whatever was killed (money rules 3 and 6).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KilledEffectsContract {

  private static final long PRICE = 50_000;
  private static final int SECONDS = 60;

  /** The payment that was claimed last. */
  private static final String LAST =
      " FROM payment WHERE claimed_at = (SELECT max(claimed_at) FROM payment)";

  private final List<String> said = new CopyOnWriteArrayList<>();
  private String url;
  private DialVendor vendor;
  private Process host;
  private TestPayer payer;

  /** A database of its own, which outlives processes. */
  abstract String url(Path folder);

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    url = url(folder);
    vendor = new DialVendor();
    start();
  }

  /** Whatever was killed, each payment was charged once. */
  @AfterAll
  void everyPaymentWasChargedOnce() throws Exception {
    try {
      kill();
      try (HikariDataSource left = database()) {
        int sold = Step.values().length;
        assertThat(number(left, "SELECT count(*) FROM payment WHERE state = 'SETTLED'"))
            .isEqualTo(sold);
        assertThat(number(left, "SELECT count(*) FROM refund WHERE state = 'PAID'")).isEqualTo(1);
        assertThat(number(left, "SELECT sum(amount) FROM journal WHERE payment_id IS NOT NULL"))
            .isEqualTo(PRICE * (sold + 1));
        assertThat(number(left, "SELECT count(*) FROM dialled")).isEqualTo(sold - 1);
        assertThat(number(left, "SELECT count(*) FROM effect WHERE outcome = 'UNKNOWN'")).isZero();
      }
    } finally {
      vendor.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.3")
  @Tag("spec:money.6")
  void aCallKilledAtAnyStepIsChargedOnceAndItsEffectHappensOnceAtMost(Step step) throws Exception {
    final int before = vendor.dialled().size();
    TestPayer victim = payer;
    String payment =
        victim.payment(
            victim.send(victim.to("dial").POST(BodyPublishers.ofString("+1 212"))), TestMoney.HERE);
    vendor.stopAt(step);
    CompletableFuture<HttpResponse<String>> lost =
        CompletableFuture.supplyAsync(() -> dial(victim, payment));
    assertThat(vendor.isReached(SECONDS)).as("%s is reached: %s", step, said).isTrue();

    kill();

    vendor.letGo();
    assertThat(lost).failsWithin(Duration.ofSeconds(SECONDS));
    assertLeft(step);
    start();
    assertAnswered(dial(payer, payment), step, true);
    assertAnswered(dial(payer, payment), step, false);
    assertThat(vendor.dialled().size() - before).isEqualTo(step == Step.SETTLED ? 0 : 1);
    assertThat(vendor.dialled()).doesNotHaveDuplicates();
  }

  /** What the killed process left: the books agree, and know what is not known. */
  private void assertLeft(Step step) {
    boolean unknown = step.compareTo(Step.EFFECT_CLOSED) < 0;
    try (HikariDataSource left = database()) {
      BookVerification books =
          new BookVerification(left, Map.of(), Duration.ofDays(1), Clock.systemUTC());
      assertThat(books.verify(Period.ALL, 10).differences()).isEmpty();
      String state = step == Step.EFFECT_NOTED ? "CLAIMED" : "SETTLED";
      String payments = "SELECT count(*)" + LAST + " AND state = '" + state + "'";
      assertThat(number(left, payments)).as(state).isEqualTo(1);
      String effects = "SELECT count(*) FROM effect WHERE payment_id = (SELECT id" + LAST + ")";
      assertThat(number(left, effects)).isEqualTo(1);
      assertThat(number(left, effects + " AND outcome = 'UNKNOWN'")).isEqualTo(unknown ? 1 : 0);
    }
  }

  private static void assertAnswered(HttpResponse<String> answer, Step step, boolean first) {
    if (step == Step.SETTLED) {
      // Paid for, and the vendor has never heard of it.
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(502);
      assertThat(answer.body()).isEqualTo("refund PAID");
    } else if (first) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).startsWith("CA");
    } else {
      assertUsed(answer);
    }
  }

  private static void assertUsed(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(402);
    assertThat(answer.body()).contains("nonce_already_used");
  }

  private static HttpResponse<String> dial(TestPayer payer, String payment) {
    return payer.post("dial", "+1 212", payment);
  }

  private void start() throws IOException {
    host =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DialUntilKilled.class.getName(),
                url,
                vendor.url())
            .redirectErrorStream(true)
            .start();
    BufferedReader out = host.inputReader();
    String line = out.readLine();
    while (line != null && !line.startsWith(DialUntilKilled.SERVING)) {
      said.add(line);
      line = out.readLine();
    }
    assertThat(line).as("the host serves: %s", said).isNotNull();
    payer = new TestPayer(URI.create(line.substring(DialUntilKilled.SERVING.length())));
    Thread reader = new Thread(() -> out.lines().forEach(said::add), "host-output");
    reader.setDaemon(true);
    reader.start();
  }

  private void kill() throws InterruptedException {
    // Through its handle, because the process itself would close the stream as well.
    host.toHandle().destroyForcibly();
    assertThat(host.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private HikariDataSource database() {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    return pool;
  }

  private static long number(HikariDataSource pool, String sql) {
    return NamedStatements.of(pool)
        .withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
  }
}

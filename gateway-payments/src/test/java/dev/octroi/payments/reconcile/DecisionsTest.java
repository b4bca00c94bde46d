package dev.octroi.payments.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.reconcile.Decisions.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What becomes of payments in doubt, on a real ledger and a chain that says what the test says. */
class DecisionsTest {

  private static final String CHAIN = "test:chain";
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5));

  private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);
  private final Clock clock = new Later();
  private final HikariDataSource pool = database();
  private final JdbcLedger ledger =
      new JdbcLedger(
          pool,
          new AnswerVault(new byte[32]),
          LedgerSettings.builder("a").heartbeat(Duration.ofHours(1), Duration.ofHours(9)).build(),
          clock);
  private final List<UnresolvedPayment> asked = new ArrayList<>();
  private final AtomicReference<Optional<Settlement>> proven =
      new AtomicReference<>(Optional.empty());
  private final Decisions decisions =
      new Decisions(ledger.unresolved(), Map.of(CHAIN, this::evidence), BACKOFF, clock);

  private static HikariDataSource database() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    HikariDataSource pool = new HikariDataSource(config);
    H2Schema.copyTo(pool);
    return pool;
  }

  @AfterEach
  void close() {
    ledger.close();
    pool.close();
  }

  private Optional<Settlement> evidence(UnresolvedPayment payment) {
    asked.add(payment);
    return proven.get();
  }

  private ClaimRequest doubted(String network) {
    ClaimRequest request =
        new ClaimRequest(
            new PaymentKey(network, "payer", UUID.randomUUID().toString()),
            new RequestBinding("GET", "/read", "", "00".repeat(32)),
            "11".repeat(32),
            10_000,
            "asset",
            "seller",
            clock.instant().plusSeconds(300),
            OptionalLong.of(1_000_000),
            Redelivery.REREAD);
    Claim claim = ((ClaimResult.Claimed) ledger.claim(request)).claim();
    ledger.settling(claim, null);
    ledger.settled(claim, new Settlement.Unknown("timeout", null));
    return request;
  }

  private boolean isInDoubt(ClaimRequest request) {
    return ledger.claim(request) instanceof ClaimResult.InDoubt;
  }

  @Test
  @Tag("spec:money.5")
  void proofClosesADoubt() {
    ClaimRequest paid = doubted(CHAIN);
    proven.set(Optional.of(new Settlement.Settled("0xpaid")));

    decisions.run();

    assertThat(ledger.claim(paid)).isInstanceOf(ClaimResult.Rerun.class);
    assertThat(asked).extracting(UnresolvedPayment::key).containsExactly(paid.key());
  }

  @Test
  @Tag("spec:x402.uncertain.3")
  void nothingElseClosesADoubtHoweverLateItIs() {
    ClaimRequest waiting = doubted(CHAIN);

    for (int i = 0; i < 5; i++) {
      decisions.run();
      passed.set(passed.get().plus(Duration.ofHours(1)));
    }

    assertThat(asked).hasSize(5);
    assertThat(isInDoubt(waiting)).isTrue();
  }

  @Test
  void aChainIsAskedLessAndLessOften() {
    doubted(CHAIN);
    for (int second = 0; second < 120; second++) {
      decisions.run();
      passed.set(passed.get().plus(Duration.ofSeconds(1)));
    }

    assertThat(asked).hasSizeBetween(8, 16);
  }

  @Test
  void aChainThatCannotBeAskedIsAskedAgainAndStopsNoOther() {
    ClaimRequest first = doubted(CHAIN);
    ClaimRequest second = doubted(CHAIN);
    Evidence moody =
        payment -> {
          if (payment.key().equals(first.key())) {
            throw new IllegalStateException("the chain is away");
          }
          return Optional.of(new Settlement.Refused("cancelled"));
        };

    new Decisions(ledger.unresolved(), Map.of(CHAIN, moody), BACKOFF, clock).run();

    assertThat(isInDoubt(first)).isTrue();
    assertThat(ledger.claim(second)).isEqualTo(new ClaimResult.Failed("cancelled"));
    passed.set(Duration.ofMinutes(1));
    proven.set(Optional.of(new Settlement.Settled("0xpaid")));
    decisions.run();
    assertThat(isInDoubt(first)).isFalse();
  }

  @Test
  @Tag("spec:money.5")
  void aChainThatIsSilentHoldsUpNoOther() {
    List<ClaimRequest> waiting = List.of(doubted(CHAIN), doubted(CHAIN), doubted(CHAIN));
    ClaimRequest paid = doubted("test:other");
    Evidence silent =
        payment -> {
          passed.set(passed.get().plus(Duration.ofSeconds(30)));
          return evidence(payment);
        };
    Evidence other = payment -> Optional.of(new Settlement.Refused("cancelled"));
    Decisions both =
        new Decisions(
            ledger.unresolved(), Map.of(CHAIN, silent, "test:other", other), BACKOFF, clock);

    both.run();

    assertThat(asked).hasSize(1);
    assertThat(ledger.claim(paid)).isEqualTo(new ClaimResult.Failed("cancelled"));
    assertThat(waiting).allMatch(this::isInDoubt);
    passed.set(passed.get().plus(Duration.ofMinutes(5)));
    proven.set(Optional.of(new Settlement.Settled("0xpaid")));
    both.run();
    assertThat(waiting).noneMatch(this::isInDoubt);
  }

  @Test
  void aNetworkWithoutEvidenceWaitsForItsOperatorWhoIsRemindedEveryHour() {
    ClaimRequest waiting = doubted("test:silent");
    doubted("test:silent");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(Decisions.class);
    log.start();
    logger.addAppender(log);
    try {
      for (int minutes = 0; minutes < 130; minutes += 10) {
        decisions.run();
        passed.set(passed.get().plus(Duration.ofMinutes(10)));
      }
    } finally {
      logger.detachAppender(log);
    }

    assertThat(isInDoubt(waiting)).isTrue();
    assertThat(asked).isEmpty();
    assertThat(log.list)
        .hasSize(3)
        .allSatisfy(
            line -> assertThat(line.getFormattedMessage()).contains("test:silent", "RPC address"));
  }

  private final class Later extends Clock {

    @Override
    public Instant instant() {
      return Instant.now().plus(passed.get());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}

package dev.octroi.api.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.TickingClock;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.image.JobRows.JobTerms;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The state machine of jobs and who pays for them, on each kind of database, with two nodes. */
abstract class ImageJobsContract {

  private static final String NETWORK = "eip155:84532";
  private static final String ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
  private static final JobResult DRAWN = JobResult.drawn(List.of("a.png"), List.of(), false);
  private static final JobResult FAILED =
      JobResult.failed(new Failure(ErrorCode.CONTENT_FILTERED, "no"), List.of());
  private static final byte[] KEY = new byte[32];

  private final TickingClock clock = new TickingClock(Instant.parse("2026-03-01T00:00:00Z"));
  private DataSource database;
  private JdbcLedger here;
  private JdbcLedger there;
  private ImageJobs jobs;

  abstract DataSource database();

  @BeforeEach
  void open() {
    database = SingleWriter.of(database());
    here = ledger("here");
    there = ledger("there");
    jobs = jobs(new AnswerVault(KEY));
  }

  @AfterEach
  void close() {
    // Where no database could be had, nothing was opened.
    Stream.of(Optional.ofNullable(here), Optional.ofNullable(there))
        .flatMap(Optional::stream)
        .forEach(JdbcLedger::close);
  }

  private JdbcLedger ledger(String node) {
    return new JdbcLedger(
        database,
        new AnswerVault(KEY),
        LedgerSettings.of(node),
        new Outbox(Set.of("job.done")),
        Clock.systemUTC());
  }

  private ImageJobs jobs(AnswerVault vault) {
    return new ImageJobs(
        here.statements(),
        here.paymentStatuses(),
        new JobSeal(vault),
        here.outbox(),
        Duration.ofHours(48),
        4,
        clock);
  }

  private static PaymentUse unknownPayment() {
    return new PaymentUse(UUID.randomUUID(), "0".repeat(64));
  }

  private static JobTerms.Order order(String owner, PaymentUse use) {
    JobTerms terms =
        new JobTerms(owner, "provider-a/image-1", "1024x1024", 1, new Usd(21_000), NETWORK, use);
    return new JobTerms.Order(
        terms,
        "{\"prompt\":\"a secret\"}".getBytes(StandardCharsets.UTF_8),
        Optional.of("a header"));
  }

  private ImageJob entered() {
    return jobs.enter(order("0xabc", unknownPayment()), here.owner()).orElseThrow();
  }

  private ImageJob begun() {
    return jobs.begin(entered(), here.owner(), 0).orElseThrow();
  }

  private ImageJob completed() {
    ImageJob job = begun();
    assertThat(jobs.complete(job, DRAWN)).isTrue();
    return jobs.find(job.id()).orElseThrow();
  }

  private static String random(int bytes) {
    byte[] some = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(some);
    return "0x" + HexFormat.of().formatHex(some);
  }

  private record Claimed(Claim claim, PaymentUse use) {}

  private Claimed claim() {
    RequestBinding binding = new RequestBinding("GET", "/poll", "", "00".repeat(32));
    ClaimResult result =
        here.claim(
            new ClaimRequest(
                new PaymentKey(NETWORK, random(20), random(32)),
                binding,
                "11".repeat(32),
                21_000,
                ASSET,
                "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
                Instant.parse("2030-01-01T00:00:00Z"),
                OptionalLong.empty(),
                Redelivery.STORED));
    Claim claim = ((ClaimResult.Claimed) result).claim();
    return new Claimed(claim, new PaymentUse(claim.id(), binding.hash()));
  }

  private long count(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void change(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private void kill(String node) throws SQLException {
    change(
        "UPDATE node SET expires_at = TIMESTAMP WITH TIME ZONE '2000-01-01 00:00:00+00:00'"
            + " WHERE name = '"
            + node
            + "'");
  }

  @Test
  @Tag("spec:state.image_job.queued")
  void aJobIsEnteredQueuedAndOnceForAPaymentAndItsRequest() {
    PaymentUse use = unknownPayment();
    ImageJob job = jobs.enter(order("0xabc", use), here.owner()).orElseThrow();
    assertThat(job.state()).isEqualTo(JobState.QUEUED);
    assertThat(job.runner()).contains(here.owner());
    assertThat(job.active()).isEqualTo(use);
    assertThat(job.envelope()).contains("a header");
    assertThat(job.terms().price()).isEqualTo(new Usd(21_000));
    assertThat(jobs.enter(order("0xabc", use), there.owner()).orElseThrow().id())
        .isEqualTo(job.id());
    assertThat(jobs.ordered(use)).map(ImageJob::id).contains(job.id());
    assertThat(jobs.ordered(new PaymentUse(use.payment(), "1".repeat(64)))).isEmpty();
    assertThat(ImageJob.id(job.name())).contains(job.id());
  }

  @Test
  void aJobIsBegunByOneAndCompletedByNoOther() {
    ImageJob job = entered();
    ImageJob ours = jobs.begin(job, here.owner(), 0).orElseThrow();
    assertThat(jobs.begin(job, there.owner(), 0)).isEmpty();
    assertThat(ours.attempt()).isEqualTo(1);
    assertThat(jobs.find(job.id()).orElseThrow().state()).isEqualTo(JobState.IN_PROGRESS);

    ImageJob theirs = job.begun(there.owner(), 0);
    assertThat(jobs.complete(theirs, DRAWN)).isFalse();
    assertThat(jobs.fail(theirs, FAILED)).isFalse();
    assertThat(jobs.giveBack(theirs)).isFalse();
    assertThat(jobs.progress(theirs, DRAWN)).isFalse();
    assertThat(jobs.complete(job, DRAWN)).isFalse();
    assertThat(jobs.complete(ours, DRAWN)).isTrue();
    ImageJob done = jobs.find(job.id()).orElseThrow();
    assertThat(done.state()).isEqualTo(JobState.COMPLETED);
    assertThat(done.result().pictures()).containsExactly("a.png");
    assertThat(done.runner()).isEmpty();
  }

  @Test
  void aJobThatIsDoneIsToldOnceHoweverItEnded() throws SQLException {
    ImageJob done = completed();
    assertThat(jobs.fail(done, FAILED)).isFalse();
    ImageJob failed = begun();
    assertThat(jobs.complete(failed.begun(there.owner(), 0), DRAWN)).isFalse();
    assertThat(count("SELECT COUNT(*) FROM webhook_event")).isEqualTo(1);
    assertThat(jobs.fail(failed, FAILED)).isTrue();
    String told =
        "SELECT COUNT(*) FROM webhook_event WHERE id = 'job_done_%s' AND data LIKE '%%%s%%'";
    assertThat(count(told.formatted(done.id(), "\"state\":\"completed\""))).isEqualTo(1);
    assertThat(count(told.formatted(failed.id(), "\"state\":\"failed\""))).isEqualTo(1);
    assertThat(count(told.formatted(failed.id(), "\"price\":\"0."))).isEqualTo(1);
  }

  @Test
  void aJobThatEndedStaysAsItIs() {
    ImageJob done = completed();
    assertThat(jobs.fail(done, FAILED)).isFalse();
    assertThat(jobs.begin(done, here.owner(), 0)).isEmpty();
    assertThat(jobs.giveBack(done)).isFalse();
    ImageJob job = begun();
    assertThat(jobs.fail(job, FAILED)).isTrue();
    assertThat(jobs.complete(job, DRAWN)).isFalse();
    ImageJob failed = jobs.find(job.id()).orElseThrow();
    assertThat(failed.state()).isEqualTo(JobState.FAILED);
    assertThat(failed.result().error())
        .isEqualTo(new JobResult.Reason("content_policy_violation", "no", false));
    assertThat(jobs.pay(failed, unknownPayment(), NETWORK)).isFalse();
  }

  /** A stalled node wakes up with what it knew; nothing that it does then changes anything. */
  @Test
  void noSequenceOfMovesByTwoNodesLeavesTheTable() {
    Random dice = new Random(7);
    for (int round = 0; round < 12; round++) {
      ImageJob current =
          jobs.enter(order("0x" + round, unknownPayment()), here.owner()).orElseThrow();
      ImageJob stale = current;
      for (int step = 0; step < 8; step++) {
        JobState before = jobs.find(current.id()).orElseThrow().state();
        ImageJob known = dice.nextBoolean() ? current : stale;
        Owner by = dice.nextBoolean() ? here.owner() : there.owner();
        boolean moved =
            switch (dice.nextInt(4)) {
              case 0 -> jobs.begin(known, by, 0).isPresent();
              case 1 -> jobs.complete(known, DRAWN);
              case 2 -> jobs.fail(known, FAILED);
              default -> jobs.giveBack(known);
            };
        ImageJob after = jobs.find(current.id()).orElseThrow();
        assertThat(moved ? before.isRunning() : after.state() == before).isTrue();
        if (!before.isRunning()) {
          assertThat(after.state()).isEqualTo(before);
        }
        stale = current;
        current = after;
      }
    }
  }

  @Test
  @Tag("spec:money.8")
  void anOwnersPlacesHoldAgainstAnyNumberOfNodes() throws SQLException {
    List<CompletableFuture<Boolean>> all =
        IntStream.range(0, 12)
            .mapToObj(
                number ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            return (number % 2 == 0 ? jobs : otherNode())
                                .enter(order("0xgreedy", unknownPayment()), here.owner())
                                .isPresent();
                          } catch (LedgerUnavailable lostARace) {
                            return false;
                          }
                        }))
            .toList();
    long entered = all.stream().map(CompletableFuture::join).filter(yes -> yes).count();
    assertThat(entered).isBetween(1L, 4L);
    assertThat(count("SELECT count(*) FROM image_job WHERE owner = '0xgreedy'")).isEqualTo(entered);
    while (jobs.enter(order("0xgreedy", unknownPayment()), here.owner()).isPresent()) {
      entered++;
    }
    assertThat(entered).isEqualTo(4);
    assertThat(jobs.isFull("0xgreedy")).isTrue();
    assertThat(jobs.isFull("0xmodest")).isFalse();
  }

  private ImageJobs otherNode() {
    return new ImageJobs(
        there.statements(),
        there.paymentStatuses(),
        new JobSeal(new AnswerVault(KEY)),
        there.outbox(),
        Duration.ofHours(48),
        4,
        clock);
  }

  @Test
  void aJobThatFailedGivesItsPlaceBack() {
    for (int number = 0; number < 6; number++) {
      assertThat(jobs.fail(begun(), FAILED)).isTrue();
    }
    assertThat(jobs.isFull("0xabc")).isFalse();
  }

  @Test
  void jobsOfTheDeadAndThoseGivenBackAreFoundAndNoOthers() throws SQLException {
    ImageJob living = begun();
    ImageJob given = begun();
    assertThat(jobs.giveBack(given)).isTrue();
    ImageJob orphan =
        jobs.begin(
                jobs.enter(order("0xorphan", unknownPayment()), there.owner()).orElseThrow(),
                there.owner(),
                0)
            .orElseThrow();
    assertThat(jobs.orphans(10)).extracting(ImageJob::id).containsExactly(given.id());
    kill("there");
    assertThat(jobs.orphans(10))
        .extracting(ImageJob::id)
        .containsExactlyInAnyOrder(given.id(), orphan.id())
        .doesNotContain(living.id());
    ImageJob found =
        jobs.orphans(10).stream()
            .filter(job -> job.id().equals(orphan.id()))
            .findAny()
            .orElseThrow();
    ImageJob taken = jobs.begin(found, here.owner(), 1).orElseThrow();
    assertThat(taken.attempt()).isEqualTo(2);
    assertThat(jobs.complete(orphan, DRAWN)).as("the dead node wakes up").isFalse();
    assertThat(jobs.complete(taken, DRAWN)).isTrue();
  }

  @Test
  @Tag("spec:money.9")
  @Tag("spec:state.image_job.completed")
  @Tag("spec:state.image_job.already_settled")
  void onePaymentAtATimeMayPayForAJob() {
    ImageJob job = completed();
    Claimed first = claim();
    Claimed second = claim();
    assertThat(jobs.pay(job, first.use(), NETWORK)).isTrue();
    assertThat(jobs.pay(job, first.use(), NETWORK)).as("the same again").isTrue();
    assertThat(jobs.pay(job, second.use(), NETWORK)).isFalse();
    assertThat(jobs.isPaid(jobs.find(job.id()).orElseThrow())).isFalse();

    assertThat(here.release(first.claim())).isTrue();
    assertThat(jobs.pay(job, second.use(), "solana:x")).isTrue();
    assertThat(jobs.find(job.id()).orElseThrow().network()).isEqualTo("solana:x");
    assertThat(here.settleHere(second.claim(), null)).isInstanceOf(Settlement.Settled.class);
    ImageJob paid = jobs.find(job.id()).orElseThrow();
    assertThat(jobs.isPaid(paid)).isTrue();
    assertThat(jobs.transaction(paid)).isPresent();
    assertThat(jobs.pay(paid, claim().use(), NETWORK)).as("paid and not noted").isFalse();
    jobs.settled(paid, second.use());
    assertThat(jobs.find(job.id()).orElseThrow().settled()).isTrue();
    assertThat(jobs.pay(paid, claim().use(), NETWORK)).as("paid and noted").isFalse();
  }

  @Test
  void aPaymentWhoseCallDiedBeforeItCouldNoteItIsNotedLater() throws SQLException {
    ImageJob job = completed();
    Claimed claimed = claim();
    assertThat(jobs.pay(job, claimed.use(), NETWORK)).isTrue();
    jobs.tidy();
    assertThat(jobs.find(job.id()).orElseThrow().settled()).isFalse();
    here.settleHere(claimed.claim(), null);
    jobs.tidy();
    assertThat(jobs.find(job.id()).orElseThrow().settled()).isTrue();
    assertThat(count("SELECT count(*) FROM image_job WHERE place IS NOT NULL")).isZero();
  }

  @Test
  @Tag("spec:limit.image_job_retention")
  @Tag("spec:state.image_job.abandoned")
  void aJobThatNoCallerPollsIsForgottenAfterTwoDaysAndNotPaid() throws SQLException {
    ImageJob job = completed();
    clock.advance(Duration.ofHours(48).minusSeconds(1));
    jobs.tidy();
    assertThat(jobs.find(job.id())).isPresent();
    assertThat(jobs.isPaid(job)).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(jobs.find(job.id())).isEmpty();
    assertThat(jobs.ordered(job.terms().ordered())).isEmpty();
    jobs.tidy();
    assertThat(count("SELECT count(*) FROM image_job")).isZero();
    assertThat(jobs.isFull("0xabc")).isFalse();
  }

  @Test
  void whatIsPrivateOpensWithTheKeyAlone() {
    ImageJob job = entered();
    assertThat(new String(jobs.request(job), StandardCharsets.UTF_8)).contains("a secret");
    byte[] other = new byte[32];
    other[0] = 1;
    ImageJobs stranger = jobs(new AnswerVault(other));
    assertThatThrownBy(() -> stranger.request(job)).isInstanceOf(IllegalStateException.class);
    assertThat(stranger.find(job.id()).orElseThrow().envelope()).isEmpty();
    ImageJob done = stranger.find(completed().id()).orElseThrow();
    assertThat(done.state()).as("it is not paid for").isEqualTo(JobState.FAILED);
    assertThat(done.result().pictures()).isEmpty();
  }
}

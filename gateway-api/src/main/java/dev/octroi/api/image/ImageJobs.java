package dev.octroi.api.image;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.image.JobRows.JobTerms;
import dev.octroi.api.settings.WebhookSettings;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.ledger.jdbc.Outbox.OutboxEvent;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * The jobs in the ledger's database. A transition of one is a single statement that names id,
 * state, attempt and whose it is, so that a node that lost a job and wakes up changes nothing
 * (money rule 1, applied to work); what has ended stays as it is. Thread-safe; throws {@code
 * LedgerUnavailable} when the database does not answer in time.
 */
final class ImageJobs {

  /** By the database's clock, as all nodes judge each other. */
  private static final String ORPHANS =
      """
      SELECT id FROM image_job j
      WHERE state IN ('QUEUED', 'IN_PROGRESS') AND expires_at > :now AND NOT EXISTS (
        SELECT 1 FROM node n
        WHERE n.name = j.node AND n.epoch = j.epoch AND n.expires_at > CURRENT_TIMESTAMP)
      ORDER BY created_at LIMIT :most
      """;

  private static final String OWN =
      "SELECT id FROM image_job WHERE state IN ('QUEUED', 'IN_PROGRESS') AND node = :node AND epoch = :epoch";

  private static final String UNSETTLED =
      "SELECT id FROM image_job WHERE state = 'COMPLETED' AND place IS NOT NULL ORDER BY created_at LIMIT"
          + " :most";

  private static final String LOCK =
      "SELECT id FROM image_job WHERE id = :id AND state = 'COMPLETED' AND settled_at IS NULL FOR UPDATE";

  private static final String PAY =
      "UPDATE image_job SET payment = :payment, paid_for = :for, network = :network WHERE id = :id";

  private static final String SETTLED =
      """
      UPDATE image_job SET settled_at = :now, place = NULL
      WHERE id = :id AND payment = :payment AND paid_for = :for AND settled_at IS NULL
      """;

  private static final String EXPIRE =
      """
      DELETE FROM image_job WHERE id IN (
        SELECT id FROM image_job WHERE expires_at <= :now LIMIT :most)
      """;

  private static final String FROM =
      """
       WHERE id = :id AND state = :state AND state IN ('QUEUED', 'IN_PROGRESS') AND attempt = :attempt
        AND node IS NOT DISTINCT FROM :node AND epoch IS NOT DISTINCT FROM :epoch
      """;

  private static final String BEGIN =
      "UPDATE image_job SET state = 'IN_PROGRESS', attempt = attempt + 1, lost = :lost, node = :by, epoch ="
          + " :life"
          + FROM;

  private static final String COMPLETE =
      "UPDATE image_job SET state = 'COMPLETED', node = NULL, epoch = NULL, result = :result"
          + FROM;

  private static final String FAIL =
      "UPDATE image_job SET state = 'FAILED', place = NULL, node = NULL, epoch = NULL, result = :result"
          + FROM;

  private static final String GIVE_BACK =
      "UPDATE image_job SET state = 'QUEUED', node = NULL, epoch = NULL" + FROM;

  private static final String PROGRESS = "UPDATE image_job SET result = :result" + FROM;

  /** A commit of unknown outcome is run again, and then finds what it did itself. */
  private static final String BEGUN =
      """
      SELECT count(*) FROM image_job
      WHERE id = :id AND state = 'IN_PROGRESS' AND attempt = :attempt AND node = :by AND epoch = :life
      """;

  private static final int AT_ONCE = 100;

  private final Statements statements;
  private final PaymentStatuses paymentStatuses;
  private final JobRows rows;
  private final Outbox outbox;
  private final Duration retention;
  private final int places;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param outbox is told of jobs that are done
   * @param retention how long after its order a job may be asked for
   * @param places unsettled jobs of an owner at most (money rule 8)
   */
  ImageJobs(
      Statements statements,
      PaymentStatuses paymentStatuses,
      JobSeal seal,
      Outbox outbox,
      Duration retention,
      int places,
      Clock clock) {
    this.statements = statements;
    this.paymentStatuses = paymentStatuses;
    this.rows = new JobRows(seal);
    this.outbox = outbox;
    this.retention = retention;
    this.places = places;
    this.clock = clock;
  }

  /** Whether an owner may order no more before something is paid for. */
  boolean isFull(String owner) {
    return statements.run(handle -> rows.places(handle, owner)).size() >= places;
  }

  /**
   * Enters a job that a node already runs.
   *
   * @return empty if its owner has too many that are not settled
   */
  Optional<ImageJob> enter(JobTerms.Order order, Owner by) {
    UUID id = id();
    Instant now = clock.instant();
    JobRows.Life life = new JobRows.Life(now, now.plus(retention));
    return statements.run(
        handle -> {
          Optional<ImageJob> known = rows.ordered(handle, order.terms().ordered());
          if (known.isPresent()) {
            return known;
          }
          List<Integer> taken = rows.places(handle, order.terms().owner());
          Optional<Integer> free =
              IntStream.rangeClosed(1, places)
                  .boxed()
                  .filter(place -> !taken.contains(place))
                  .findFirst();
          free.ifPresent(place -> rows.insert(handle, id, order, place, by, life));
          return rows.find(handle, id);
        });
  }

  /** A job that may still be asked for. */
  Optional<ImageJob> find(UUID id) {
    return statements.run(handle -> rows.find(handle, id)).filter(this::isKept);
  }

  /** The job that this payment ordered by this request. */
  Optional<ImageJob> ordered(PaymentUse use) {
    return statements.run(handle -> rows.ordered(handle, use)).filter(this::isKept);
  }

  private boolean isKept(ImageJob job) {
    return clock.instant().isBefore(job.created().plus(retention));
  }

  /**
   * The body that it was ordered with.
   *
   * @throws IllegalStateException if no key of this gateway opens it
   */
  byte[] request(ImageJob job) {
    byte[] sealed = statements.run(handle -> rows.request(handle, job.id()));
    return rows.seal().openRequest(job.id(), sealed);
  }

  /** The job as this life's to run; empty if it has changed since it was read. */
  Optional<ImageJob> begin(ImageJob job, Owner by, int lost) {
    return statements.run(
        handle -> {
          int moved =
              from(handle.createUpdate(BEGIN), job)
                  .bind("lost", lost)
                  .bind("by", by.node())
                  .bind("life", by.epoch())
                  .execute();
          return moved == 1 || isBegun(handle, job, by)
              ? Optional.of(job.begun(by, lost))
              : Optional.empty();
        });
  }

  private static boolean isBegun(Handle handle, ImageJob job, Owner by) {
    return handle
            .createQuery(BEGUN)
            .bind("id", job.id())
            .bind("attempt", job.attempt() + 1)
            .bind("by", by.node())
            .bind("life", by.epoch())
            .mapTo(Integer.class)
            .one()
        == 1;
  }

  /** Whether it was still the runner's to complete. */
  boolean complete(ImageJob job, JobResult result) {
    return statements.run(
        handle -> change(handle, COMPLETE, job, result) && told(handle, job, JobState.COMPLETED));
  }

  /** Nothing will be charged for it, so its owner may order another. */
  boolean fail(ImageJob job, JobResult result) {
    return statements.run(
        handle -> change(handle, FAIL, job, result) && told(handle, job, JobState.FAILED));
  }

  /** What is told of a job that is done. */
  private record OfJob(String job, String state, String model, Usd price, String owner) {}

  private boolean told(Handle handle, ImageJob job, JobState state) throws SQLException {
    OfJob told =
        new OfJob(
            job.name(),
            state.name().toLowerCase(Locale.ROOT),
            job.terms().model(),
            job.terms().price(),
            job.terms().owner());
    outbox.write(
        handle,
        new OutboxEvent(
            WebhookSettings.EventType.JOB_DONE.word(),
            job.id().toString(),
            job.id(),
            clock.instant(),
            new String(HouseJson.of(told), StandardCharsets.UTF_8)));
    return true;
  }

  /** Lets any node run it. */
  boolean giveBack(ImageJob job) {
    return statements.run(handle -> from(handle.createUpdate(GIVE_BACK), job).execute() == 1);
  }

  boolean progress(ImageJob job, JobResult soFar) {
    return statements.run(handle -> change(handle, PROGRESS, job, soFar));
  }

  private boolean change(Handle handle, String sql, ImageJob job, JobResult result) {
    return from(handle.createUpdate(sql), job)
            .bind("result", rows.seal().result(job.id(), result))
            .execute()
        == 1;
  }

  private static Update from(Update update, ImageJob job) {
    @Nullable Owner runner = job.runner().orElse(null);
    return update
        .bind("id", job.id())
        .bind("state", job.state())
        .bind("attempt", job.attempt())
        .bindByType("node", runner == null ? null : runner.node(), String.class)
        .bindByType("epoch", runner == null ? null : runner.epoch(), Long.class);
  }

  /** Jobs that no node runs: of nodes that are dead, and those that were given back. */
  List<ImageJob> orphans(int most) {
    return statements.run(
        handle ->
            handle
                .createQuery(ORPHANS)
                .bind("now", clock.instant())
                .bind("most", most)
                .mapTo(UUID.class)
                .list()
                .stream()
                .flatMap(id -> rows.find(handle, id).stream())
                .toList());
  }

  /** Jobs that are this life's to run. */
  List<ImageJob> own(Owner life) {
    return statements.run(
        handle ->
            handle
                .createQuery(OWN)
                .bind("node", life.node())
                .bind("epoch", life.epoch())
                .mapTo(UUID.class)
                .list()
                .stream()
                .flatMap(id -> rows.find(handle, id).stream())
                .toList());
  }

  /**
   * Makes a payment the one that may pay for a completed job, if the one before it is dead.
   *
   * @return whether it is that one now
   */
  boolean pay(ImageJob job, PaymentUse use, String network) {
    return statements.run(
        handle -> {
          boolean open =
              handle.createQuery(LOCK).bind("id", job.id()).mapTo(UUID.class).findOne().isPresent();
          return open && isFree(handle, job.id(), use) && take(handle, job.id(), use, network);
        });
  }

  private boolean isFree(Handle handle, UUID id, PaymentUse use) {
    PaymentUse active = rows.find(handle, id).orElseThrow().active();
    return active.equals(use) || paymentStatuses.of(handle, active) == PaymentStatus.DEAD;
  }

  private static boolean take(Handle handle, UUID id, PaymentUse use, String network) {
    return handle
            .createUpdate(PAY)
            .bind("id", id)
            .bind("payment", use.payment())
            .bind("for", use.request())
            .bind("network", network)
            .execute()
        == 1;
  }

  /** Notes that it is paid; its owner may order another. */
  void settled(ImageJob job, PaymentUse use) {
    statements.run(handle -> settled(handle, job.id(), use));
  }

  private int settled(Handle handle, UUID id, PaymentUse use) {
    return handle
        .createUpdate(SETTLED)
        .bind("id", id)
        .bind("now", clock.instant())
        .bind("payment", use.payment())
        .bind("for", use.request())
        .execute();
  }

  /** Whether it has been paid for, by whichever call. */
  boolean isPaid(ImageJob job) {
    return job.settled() || paymentStatuses.of(job.active()) == PaymentStatus.SETTLED;
  }

  /** The transaction that paid for it. */
  Optional<String> transaction(ImageJob job) {
    return paymentStatuses.transaction(job.active());
  }

  /** Notes payments whose calls could not, and forgets jobs that may not be asked for any more. */
  void tidy() {
    statements.run(
        handle ->
            handle.createQuery(UNSETTLED).bind("most", AT_ONCE).mapTo(UUID.class).list().stream()
                .flatMap(id -> rows.find(handle, id).stream())
                .filter(job -> paymentStatuses.of(handle, job.active()) == PaymentStatus.SETTLED)
                .mapToInt(job -> settled(handle, job.id(), job.active()))
                .sum());
    statements.run(
        handle ->
            handle
                .createUpdate(EXPIRE)
                .bind("now", clock.instant())
                .bind("most", AT_ONCE)
                .execute());
  }

  private UUID id() {
    byte[] bits = new byte[2 * Long.BYTES];
    random.nextBytes(bits);
    ByteBuffer two = ByteBuffer.wrap(bits);
    return new UUID(two.getLong(), two.getLong());
  }
}

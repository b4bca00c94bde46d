package dev.octroi.api.image;

import dev.octroi.api.image.JobRows.JobTerms;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.ledger.jdbc.Statements;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The jobs in the ledger's database. Thread-safe; throws {@code LedgerUnavailable} when the
 * database does not answer in time.
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

  private static final int AT_ONCE = 100;

  private final Statements statements;
  private final PaymentStatuses paymentStatuses;
  private final JobRows rows;
  private final JobTransitions transitions;
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
    this.transitions = new JobTransitions(seal, outbox, clock);
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
    return statements.run(handle -> transitions.begin(handle, job, by, lost));
  }

  /** Whether it was still the runner's to complete. */
  boolean complete(ImageJob job, JobResult result) {
    return statements.run(handle -> transitions.complete(handle, job, result));
  }

  boolean fail(ImageJob job, JobResult result) {
    return statements.run(handle -> transitions.fail(handle, job, result));
  }

  /** Lets any node run it. */
  boolean giveBack(ImageJob job) {
    return statements.run(handle -> transitions.giveBack(handle, job));
  }

  boolean progress(ImageJob job, JobResult soFar) {
    return statements.run(handle -> transitions.progress(handle, job, soFar));
  }

  /** Jobs that no node runs: of nodes that are dead, and those that were given back. */
  List<ImageJob> orphans(int most) {
    return statements.run(
        handle ->
            handle
                .createQuery(ORPHANS)
                .bind("now", JobRows.utc(clock.instant()))
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
        .bind("now", JobRows.utc(clock.instant()))
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
                .bind("now", JobRows.utc(clock.instant()))
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

package dev.octroi.api.image;

import dev.octroi.api.house.HouseJson;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.settings.WebhookSettings;
import dev.octroi.payments.Usd;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.jdbc.Outbox;
import dev.octroi.payments.ledger.jdbc.Outbox.OutboxEvent;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * The transitions of jobs: each one statement that names id, state, attempt and whose it is, so
 * that a node that lost a job and wakes up changes nothing (money rule 1, applied to work). What
 * has ended stays as it is.
 */
record JobTransitions(JobSeal seal, Outbox outbox, Clock clock) {

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

  /** Makes it this life's to run. */
  Optional<ImageJob> begin(Handle handle, ImageJob job, Owner by, int lost) {
    int moved =
        from(handle.createUpdate(BEGIN), job)
            .bind("lost", lost)
            .bind("by", by.node())
            .bind("life", by.epoch())
            .execute();
    return moved == 1 || isBegun(handle, job, by)
        ? Optional.of(job.begun(by, lost))
        : Optional.empty();
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

  boolean complete(Handle handle, ImageJob job, JobResult result) throws SQLException {
    return change(handle, COMPLETE, job, result) && told(handle, job, JobState.COMPLETED);
  }

  /** Nothing will be charged for it, so its owner may order another. */
  boolean fail(Handle handle, ImageJob job, JobResult result) throws SQLException {
    return change(handle, FAIL, job, result) && told(handle, job, JobState.FAILED);
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

  boolean giveBack(Handle handle, ImageJob job) {
    return from(handle.createUpdate(GIVE_BACK), job).execute() == 1;
  }

  boolean progress(Handle handle, ImageJob job, JobResult result) {
    return change(handle, PROGRESS, job, result);
  }

  private boolean change(Handle handle, String sql, ImageJob job, JobResult result) {
    return from(handle.createUpdate(sql), job)
            .bind("result", seal.result(job.id(), result))
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
}

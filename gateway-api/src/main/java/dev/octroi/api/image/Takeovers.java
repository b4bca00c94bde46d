package dev.octroi.api.image;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageBody;
import dev.octroi.services.images.ImageOrder;
import dev.octroi.services.images.ImageRequests;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs again whose node died over them, and such as were given back; a job that two nodes died
 * over fails, uncharged.
 */
record Takeovers(ImageJobs jobs, ImageRunner runner, ImageRequests requests) {

  private static final Logger LOG = LoggerFactory.getLogger(Takeovers.class);

  /** Nodes that may die over a job before it counts as what they died of. */
  private static final int MOST_LOST = 2;

  /** Takes over as many as this node can run. */
  void run() {
    int free = runner.free();
    if (free > 0) {
      jobs.orphans(free).forEach(this::takeOver);
    }
  }

  private void takeOver(ImageJob job) {
    int lost = job.lost() + (job.state() == JobState.IN_PROGRESS ? 1 : 0);
    if (lost >= MOST_LOST) {
      Failure interrupted =
          new Failure(ErrorCode.INTERNAL, "The generation was interrupted more than once");
      jobs.fail(job, JobResult.failed(interrupted, job.result().progress()));
      return;
    }
    jobs.begin(job, runner.life(), lost).ifPresent(this::resume);
  }

  private void resume(ImageJob job) {
    LOG.info("Job {} goes on here, attempt {}", job.name(), job.attempt());
    Optional<ImageOrder> order = Optional.empty();
    try {
      order = Optional.of(requests.order(ImageBody.ofJson(jobs.request(job)), false));
      runner.adopt(runner.start(order.get()), job);
    } catch (IllegalStateException sealedByAnother) {
      Failure lost = new Failure(ErrorCode.INTERNAL, "The order can no longer be read");
      jobs.fail(job, JobResult.failed(lost, List.of()));
    } catch (Failure refused) {
      if (order.isPresent()) {
        jobs.giveBack(job);
      } else {
        jobs.fail(job, JobResult.failed(refused, job.result().progress()));
      }
    }
  }
}

package dev.octroi.api.image;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Jobs that are this node's to run and that it does not run, because the database was away in the
 * wrong moment: given back, for while their node lives no other node takes them. For one thread.
 */
final class Strays implements Runnable {

  private final ImageJobs jobs;
  private final ImageRunner runner;
  private Set<UUID> before = Set.of();

  Strays(ImageJobs jobs, ImageRunner runner) {
    this.jobs = jobs;
    this.runner = runner;
  }

  /** Gives back what strayed the last time too; what is new may just be about to run. */
  @Override
  public void run() {
    Set<UUID> now =
        jobs.own(runner.life()).stream()
            .filter(job -> !runner.runs(job))
            .filter(job -> !before.contains(job.id()) || !jobs.giveBack(job))
            .map(ImageJob::id)
            .collect(Collectors.toSet());
    before = now;
  }
}

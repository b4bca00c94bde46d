package dev.octroi.api.image;

import dev.octroi.payments.Deferral;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import java.util.List;
import java.util.Optional;

/**
 * The price of a poll: that of the job, once it is done and as long as it is not paid (money rule
 * 9). A job that is not known is 404.
 */
public final class PollTariff implements Tariff {

  private final ImageJobs jobs;

  PollTariff(ImageJobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public Usd price(PricedRequest request) {
    String name = request.pathParameters().getOrDefault("id", List.of("")).get(0);
    ImageJob job = ImageJob.id(name).flatMap(jobs::find).orElseThrow(JobAnswers::unknown);
    boolean due = job.state() == JobState.COMPLETED && !jobs.isPaid(job);
    request.note(
        new Deferral(
            job.terms().owner(),
            job.terms().price(),
            due,
            job.envelope(),
            Optional.of(job.active())));
    return job.terms().price();
  }
}

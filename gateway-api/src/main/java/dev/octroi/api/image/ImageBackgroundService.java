package dev.octroi.api.image;

import dev.octroi.api.BackgroundService;
import dev.octroi.api.JobContext;
import dev.octroi.api.settings.ImageSettings;
import dev.octroi.payments.Daemons;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.HostThreads;
import dev.octroi.services.images.ImageRequests;
import dev.octroi.services.images.Images;
import dev.octroi.services.web.PageFetcher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Pictures and the jobs behind them, opened with the ledger. Thread-safe. */
public final class ImageBackgroundService implements BackgroundService {

  /** Less than the gateway waits for all of its background services. */
  private static final Duration DRAIN = Duration.ofSeconds(8);

  private static final Duration WATCH = Duration.ofSeconds(10);
  private static final Duration TIDY = Duration.ofMinutes(1);

  private final ImageRequests requests;
  private final ImageJobs jobs;
  private final ImageRunner runner;
  private final ImageService service;
  private final ScheduledExecutorService strays;
  private final Duration takeover;

  private ImageBackgroundService(ImageSettings settings, Sources sources, JobContext context) {
    this.requests = sources.requests();
    this.jobs =
        new ImageJobs(
            context.statements(),
            context.paymentStatuses(),
            new JobSeal(context.vault()),
            settings.retention(),
            settings.jobsPerOwner(),
            context.clock());
    PictureShelf shelf = new PictureShelf(context.assets(), sources.web());
    this.runner =
        new ImageRunner(
            sources.images(),
            shelf,
            jobs,
            context::life,
            new ImageRunner.Limits(settings.deadline(), settings.atOnce(), DRAIN));
    this.takeover = settings.takeover();
    this.strays = watch(new Strays(jobs, runner));
    this.service =
        new ImageService(
            requests,
            sources.images(),
            new EditBody(requests, sources.web()),
            shelf,
            jobs,
            runner,
            new ImageService.Limits(
                settings.fastPath(), settings.editDeadline(), settings.editsAtOnce()),
            context.clock());
  }

  /**
   * What is called and what is read.
   *
   * @param web fetches pictures
   */
  public record Sources(Images images, ImageRequests requests, PageFetcher web) {}

  /** Opens the jobs of the ledger's database. */
  public static ImageBackgroundService open(
      ImageSettings settings, Sources sources, JobContext context) {
    return new ImageBackgroundService(settings, sources, context);
  }

  /** Serves the calls. */
  public ImageService service() {
    return service;
  }

  @Override
  public List<RecurringTask> tasks() {
    return List.of(
        new RecurringTask("take-over-images", takeover, new Takeovers(jobs, runner, requests)::run),
        new RecurringTask("tidy-image-jobs", TIDY, jobs::tidy));
  }

  @Override
  public List<Tariff> tariffs() {
    return List.of(new ImageTariff(requests), new EditTariff(requests), new PollTariff(jobs));
  }

  /** Each node looks after its own jobs, so that this is no task of the reconciler. */
  @SuppressWarnings("FutureReturnValueIgnored") // it tries again, whatever happens
  private static ScheduledExecutorService watch(Strays strays) {
    ScheduledExecutorService watch = HostThreads.OF_THE_JVM.clock("image-strays");
    watch.scheduleWithFixedDelay(
        Daemons.guarded("Looking after jobs of pictures", strays),
        WATCH.toMillis(),
        WATCH.toMillis(),
        TimeUnit.MILLISECONDS);
    return watch;
  }

  @Override
  public void close() {
    strays.shutdown();
    runner.close();
  }
}

package dev.octroi.api.image;

import dev.octroi.api.asset.Assets;
import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldModels;
import dev.octroi.api.group.SoldModels.SoldModel;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.house.Listing;
import dev.octroi.api.image.ImageEditResource.EditTariff;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.image.ImageResource.ImageTariff;
import dev.octroi.api.image.ImageResource.PollTariff;
import dev.octroi.api.image.ImageRunner.PictureShelf;
import dev.octroi.api.image.JobsResource.JobList;
import dev.octroi.api.image.PictureStreams.LastPicture;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.ImageSettings;
import dev.octroi.api.settings.Secret;
import dev.octroi.api.settings.WebSettings;
import dev.octroi.payments.Daemons;
import dev.octroi.payments.reconcile.RecurringTask;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.images.GivenPicture;
import dev.octroi.services.images.ImageBody;
import dev.octroi.services.images.ImageCatalogue;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.ImageRequests;
import dev.octroi.services.images.Images;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.images.VendorImages;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VendorModels;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import dev.octroi.services.web.PageFetcher.Wanted;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pictures of several vendors' models, and the jobs behind them. */
public final class ImageGroup extends BuiltInGroup {

  static final String BASE = "/v1/images";
  static final String GENERATIONS = BASE + "/generations";
  static final String EDITS = BASE + "/edits";

  /** Less than the gateway waits for all of its groups. */
  private static final Duration DRAIN = Duration.ofSeconds(8);

  private static final Duration WATCH = Duration.ofSeconds(10);
  private static final Duration TIDY = Duration.ofMinutes(1);

  public ImageGroup() {
    super(
        new Profile(
            "images",
            "Images",
            "Pictures drawn and edited; what takes longer than 30 seconds becomes a job.",
            ErrorShape.RELAY,
            List.of(BASE),
            List.of(
                ErrorCode.MODEL_NOT_FOUND,
                ErrorCode.CONTENT_FILTERED,
                ErrorCode.INVALID_URL,
                ErrorCode.NOT_FOUND,
                ErrorCode.URL_UNREACHABLE)),
        ImageResource.class,
        ImageEditResource.class,
        JobsResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this, settings);
  }

  private record Configured(Group group, GatewaySettings all) implements ConfiguredGroup {

    private ImageSettings settings() {
      return all.images();
    }

    @Override
    public List<SoldRow> rows() {
      return List.of(SoldRow.counted(group, GENERATIONS), SoldRow.counted(group, EDITS));
    }

    @Override
    public List<Upstream> upstreams() {
      return List.copyOf(vendors().values());
    }

    /** By the names that the catalogue gives them. */
    private Map<String, Upstream> vendors() {
      Map<String, Upstream> vendors = new LinkedHashMap<>();
      settings().upstreams().forEach((name, address) -> vendors.put(name, vendor(name, address)));
      return vendors;
    }

    @Override
    public List<SoldModels> models() {
      ImageCatalogue catalogue = settings().models();
      return vendors().entrySet().stream()
          .map(
              each ->
                  new SoldModels(
                      each.getValue(),
                      VendorModels.Form.WHOLE,
                      catalogue.models().stream()
                          .filter(model -> model.source().upstream().equals(each.getKey()))
                          .map(Configured::sold)
                          .toList()))
          .toList();
    }

    private static SoldModel sold(ImageModel model) {
      return new SoldModel(
          model.id(), model.source().model(), model.retirement().map(ImageModel.Retirement::from));
    }

    private Upstream vendor(String name, URI address) {
      Duration longest =
          settings().deadline().compareTo(settings().editDeadline()) > 0
              ? settings().deadline()
              : settings().editDeadline();
      return new Upstream(
          "gateway.images." + name,
          "gateway.images.upstreams." + name,
          UpstreamSettings.of("images-" + name, address)
              .with(credential(name))
              .withDeadline(longest)
              .withMaxBodyBytes((int) settings().answer().bytes())
              .withMaxConnections(settings().atOnce() + settings().editsAtOnce())
              .withRetries(0),
          true);
    }

    private Credential credential(String name) {
      return Optional.ofNullable(settings().credentials().get(name))
          .map(Secret::value)
          .filter(secret -> !secret.isEmpty())
          .map(Credential::bearer)
          .orElseGet(Credential::none);
    }

    @Override
    public List<String> problems() {
      List<String> problems = new ArrayList<>();
      try {
        ImageCatalogue catalogue = settings().models();
        for (String name : settings().upstreams().keySet()) {
          if (!catalogue.upstreams().contains(name)) {
            problems.add(
                "gateway.images.upstreams."
                    + name
                    + ": the catalogue has no model there; it names "
                    + String.join(", ", catalogue.upstreams()));
          }
        }
      } catch (IllegalArgumentException invalid) {
        problems.add("gateway.images.catalogue: " + invalid.getMessage());
      }
      return problems;
    }

    @Override
    public List<String> missing() {
      return settings().upstreams().isEmpty()
          ? List.of("gateway.images.upstreams is not set: without an address no pictures are sold")
          : List.of();
    }

    /** Jobs that were ordered before may be asked for all the same. */
    @Override
    public boolean serves(String path) {
      return !settings().upstreams().isEmpty()
          || (!path.equals(GENERATIONS) && !path.equals(EDITS));
    }

    @Override
    public GroupLimits limits() {
      return new GroupLimits(
          Duration.ZERO,
          settings().answer().bytes(),
          List.of(new GroupLimits.Body(EDITS, settings().editBody().bytes(), true)));
    }

    @Override
    public OpenGroup open(GroupContext context) {
      Map<String, UpstreamClient> clients = new LinkedHashMap<>();
      vendors().forEach((name, vendor) -> clients.put(name, context.client(vendor)));
      Images images = new VendorImages(clients);
      ImageRequests requests =
          new ImageRequests(settings().models(), clients.keySet(), context.clock());
      PageFetcher web = fetcher(all.web(), context.threads());
      ImageJobs jobs =
          new ImageJobs(
              context.statements(),
              context.paymentStatuses(),
              new JobSeal(context.vault()),
              context.outbox(),
              settings().retention(),
              settings().jobsPerOwner(),
              context.clock());
      PictureShelf shelf = new PictureShelf(context.given(Assets.class), web);
      ImageRunner runner =
          new ImageRunner(
              images,
              shelf,
              jobs,
              context::life,
              context::carried,
              new ImageRunner.Limits(settings().deadline(), settings().atOnce(), DRAIN));
      ScheduledExecutorService strays = watch(new Strays(jobs, runner));
      ImageService service =
          new ImageService(
              requests,
              images,
              new EditBody(requests, web),
              shelf,
              jobs,
              runner,
              new PictureStreams(
                  runner, shelf, context.effects(new LastPicture()), context.clock()),
              new ImageService.Limits(
                  settings().fastPath(), settings().editDeadline(), settings().editsAtOnce()),
              context.clock());
      return OpenGroup.of(service, new JobList(context.given(Listing.class), context.vault()))
          .with(new ImageTariff(requests), new EditTariff(requests), new PollTariff(jobs))
          .withTasks(
              List.of(
                  new RecurringTask(
                      "take-over-images",
                      settings().takeover(),
                      new Takeovers(jobs, runner, requests)::run),
                  new RecurringTask("tidy-image-jobs", TIDY, jobs::tidy)))
          .withClose(
              () -> {
                strays.shutdown();
                runner.close();
                web.close();
              });
    }

    /** Pictures are fetched as pages are, from the public web and from nowhere else. */
    private static PageFetcher fetcher(WebSettings web, HostThreads threads) {
      FetchLimits limits =
          new FetchLimits(web.deadline(), GivenPicture.MAX_BYTES, web.redirects(), web.atOnce());
      return new PageFetcher(limits, Set.copyOf(web.ports()), Wanted.PICTURE, threads);
    }

    /** Each node looks after its own, so that this is no task of one for all. */
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
  }

  /**
   * Jobs that are this node's to run and that it does not run, because the database was away in the
   * wrong moment: given back, for while their node lives no other node takes them. For one thread.
   */
  static final class Strays implements Runnable {

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

  /**
   * Runs jobs again whose node died over them, and such as were given back; a job that two nodes
   * died over fails, uncharged.
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
}

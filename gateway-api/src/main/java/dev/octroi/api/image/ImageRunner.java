package dev.octroi.api.image;

import dev.octroi.api.asset.Assets;
import dev.octroi.api.asset.Assets.Asset;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.HostThreads;
import dev.octroi.services.images.Images;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.web.PageFetcher;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.WebAddress;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Draws pictures beside the calls, and writes down what became of those that are jobs. Thread-safe.
 */
final class ImageRunner implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ImageRunner.class);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int MOST_WRITES = 300;

  private final Images images;
  private final PictureShelf shelf;
  private final ImageJobs jobs;
  private final Supplier<Owner> life;
  private final UnaryOperator<Runnable> carried;
  private final Limits limits;
  private final Semaphore places;
  private final Map<UUID, ImageJob> running = new ConcurrentHashMap<>();
  private final Phaser open = new Phaser(1);
  private final ExecutorService threads = HostThreads.OF_THE_JVM.pool("image-run");
  private volatile boolean closing;

  /**
   * How long this runner waits.
   *
   * @param drawing how long it may take
   * @param atOnce runs under way
   * @param drain how long closing waits for them
   */
  record Limits(Duration drawing, int atOnce, Duration drain) {}

  /**
   * @param life which life of this node it is
   * @param carried makes work one that another thread does for the call of this one
   */
  ImageRunner(
      Images images,
      PictureShelf shelf,
      ImageJobs jobs,
      Supplier<Owner> life,
      UnaryOperator<Runnable> carried,
      Limits limits) {
    this.images = images;
    this.shelf = shelf;
    this.jobs = jobs;
    this.life = life;
    this.carried = carried;
    this.limits = limits;
    this.places = new Semaphore(limits.atOnce());
  }

  /** Whose the jobs are that are begun now. */
  Owner life() {
    return life.get();
  }

  /** How many more runs can be begun. */
  int free() {
    return closing ? 0 : places.availablePermits();
  }

  /**
   * Begins to draw.
   *
   * @throws Failure 429 if too much is being drawn
   */
  ImageRun start(ImageOrder order) {
    Runnable place = place();
    ImageRun run = new ImageRun(order.base64());
    threads.execute(carried.apply(() -> draw(order, run, place)));
    return run;
  }

  /**
   * A place to draw in.
   *
   * @return gives it back; only the first time counts
   * @throws Failure 429 if too much is being drawn
   */
  Runnable place() {
    String full = "Too many pictures are being drawn at the moment";
    if (closing) {
      throw new Failure(ErrorCode.RATE_LIMITED, full, SOON, null);
    }
    return place(places, full);
  }

  /** The same of other places. */
  static Runnable place(Semaphore places, String full) {
    if (!places.tryAcquire()) {
      throw new Failure(ErrorCode.RATE_LIMITED, full, SOON, null);
    }
    AtomicBoolean taken = new AtomicBoolean(true);
    return () -> {
      if (taken.getAndSet(false)) {
        places.release();
      }
    };
  }

  /** Does work for a caller that reads along. */
  void along(Runnable work) {
    threads.execute(carried.apply(work));
  }

  private void draw(ImageOrder order, ImageRun run, Runnable place) {
    try {
      run.drawn(
          images.draw(
              order, Deadline.in(limits.drawing()), picture -> run.progress(shelf.keep(picture))));
    } catch (RuntimeException e) {
      run.failed(e);
    } finally {
      place.run();
    }
  }

  /** What comes of the run is the job's from now on, which is this life's to run. */
  void adopt(ImageRun run, ImageJob job) {
    running.put(job.id(), job);
    open.register();
    run.listen(progress -> jobs.progress(job, JobResult.drawn(List.of(), progress, run.base64())));
    run.whenEnded((pictures, why) -> finish(new Ending(job, run, pictures, why), 1));
  }

  /** What is to be written down. */
  private record Ending(
      ImageJob job, ImageRun run, @Nullable List<DrawnPicture> pictures, @Nullable Throwable why) {}

  /** A database that is away for a while must not leave a job that no node runs or takes. */
  private void finish(Ending ending, int times) {
    try {
      write(ending);
    } catch (RuntimeException away) {
      if (times < MOST_WRITES && !closing) {
        CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS, threads)
            .execute(() -> finish(ending, times + 1));
        return;
      }
      // By now no node has it, or this life has it and ends, or it strays: a node takes it over.
      LOG.warn("Job {} is left to others: {}", ending.job().name(), away.toString());
    }
    running.remove(ending.job().id());
    open.arriveAndDeregister();
  }

  private void write(Ending ending) {
    ImageJob job = ending.job();
    if (ending.why() != null && closing) {
      jobs.giveBack(job);
    } else if (!(ending.pictures() == null ? failed(ending) : completed(ending))) {
      LOG.info("Job {} was taken over before its end came", job.name());
    }
  }

  private boolean failed(Ending ending) {
    Failure why = failure(ending.job(), ending.why());
    return jobs.fail(ending.job(), JobResult.failed(why, ending.run().progress()));
  }

  private boolean completed(Ending ending) {
    List<DrawnPicture> pictures = ending.pictures() == null ? List.of() : ending.pictures();
    ImageRun run = ending.run();
    try {
      List<String> kept = pictures.stream().map(shelf::keep).toList();
      return jobs.complete(ending.job(), JobResult.drawn(kept, run.progress(), run.base64()));
    } catch (Failure unkept) {
      if (unkept.code() == ErrorCode.UPSTREAM_UNAVAILABLE) {
        throw unkept;
      }
      return jobs.fail(ending.job(), JobResult.failed(unkept, run.progress()));
    }
  }

  private static Failure failure(ImageJob job, @Nullable Throwable why) {
    if (why instanceof Failure failure) {
      return failure;
    }
    LOG.error("Job {} ended unforeseen", job.name(), why);
    return new Failure(ErrorCode.INTERNAL, "Something unexpected went wrong");
  }

  boolean runs(ImageJob job) {
    return running.containsKey(job.id());
  }

  /** Lets runs end that end soon, and gives back the others' jobs for any node to take. */
  @Override
  public void close() {
    closing = true;
    int phase = open.arrive();
    try {
      open.awaitAdvanceInterruptibly(phase, limits.drain().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      running.values().forEach(jobs::giveBack);
    } catch (InterruptedException e) {
      running.values().forEach(jobs::giveBack);
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
  }

  /** Pictures that are being drawn: first for a call that waits, perhaps for a job. Thread-safe. */
  static final class ImageRun {

    private final CompletableFuture<List<DrawnPicture>> pictures = new CompletableFuture<>();
    private final List<String> progress = new ArrayList<>();
    private final boolean base64;
    private @Nullable Consumer<List<String>> listener;

    /**
     * @param base64 whether bytes are wanted and not addresses
     */
    ImageRun(boolean base64) {
      this.base64 = base64;
    }

    boolean base64() {
      return base64;
    }

    /** To be called once, by the thread that draws. */
    void drawn(List<DrawnPicture> all) {
      pictures.complete(all);
    }

    void failed(RuntimeException why) {
      pictures.completeExceptionally(why);
    }

    /** Adds a picture of the work in progress. */
    synchronized void progress(String kept) {
      progress.add(kept);
      if (listener != null) {
        listener.accept(List.copyOf(progress));
      }
    }

    synchronized List<String> progress() {
      return List.copyOf(progress);
    }

    /** Is told of every picture of the work in progress from now on, with those before it. */
    synchronized void listen(Consumer<List<String>> to) {
      listener = to;
      if (!progress.isEmpty()) {
        to.accept(List.copyOf(progress));
      }
    }

    /**
     * Waits for the pictures.
     *
     * @return empty if they take longer
     * @throws Failure why there are none
     */
    Optional<List<DrawnPicture>> await(Duration atMost) {
      try {
        return Optional.of(pictures.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
      } catch (TimeoutException later) {
        return Optional.empty();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof RuntimeException why
            ? why
            : new IllegalStateException(failed.getCause());
      }
    }

    /** Runs in the end, at once if it has come: the pictures, or why there are none. */
    void whenEnded(BiConsumer<@Nullable List<DrawnPicture>, @Nullable Throwable> then) {
      var unused = pictures.whenComplete(then);
    }
  }

  /**
   * Keeps pictures for the callers that are told their addresses. Thread-safe.
   *
   * @param assets where bytes are kept
   * @param web fetches pictures of the public web, and nothing else
   */
  record PictureShelf(Assets assets, PageFetcher web) {

    private static final String ABSOLUTE = "://";

    /**
     * What the picture is found by: an asset's name, or the whole address that the upstream gave.
     */
    String keep(DrawnPicture picture) {
      if (picture instanceof DrawnPicture.Linked linked) {
        return linked.address().toString();
      }
      return assets.keep(((DrawnPicture.Bytes) picture).bytes()).name();
    }

    /** Where the world reads it. */
    String address(String base, String kept) {
      return kept.contains(ABSOLUTE) ? kept : assets.address(base, kept);
    }

    /** The bytes of what was kept. */
    byte[] bytes(String kept, Deadline deadline) {
      if (kept.contains(ABSOLUTE)) {
        return fetched(kept, deadline);
      }
      Asset asset = assets.find(kept).orElseThrow(PictureShelf::gone);
      try (InputStream in = assets.open(asset, 0)) {
        return in.readAllBytes();
      } catch (IOException unreadable) {
        throw new Failure(
            ErrorCode.UPSTREAM_UNAVAILABLE, "The picture cannot be read now", null, unreadable);
      }
    }

    /**
     * Makes sure that the world can have it: what lies with an upstream lies there as long as that
     * likes.
     *
     * @throws Failure if it is gone, or cannot be reached now
     */
    void require(String kept, Deadline deadline) {
      if (kept.contains(ABSOLUTE)) {
        boolean isThere =
            WebAddress.of(kept)
                .map(address -> web.fetch(address, deadline))
                .filter(
                    fetched ->
                        fetched instanceof Fetched.Page
                            || fetched.equals(new Fetched.Refused(Fetched.Reason.TOO_LARGE)))
                .isPresent();
        if (!isThere) {
          throw gone();
        }
      } else if (assets.find(kept).isEmpty()) {
        throw gone();
      }
    }

    byte[] bytes(DrawnPicture picture, Deadline deadline) {
      return picture instanceof DrawnPicture.Bytes drawn
          ? drawn.bytes()
          : fetched(((DrawnPicture.Linked) picture).address().toString(), deadline);
    }

    private byte[] fetched(String address, Deadline deadline) {
      Optional<WebAddress> web = WebAddress.of(address);
      if (web.isPresent() && this.web.fetch(web.get(), deadline) instanceof Fetched.Page page) {
        return page.body();
      }
      throw gone();
    }

    private static Failure gone() {
      return new Failure(ErrorCode.UPSTREAM_FAILED, "The picture is gone");
    }
  }
}

package dev.octroi.api.image;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.image.ImageJob.JobState;
import dev.octroi.api.image.ImageRunner.ImageRun;
import dev.octroi.api.image.ImageRunner.PictureShelf;
import dev.octroi.api.image.JobRows.JobTerms;
import dev.octroi.payments.Payment;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageBody;
import dev.octroi.services.images.ImageRequests;
import dev.octroi.services.images.Images;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.images.Images.PictureForm;
import dev.octroi.services.language.LanguageJson;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Providers;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Serves calls for pictures. Thread-safe. */
public final class ImageService {

  private static final Duration SOON = Duration.ofSeconds(5);

  private final ImageRequests requests;
  private final Images images;
  private final EditBody edits;
  private final PictureShelf shelf;
  private final ImageJobs jobs;
  private final ImageRunner runner;
  private final PictureStreams streams;
  private final Limits limits;
  private final Semaphore editing;
  private final Clock clock;

  /**
   * How long this service waits, and how many edits it runs.
   *
   * @param fastPath how long a call waits before it becomes a job
   * @param edit how long an edit may take
   * @param edits under way at a time, for their pictures are held in memory
   */
  record Limits(Duration fastPath, Duration edit, int edits) {}

  ImageService(
      ImageRequests requests,
      Images images,
      EditBody edits,
      PictureShelf shelf,
      ImageJobs jobs,
      ImageRunner runner,
      PictureStreams streams,
      Limits limits,
      Clock clock) {
    this.requests = requests;
    this.images = images;
    this.edits = edits;
    this.shelf = shelf;
    this.jobs = jobs;
    this.runner = runner;
    this.streams = streams;
    this.limits = limits;
    this.editing = new Semaphore(limits.edits());
    this.clock = clock;
  }

  static ImageService of(@Context Providers providers) {
    return Mounted.of(providers, ImageService.class);
  }

  /** Draws: 200 with the pictures, or 202 with the job that they will be found in. */
  Response draw(byte[] body, Optional<Payment> payment, String base) {
    ImageOrder order = requests.order(ImageBody.ofJson(body), false);
    if (order.stream()) {
      return stream(order, payment);
    }
    if (payment.isEmpty()) {
      return drawn(order, runner.start(order), base, limits.edit());
    }
    Optional<ImageJob> known = jobs.ordered(payment.get().use());
    if (known.isPresent()) {
      return new JobAnswers(shelf, base).known(known.get());
    }
    if (jobs.isFull(payment.get().owner())) {
      throw full();
    }
    ImageRun run = runner.start(order);
    if (order.form() == PictureForm.BOTH) {
      // It is called as its vendor is, whose SDK knows no jobs.
      return drawn(order, run, base, timeout(payment.get(), limits.edit()));
    }
    return run.await(timeout(payment.get(), limits.fastPath()))
        .map(pictures -> answer(order, pictures, base))
        .orElseGet(() -> ordered(order, body, payment.get(), run, base));
  }

  /** A streamed call makes no job. */
  private Response stream(ImageOrder order, Optional<Payment> payment) {
    Duration limit = timeout(payment, limits.edit());
    Deadline deadline = Deadline.in(limit);
    return streams.open(
        order,
        "image_generation",
        payment,
        limit,
        runner.place(),
        progress -> images.draw(order, deadline, progress).get(0));
  }

  /** A job of a model that costs nothing could never be paid for: the call waits. */
  private Response drawn(ImageOrder order, ImageRun run, String base, Duration timeout) {
    return run.await(timeout)
        .map(pictures -> answer(order, pictures, base))
        .orElseThrow(
            () -> new Failure(ErrorCode.UPSTREAM_FAILED, "The model did not draw in time"));
  }

  private Response ordered(
      ImageOrder order, byte[] body, Payment payment, ImageRun run, String base) {
    JobTerms.Order entered =
        new JobTerms.Order(JobTerms.of(order, payment), body, payment.envelope());
    ImageJob job = jobs.enter(entered, runner.life()).orElseThrow(ImageService::full);
    jobs.begin(job, runner.life(), job.lost()).ifPresent(begun -> runner.adopt(run, begun));
    return new JobAnswers(shelf, base).pending(job);
  }

  private static Failure full() {
    return new Failure(
        ErrorCode.RATE_LIMITED,
        "Too many jobs are not paid for: poll those that are completed",
        SOON,
        null);
  }

  /** Changes pictures; the call waits for them. */
  Response edit(InputStream body, Optional<Payment> payment, String base) {
    Runnable place = ImageRunner.place(editing, "Too many pictures are being edited at the moment");
    boolean streamed = false;
    try {
      Duration limit = timeout(payment, limits.edit());
      Deadline deadline = Deadline.in(limit);
      ImageEdit edit = edits.read(body, deadline);
      if (edit.order().stream()) {
        streamed = true;
        return streams.open(
            edit.order(),
            "image_edit",
            payment,
            limit,
            place,
            progress -> images.edit(edit, deadline, progress).get(0));
      }
      return answer(edit.order(), images.edit(edit, deadline, progress -> {}), base);
    } finally {
      if (!streamed) {
        place.run();
      }
    }
  }

  private Duration timeout(Optional<Payment> payment, Duration limit) {
    return payment.map(paid -> timeout(paid, limit)).orElse(limit);
  }

  private Duration timeout(Payment payment, Duration limit) {
    Duration life = Duration.between(clock.instant(), payment.deadline());
    Duration shorter = life.compareTo(limit) < 0 ? life : limit;
    return shorter.isNegative() ? Duration.ZERO : shorter;
  }

  private Response answer(ImageOrder order, List<DrawnPicture> pictures, String base) {
    ObjectNode body = LanguageJson.object().put("created", clock.instant().getEpochSecond());
    ArrayNode data = body.putArray("data");
    Deadline deadline = Deadline.in(limits.edit());
    for (DrawnPicture picture : pictures) {
      ObjectNode one = data.addObject();
      if (order.form() != PictureForm.BYTES) {
        one.put("url", shelf.address(base, shelf.keep(picture)));
      }
      if (order.form() == PictureForm.BYTES
          || (order.form() == PictureForm.BOTH && picture instanceof DrawnPicture.Bytes)) {
        one.put("b64_json", shelf.bytes(picture, deadline));
      }
    }
    return JobAnswers.answer(Response.ok(), body).build();
  }

  /** What became of a job; once it is done, its owner's poll pays, one payment for one job. */
  Response poll(String name, Optional<Payment> payment, String base) {
    ImageJob job = ImageJob.id(name).flatMap(jobs::find).orElseThrow(JobAnswers::unknown);
    JobAnswers answers = new JobAnswers(shelf, base);
    if (job.state().isRunning()) {
      return answers.pending(job);
    }
    if (job.state() == JobState.FAILED) {
      return answers.failed(job);
    }
    if (jobs.isPaid(job)) {
      return again(job, answers);
    }
    // Where it ended only after this call had been let in for nothing, the next one pays.
    return payment.map(paid -> pay(job, paid, answers)).orElseGet(() -> answers.pending(job));
  }

  private Response again(ImageJob job, JobAnswers answers) {
    String transaction = jobs.transaction(job).orElseThrow(ImageService::taken);
    return answers.completed(
        job,
        pictures(job, answers.base()),
        new JobAnswers.Paid(JobAnswers.AGAIN, transaction, job.network()));
  }

  /** The pictures are read, or seen to be there, before anything is paid. */
  private Response pay(ImageJob job, Payment payment, JobAnswers answers) {
    if (!job.result().base64()) {
      Deadline deadline = Deadline.in(timeout(payment, limits.edit()));
      job.result().pictures().forEach(kept -> shelf.require(kept, deadline));
    }
    ArrayNode pictures = pictures(job, answers.base());
    if (!jobs.pay(job, payment.use(), payment.network())) {
      throw taken();
    }
    payment.settle();
    jobs.settled(job, payment.use());
    return answers.completed(
        job, pictures, new JobAnswers.Paid("settled", payment.transaction(), payment.network()));
  }

  /** Another call pays for it right now; what became of that shows the next poll. */
  private static Failure taken() {
    return new Failure(
        ErrorCode.UPSTREAM_UNAVAILABLE,
        "Another payment for this job is under way",
        Duration.ofSeconds(1),
        null);
  }

  private ArrayNode pictures(ImageJob job, String base) {
    ArrayNode data = LanguageJson.array();
    Deadline deadline = Deadline.in(limits.edit());
    for (String kept : job.result().pictures()) {
      data.add(
          job.result().base64()
              ? LanguageJson.object().put("b64_json", shelf.bytes(kept, deadline))
              : LanguageJson.object().put("url", shelf.address(base, kept)));
    }
    return data;
  }
}

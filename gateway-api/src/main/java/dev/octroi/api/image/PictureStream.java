package dev.octroi.api.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.error.ErrorAnswer;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.language.LanguageJson;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One picture and its way there, as events that leave as they come. What the upstream gives is
 * taken in at once, a handful of pictures at most: a caller who reads slowly, or no more, changes
 * nothing of what was drawn and is charged. One thread draws, another writes.
 */
final class PictureStream implements StreamingOutput, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(PictureStream.class);

  private final ImageOrder order;
  private final Terms terms;
  private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
  private int partials;
  private @Nullable Step head;
  private Function<Optional<Failure>, String> ending = failure -> "";
  private @Nullable Last end;
  private boolean leaving;
  private boolean told;

  /** What the end meant for the caller's money; written before the end is given to the writer. */
  private String consequence = "";

  /**
   * What a stream is made with.
   *
   * @param kind of its events, {@code image_generation} or {@code image_edit}
   * @param bytes of a picture, wherever they are
   * @param place given back once the caller has everything, or gets nothing
   */
  record Terms(String kind, Function<DrawnPicture, byte[]> bytes, Runnable place, Clock clock) {}

  /** What comes of the work, one after the other. */
  private sealed interface Step {}

  /** An event as it is to be read. */
  private record Partial(ObjectNode event) implements Step {}

  private sealed interface Last extends Step {}

  private record Whole(ObjectNode event) implements Last {}

  private record Broken(Failure failure) implements Last {}

  PictureStream(ImageOrder order, Terms terms) {
    this.order = order;
    this.terms = terms;
  }

  /**
   * Draws; to be called once, by the thread that draws.
   *
   * @param work gives pictures of the work in progress away and returns the whole one
   */
  void draw(Function<Consumer<DrawnPicture>, DrawnPicture> work) {
    try {
      DrawnPicture whole = work.apply(partial -> steps.add(new Partial(partial(partial))));
      ended(new Whole(event("completed", whole)));
    } catch (Failure failure) {
      ended(new Broken(failure));
    } catch (RuntimeException | Error unforeseen) {
      LOG.error("A stream of pictures ended unforeseen", unforeseen);
      ended(new Broken(new Failure(ErrorCode.INTERNAL, "Something unexpected went wrong")));
    }
  }

  private ObjectNode partial(DrawnPicture picture) {
    return event("partial_image", picture).put("partial_image_index", partials++);
  }

  private ObjectNode event(String name, DrawnPicture picture) {
    ObjectNode event = LanguageJson.object().put("type", terms.kind() + "." + name);
    event.put("b64_json", terms.bytes().apply(picture));
    event.put("created_at", terms.clock().instant().getEpochSecond());
    event.put("size", order.quote().size().toString());
    event.put("quality", option("quality", "auto")).put("background", option("background", "auto"));
    event.put("output_format", option("output_format", "png"));
    if (picture instanceof DrawnPicture.Bytes bytes) {
      event.put("output_format", bytes.type().word());
      bytes.told().properties().forEach(said -> event.set(said.getKey(), said.getValue()));
    }
    return event;
  }

  private String option(String name, String otherwise) {
    return String.valueOf(order.options().getOrDefault(name, otherwise));
  }

  private synchronized void ended(Last step) {
    end = step;
    tellOfTheEnd();
    steps.add(step);
  }

  /** Once it has come and the answer is on its way, whichever is later. */
  private void tellOfTheEnd() {
    if (end != null && leaving && !told) {
      told = true;
      consequence =
          ending.apply(
              end instanceof Broken broken ? Optional.of(broken.failure()) : Optional.empty());
    }
  }

  /**
   * Waits for the first picture.
   *
   * @return whether it is one of the work in progress, after which the last may fail to come
   * @throws Failure why there is none
   */
  boolean begin(Duration atMost) {
    try {
      head = steps.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    if (head == null) {
      throw new Failure(ErrorCode.UPSTREAM_FAILED, "The model did not draw in time");
    }
    if (head instanceof Broken broken) {
      throw broken.failure();
    }
    return head instanceof Partial;
  }

  /**
   * Says what is to be done at the end; before the answer leaves.
   *
   * @param ending is told once why the last picture did not come, or that it did, and not before
   *     anything leaves; says what that means for the caller's money
   */
  void onEnd(Function<Optional<Failure>, String> ending) {
    this.ending = ending;
  }

  @Override
  public void write(OutputStream out) throws IOException {
    synchronized (this) {
      leaving = true;
      tellOfTheEnd();
    }
    Step step = head == null ? next() : head;
    try {
      while (step instanceof Partial) {
        send(out, step);
        step = next();
      }
      send(out, step);
    } finally {
      // A caller who has gone is charged as one who stayed, which is known at the end only.
      while (step instanceof Partial) {
        step = next();
      }
      terms.place().run();
    }
  }

  /** What was begun has an end by its deadline, so that this returns whatever happens. */
  private Step next() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return steps.take();
        } catch (InterruptedException stop) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void send(OutputStream out, Step step) throws IOException {
    out.write(bytes(step));
    out.flush();
  }

  private byte[] bytes(Step step) {
    if (step instanceof Broken broken) {
      Failure failure = broken.failure();
      String message = (failure.getMessage() + ". " + consequence).strip();
      return frame(
          "error",
          ErrorAnswer.shaped(failure.code().status(), failure.code().code(), message)
              .body(ErrorShape.MESSAGES));
    }
    ObjectNode event = step instanceof Partial partial ? partial.event() : ((Whole) step).event();
    return frame(event.path("type").asText(), LanguageJson.bytes(event));
  }

  private static byte[] frame(String event, byte[] json) {
    String text = new String(json, StandardCharsets.UTF_8);
    return ("event: " + event + "\ndata: " + text + "\n\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Nothing of it may leave after all. What is drawn meanwhile is not read. */
  @Override
  public void close() {
    terms.place().run();
  }
}

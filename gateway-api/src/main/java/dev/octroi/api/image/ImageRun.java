package dev.octroi.api.image;

import dev.octroi.services.Failure;
import dev.octroi.services.images.DrawnPicture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pictures that are being drawn: first for a call that waits, perhaps for a job. Thread-safe. */
final class ImageRun {

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

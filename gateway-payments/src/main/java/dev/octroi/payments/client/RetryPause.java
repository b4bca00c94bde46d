package dev.octroi.payments.client;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long a payer waits before it sends the same payment again. */
final class RetryPause {

  private static final Duration DEFAULT = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private RetryPause() {}

  /**
   * Waits for as long as {@code Retry-After} says in seconds, at most ten; a date counts as not
   * said.
   */
  static void await(@Nullable HttpHeaders headers) throws InterruptedException {
    Duration pause = of(headers == null ? "" : headers.firstValue("Retry-After").orElse(""));
    Executor later = CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS);
    try {
      CompletableFuture.runAsync(() -> {}, later).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("nothing can fail in an empty task", e);
    }
  }

  static Duration of(String retryAfter) {
    if (!retryAfter.matches("[0-9]{1,9}")) {
      return DEFAULT;
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(retryAfter));
    return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
  }
}

package dev.octroi.sandbox.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MemoryShareTest {

  private final MemoryShare share = new MemoryShare(10 << 20);

  /** The JDK's own pool has one thread on a machine of two processors. */
  private final Executor threads = task -> new Thread(task).start();

  @Test
  void workForWhichThereIsNoRoomWaitsItsTurn() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger atWork = new AtomicInteger();
    CompletableFuture<?> first =
        CompletableFuture.runAsync(() -> work(6 << 20, atWork, end), threads);
    await().until(() -> atWork.get() == 1);
    CompletableFuture<?> small =
        CompletableFuture.runAsync(() -> work(3 << 20, atWork, end), threads);
    await().until(() -> atWork.get() == 2);
    AtomicReference<Thread> waiting = new AtomicReference<>();
    CompletableFuture<?> last =
        CompletableFuture.runAsync(
            () -> {
              waiting.set(Thread.currentThread());
              work(6 << 20, atWork, end);
            },
            threads);
    await()
        .until(
            () -> waiting.get() != null && waiting.get().getState() == Thread.State.TIMED_WAITING);
    assertThat(atWork).hasValue(2);

    end.countDown();

    CompletableFuture.allOf(first, small, last).get();
    assertThat(atWork).hasValue(3);
  }

  @Test
  void workThatTakesMoreThanThereIsIsDoneAlone() {
    assertThat(share.during(1L << 40, () -> "done")).contains("done");
  }

  @Test
  void workThatFailsGivesItsMemoryBack() {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () ->
                  share.during(
                      10 << 20,
                      () -> {
                        throw new IllegalStateException();
                      }))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(share.during(10 << 20, () -> "done")).contains("done");
  }

  @Test
  void aThreadThatIsInterruptedDoesNothing() {
    Thread.currentThread().interrupt();
    Optional<String> done = share.during(1, () -> "done");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(done).isEmpty();
  }

  private void work(long bytes, AtomicInteger atWork, CountDownLatch end) {
    share.during(
        bytes,
        () -> {
          atWork.incrementAndGet();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return true;
        });
  }
}

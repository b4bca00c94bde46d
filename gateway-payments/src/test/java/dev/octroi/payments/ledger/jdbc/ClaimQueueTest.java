package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimQueueTest {

  private static final long SOON = Duration.ofMillis(10).toNanos();
  private static final long LATE = Duration.ofSeconds(3).toNanos();

  private final ClaimQueue queue = new ClaimQueue(Duration.ofSeconds(5));

  @Test
  void itDoublesWithEachRoundThatIsServedSoon() {
    assertThat(enterAll()).isEqualTo(32);
    leave(32, SOON);
    assertThat(enterAll()).isEqualTo(64);
    leave(64, SOON);
    assertThat(enterAll()).isEqualTo(128);
    assertThat(queue.isFull()).isTrue();
  }

  @Test
  void itGrowsToAnEnd() {
    for (int i = 0; i < 20; i++) {
      leave(enterAll(), SOON);
    }

    assertThat(enterAll()).isEqualTo(4096);
  }

  @Test
  void whatWaitsLongHalvesItButNeverToNothing() {
    leave(enterAll(), SOON);
    leave(enterAll(), SOON);
    assertThat(queue.enter()).isTrue();
    queue.leave(LATE);
    assertThat(enterAll()).isEqualTo(64);
    leave(64, LATE);
    assertThat(enterAll()).isEqualTo(32);
  }

  private int enterAll() {
    int entered = 0;
    while (queue.enter()) {
      entered++;
    }
    return entered;
  }

  private void leave(int many, long waited) {
    IntStream.range(0, many).forEach(i -> queue.leave(waited));
  }
}

package dev.octroi.payments.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.body.BodyBuffer.PacedStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class PacedStreamTest {

  private static final BodyPace ANY = new BodyPace(Duration.ofMinutes(1), 0);

  private final Semaphore waiting = new Semaphore(1);

  @Test
  void onlySoManyThreadsWaitAndWhatIsThereIsReadAllTheSame() throws Exception {
    try (PipedOutputStream sender = new PipedOutputStream()) {
      InputStream slow = paced(new PipedInputStream(sender), 10, ANY);
      CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> read(slow));
      await().until(() -> waiting.availablePermits() == 0);

      assertRefused(paced(new PipedInputStream(new PipedOutputStream()), 10, ANY), 503);
      byte[] body = {1, 2, 3};
      assertThat(paced(new ByteArrayInputStream(body), 3, ANY).readAllBytes()).isEqualTo(body);

      sender.write(7);
      sender.flush();
      assertThat(first.get()).isEqualTo(7);
    }
    assertThat(waiting.availablePermits()).isEqualTo(1);
  }

  @Test
  void aBodyThatIsNotWholeAtItsDeadlineIs408AndStaysSo() {
    InputStream late = paced(new ByteArrayInputStream(new byte[3]), 10, pace(Duration.ZERO));

    assertRefused(late, 408);
    assertRefused(late, 408);
  }

  @Test
  void aBodyThatIsWholeIsNeverLate() throws IOException {
    InputStream whole = paced(new ByteArrayInputStream(new byte[3]), 3, pace(Duration.ZERO));

    assertThat(whole.readNBytes(3)).hasSize(3);
    assertThat(whole.read()).isNegative();
  }

  private static BodyPace pace(Duration deadline) {
    return new BodyPace(deadline, 0);
  }

  private InputStream paced(InputStream in, long announced, BodyPace pace) {
    return new PacedStream(in, announced, pace.watch(), waiting);
  }

  private static int read(InputStream in) {
    try {
      return in.read();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertRefused(InputStream in, int status) {
    assertThatThrownBy(() -> in.read(new byte[8]))
        .isInstanceOfSatisfying(
            CallRefused.class, refused -> assertThat(refused.answer().status()).isEqualTo(status));
  }
}

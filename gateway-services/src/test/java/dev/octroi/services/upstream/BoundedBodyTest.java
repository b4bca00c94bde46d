package dev.octroi.services.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.upstream.Exchange.BoundedBody;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Flow.Subscription;
import org.junit.jupiter.api.Test;

class BoundedBodyTest {

  private static final Subscription NONE =
      new Subscription() {
        @Override
        public void request(long most) {}

        @Override
        public void cancel() {}
      };

  /** A buffer of one byte takes a hundred: an answer in such chunks would take all memory. */
  @Test
  void anAnswersBytesAreKeptAndNotTheBuffersThatTheyCameIn() {
    BoundedBody body = new BoundedBody(10);
    body.onSubscribe(NONE);
    byte[] wire = "one".getBytes(StandardCharsets.UTF_8);

    body.onNext(List.of(ByteBuffer.wrap(wire)));
    Arrays.fill(wire, (byte) '?');
    body.onComplete();

    assertThat(new String(body.getBody().toCompletableFuture().join(), StandardCharsets.UTF_8))
        .isEqualTo("one");
  }
}

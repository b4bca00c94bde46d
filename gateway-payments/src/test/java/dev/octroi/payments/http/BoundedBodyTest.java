package dev.octroi.payments.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Flow.Subscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
    byte[] wire = "one".getBytes(US_ASCII);

    body.onNext(List.of(ByteBuffer.wrap(wire)));
    Arrays.fill(wire, (byte) '?');
    body.onComplete();

    assertThat(body.getBody().toCompletableFuture().join()).asString().isEqualTo("one");
  }

  @Test
  @Timeout(60)
  void anAnswerWhoseBodyDoesNotComeIsWaitedForNoLongerThanItsTime() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write('1');
          exchange.getResponseBody().flush();
        });
    server.start();
    try {
      URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      HttpRequest request = HttpRequest.newBuilder(address).build();

      assertThatThrownBy(
              () ->
                  BoundedBody.answer(
                      HttpClient.newHttpClient(), request, 10, Duration.ofMillis(500)))
          .isInstanceOf(HttpTimeoutException.class);
    } finally {
      server.stop(0);
    }
  }
}

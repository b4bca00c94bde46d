package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Requests that are never whole, from loopback addresses of their own, so that limits of an address
 * do not meet the payers.
 */
final class BrokenRequests {

  private static final Duration DRIP = Duration.ofSeconds(2);
  private static final Duration BREATH = Duration.ofMillis(20);
  private static final InetAddress SLOW = address(2);
  private static final InetAddress BREAKING_OFF = address(3);
  private static final String CHAT = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final List<String> BROKEN =
      List.of(
          CHAT + JSON + "Content-Length: 4000\r\n\r\n{\"model\":",
          CHAT + JSON + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
          CHAT + JSON + "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"model\"",
          CHAT + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
          "GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half");

  private BrokenRequests() {}

  /** Keeps so many bodies under way that send a byte every two seconds; returns when it is over. */
  static void dripUntil(BooleanSupplier over, URI base, int bodies) throws IOException {
    List<SocketChannel> open = new ArrayList<>();
    try {
      while (!over.getAsBoolean()) {
        for (int i = 0; i < bodies; i++) {
          if (i >= open.size()) {
            open.add(begin(base));
          } else if (!isFed(open.get(i))) {
            open.get(i).close();
            open.set(i, begin(base));
          }
        }
        LockSupport.parkNanos(DRIP.toNanos());
      }
    } finally {
      for (SocketChannel one : open) {
        one.close();
      }
    }
  }

  private static SocketChannel begin(URI base) throws IOException {
    SocketChannel one = SocketChannel.open();
    try {
      one.bind(new InetSocketAddress(SLOW, 0));
      one.connect(new InetSocketAddress(base.getHost(), base.getPort()));
      one.write(US_ASCII.encode(CHAT + JSON + "Content-Length: 4000\r\n\r\n{"));
    } catch (IOException busy) {
      // The next round tries again.
    }
    return one;
  }

  private static boolean isFed(SocketChannel one) {
    try {
      return one.write(US_ASCII.encode(" ")) > 0;
    } catch (IOException | RuntimeException cutOff) {
      return false;
    }
  }

  /** Breaks off one request after the other; returns how many. */
  static int breakOffUntil(BooleanSupplier over, URI base) throws IOException {
    int sent = 0;
    while (!over.getAsBoolean()) {
      try (Socket socket = new Socket()) {
        socket.bind(new InetSocketAddress(BREAKING_OFF, 0));
        socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
        socket.getOutputStream().write(BROKEN.get(sent++ % BROKEN.size()).getBytes(US_ASCII));
        // Every second one ends by a reset.
        socket.setSoLinger(sent % 2 == 0, 0);
      } catch (IOException cutOff) {
        // The next one.
      }
      LockSupport.parkNanos(BREATH.toNanos());
    }
    return sent;
  }

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}

package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.client.Wallet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that mean harm: each is told so or cut off within bounds, in half a gigabyte, and after
 * and beside each of them a payer is served.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileClientsIT {

  private static final int IDLE = 10_000;
  private static final int DRIPPING = 2000;
  private static final int MANY_BYTES = 256 << 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String CHAT = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";

  private Running gateway;
  private URI base;

  @BeforeAll
  void serve(@TempDir Path data) throws Exception {
    gateway =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.limits.unpaid-per-minute", "100000")
            .start();
    base = gateway.awaitReady();
  }

  @AfterAll
  void stop() throws Exception {
    gateway.close();
  }

  @AfterEach
  void aPayerIsServed() throws Exception {
    assertThat(Offer.read(base).accept(Wallet.generate()).send(base).statusCode()).isEqualTo(200);
  }

  @Test
  void tenThousandIdleConnectionsKeepNoCallerOut() throws Exception {
    List<SocketChannel> idle = new ArrayList<>();
    try {
      for (int i = 0; i < IDLE; i++) {
        idle.add(SocketChannel.open(address()));
      }
      aPayerIsServed();
    } finally {
      for (SocketChannel one : idle) {
        one.close();
      }
    }
  }

  @Test
  void headersThatDripHoldNoThread() throws Exception {
    dripAfter("GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Drip: ");
  }

  /**
   * More than there are threads, and a megabyte each of the room for bodies if it were set aside.
   */
  @Test
  void bodiesThatDripHoldNeitherThreadNorRoom() throws Exception {
    dripAfter(CHAT + JSON + "Content-Length: 1000000\r\n\r\n{");
  }

  /** Where the price depends on it the body is asked for, and waited for by a thread. */
  @Test
  void bodiesThatAreAskedForAndDripHoldFewThreads() throws Exception {
    dripAfter(CHAT + JSON + "Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n");
  }

  private void dripAfter(String head) throws Exception {
    List<SocketChannel> slow = new ArrayList<>();
    try {
      for (int i = 0; i < DRIPPING; i++) {
        SocketChannel one = SocketChannel.open(address());
        one.write(US_ASCII.encode(head));
        slow.add(one);
      }
      for (int drop = 0; drop < 3; drop++) {
        for (SocketChannel one : slow) {
          drip(one);
        }
        assertThat(status("/health/live")).isEqualTo(200);
        assertThat(status("/health/ready")).isEqualTo(200);
        aPayerIsServed();
        assertThat(Offer.query(base).accept(Wallet.generate()).send(base).statusCode())
            .isEqualTo(200);
      }
    } finally {
      for (SocketChannel one : slow) {
        one.close();
      }
    }
  }

  private static void drip(SocketChannel one) {
    try {
      one.write(US_ASCII.encode("a"));
    } catch (IOException cutOff) {
      // It was too slow, or one too many.
    }
  }

  private int status(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).build();
    return Offer.HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void headersThatNeverEndAreRefused() throws Exception {
    assertThat(said("GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Long: ", "a".repeat(8192)))
        .startsWith("HTTP/1.1 431");
    assertThat(said("GET /v1/models HTTP/1.1\r\nHost: localhost\r\n", "X-Many: y\r\n"))
        .startsWith("HTTP/1.1 431");
  }

  @Test
  @Tag("spec:limit.request_body")
  void bodiesThatNeverEndAreRefused() throws Exception {
    String piece = "a".repeat(1 << 16);
    assertThat(said(CHAT + JSON + "Content-Length: 10000000000\r\n\r\n", piece))
        .startsWith("HTTP/1.1 413");
    assertThat(said(CHAT + JSON + "Content-Length: 99999999999999999999\r\n\r\n", piece))
        .startsWith("HTTP/1.1 4");
    assertThat(said(CHAT + JSON + "Transfer-Encoding: chunked\r\n\r\n", chunk(piece)))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void aBodyOfBracketsIsRefused() throws Exception {
    String brackets = "[".repeat(1_000_000);
    assertThat(said(CHAT + JSON + "Content-Length: 1000000\r\n\r\n" + brackets, ""))
        .startsWith("HTTP/1.1 400");
  }

  /** Each of them would be a node of a tree that is twenty times as large as the body. */
  @Test
  void aBodyOfSmallValuesIsRefused() throws Exception {
    String begun = "{\"model\":\"claude-haiku-4.5\",\"max_tokens\":1,\"metadata\":[";
    assertThat(said(CHAT + JSON + "Content-Length: 30000000\r\n\r\n" + begun, "{},".repeat(20_000)))
        .startsWith("HTTP/1.1 413");
  }

  /** Nothing is asked for them, so that each is heavier than what all of them may take. */
  @Test
  void aCallOfAToolOfSmallValuesIsRefused() throws Exception {
    String call = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n" + JSON;
    String begun = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"a\":[";
    assertThat(said(call + "Content-Length: 3900000\r\n\r\n" + begun, "{},".repeat(20_000)))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void nothingIsInflatedForACaller() throws Exception {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(bomb)) {
      byte[] brackets = "[".repeat(1 << 20).getBytes(US_ASCII);
      for (int i = 0; i < 64; i++) {
        zip.write(brackets);
      }
    }
    String head = CHAT + JSON + "Content-Encoding: gzip\r\nContent-Length: " + bomb.size();
    try (Socket socket = connected()) {
      socket.getOutputStream().write((head + "\r\n\r\n").getBytes(US_ASCII));
      socket.getOutputStream().write(bomb.toByteArray());

      assertThat(firstLine(socket)).startsWith("HTTP/1.1 4");
    }
  }

  /** The first line of the answer to what begins so and goes on with the same until it is cut. */
  private String said(String head, String again) throws IOException {
    try (Socket socket = connected()) {
      OutputStream out = socket.getOutputStream();
      byte[] more = again.getBytes(US_ASCII);
      try {
        out.write(head.getBytes(US_ASCII));
        for (long sent = 0; !again.isEmpty() && sent < MANY_BYTES; sent += more.length) {
          out.write(more);
        }
      } catch (SocketException cutOff) {
        // What was said before is read below.
      }
      return firstLine(socket);
    }
  }

  private static String firstLine(Socket socket) throws IOException {
    byte[] line = new byte[64];
    int read = socket.getInputStream().readNBytes(line, 0, line.length);
    return new String(line, 0, read, US_ASCII).replaceAll("(?s)\r\n.*", "");
  }

  private static String chunk(String piece) {
    return Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n";
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(base.getHost(), base.getPort());
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    return socket;
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(base.getHost(), base.getPort());
  }
}

package dev.octroi.reference;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.body.BodyPace;
import dev.octroi.payments.flow.CallLimits;
import dev.octroi.payments.flow.PaymentFlow;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JettyServerTest {

  /** More than there are threads for calls. */
  private static final int SLOW = 700;

  static final int LARGE = 4 << 20;
  private static final String POST = "POST /noted HTTP/1.1\r\nHost: localhost\r\n";
  private static final String HOLDING = "X-Held: yes\r\n";
  private static final int FIRST_BYTES = 1000;
  private static final String ASKING = "Expect: 100-continue\r\n";
  private static final String NO_BODY = "Content-Length: 0\r\n\r\n";
  private static final String BODY_TO_COME = "Content-Length: 2\r\n\r\n";
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  /** Without it each call would ask an injected proxy, which is slower and not otherwise seen. */
  @Test
  void theAddressOfACallerIsNotedOnItsRequest() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(answer(client, NO_BODY)).contains("\r\n127.0.0.1\r\n");
    }
  }

  /** Or the client's next call would be lost with the connection. */
  @Test
  void anAnswerBeforeItsBodySaysThatTheConnectionEnds() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(answer(client, BODY_TO_COME + "{}")).doesNotContain("Connection: close");
      assertThat(answer(client, ASKING + BODY_TO_COME)).contains("Connection: close");
    }
  }

  /** One address holds no thread of the server's with it, however many there are. */
  @Test
  void bodiesThatDoNotComeHoldNoThread() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      try {
        for (int i = 0; i < SLOW; i++) {
          Socket one = new Socket("127.0.0.1", server.baseUrl().getPort());
          one.getOutputStream().write((POST + "Content-Length: 9\r\n\r\n{").getBytes(US_ASCII));
          slow.add(one);
        }
        assertThat(answer(client, BODY_TO_COME + "{}")).contains("127.0.0.1");
      } finally {
        for (Socket one : slow) {
          one.close();
        }
      }
    }
  }

  /** An operator's stop is not a failure because some caller has not sent its body. */
  @Test
  void aServerClosesBesideABodyThatDoesNotCome() throws Exception {
    JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
    int port = server.baseUrl().getPort();
    try (Socket slow = new Socket("127.0.0.1", port);
        Socket client = new Socket("127.0.0.1", port)) {
      slow.getOutputStream().write((POST + "Content-Length: 9\r\n\r\n{").getBytes(US_ASCII));
      assertThat(answer(client, NO_BODY)).contains("127.0.0.1");
      server.close();
      assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
          .isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void aBodyThatTakesTooLongIs408() throws Exception {
    BodyBuffer hasty = bodies(new BodyPace(Duration.ofSeconds(1), 0));
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, hasty, new Echoing());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(answer(client, "Content-Length: 9\r\n\r\n{"))
          .startsWith("HTTP/1.1 408")
          .contains("Connection: close")
          .endsWith("{\"error\":\"The request body did not arrive in time.\"}");
    }
  }

  @Test
  void aBodyThatIsNoneIs400() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Echoing());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(answer(client, "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"))
          .startsWith("HTTP/1.1 400");
    }
  }

  /** In memory and on disk, at once and piece by piece, and the next call's body after it. */
  @Test
  void aBodyIsReadAsItWasSent() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Echoing());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      for (int length : new int[] {1, 1024, 65_536, 65_537, 300_000}) {
        String body = "0123456789".repeat(length / 10 + 1).substring(0, length);
        assertThat(answer(client, "Content-Length: " + length + "\r\n\r\n" + body))
            .contains("\r\n" + length + " " + Sha256.hex(body.getBytes(US_ASCII)) + "\r\n");
      }
      assertThat(answer(client, "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"))
          .contains("\r\n3 " + Sha256.hex("abc".getBytes(US_ASCII)) + "\r\n");
    }
  }

  /** A fixed price is challenged before the body is read. */
  @Test
  void aCallerWhoAsksFirstIsNotToldToSendWhatIsNotWanted() throws Exception {
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      assertThat(answer(client, ASKING + BODY_TO_COME)).startsWith("HTTP/1.1 200");
    }
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Telling());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      client.setSoTimeout(10_000);
      String paying = POST + ASKING + "PAYMENT-SIGNATURE: x\r\n" + BODY_TO_COME;
      client.getOutputStream().write(paying.getBytes(US_ASCII));
      byte[] first = client.getInputStream().readNBytes(25);
      assertThat(new String(first, US_ASCII)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
    }
  }

  /** Those who read nothing hold threads, but never all of them. */
  @Test
  void answersThatNoCallerReadsHoldFewThreads() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Large());
        Socket client = new Socket("127.0.0.1", server.baseUrl().getPort())) {
      try {
        for (int i = 0; i < SLOW; i++) {
          Socket one = new Socket();
          one.setReceiveBufferSize(1024);
          one.connect(new InetSocketAddress("127.0.0.1", server.baseUrl().getPort()));
          one.getOutputStream().write((POST + NO_BODY).getBytes(US_ASCII));
          slow.add(one);
        }
        client.setSoTimeout(30_000);
        client.getOutputStream().write((POST + NO_BODY).getBytes(US_ASCII));
        assertThat(client.getInputStream().readNBytes(LARGE)).hasSize(LARGE);
      } finally {
        for (Socket one : slow) {
          one.close();
        }
      }
    }
  }

  /** Two of these answers fill the memory that unread ones may hold; the others are cut off. */
  @Test
  void unreadAnswersMakeRoomForOthers() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try (JettyServer server = JettyServer.start(BareJersey.HTTP, BareJersey.BODIES, new Large())) {
      try {
        for (int i = 0; i < 6; i++) {
          Socket one = new Socket();
          one.setReceiveBufferSize(1024);
          one.setSoTimeout(30_000);
          one.connect(new InetSocketAddress("127.0.0.1", server.baseUrl().getPort()));
          one.getOutputStream().write((POST + HOLDING + NO_BODY).getBytes(US_ASCII));
          assertThat(one.getInputStream().readNBytes(FIRST_BYTES)).hasSize(FIRST_BYTES);
          slow.add(one);
        }
        int whole = 0;
        for (Socket one : slow) {
          whole += isWhole(one) ? 1 : 0;
        }
        assertThat(whole).isBetween(1, 5);
      } finally {
        for (Socket one : slow) {
          one.close();
        }
      }
    }
  }

  private static boolean isWhole(Socket reader) throws IOException {
    int rest = LARGE - FIRST_BYTES;
    try {
      return reader.getInputStream().readNBytes(rest).length == rest;
    } catch (SocketException reset) {
      return false;
    }
  }

  static BodyBuffer bodies(BodyPace pace) {
    CallLimits usual = CallLimits.defaults();
    return new CallLimits(
            usual.call(),
            usual.body(),
            usual.bodiesInMemory(),
            pace,
            usual.bodiesAwaited(),
            usual.answerBytes(),
            usual.spill())
        .bodies();
  }

  /**
   * The whole answer, to its last chunk or the connection's end, so that the next call on the
   * connection finds nothing of it.
   */
  private static String answer(Socket client, String rest) throws IOException {
    String request = POST + rest;
    client.setSoTimeout(10_000);
    client.getOutputStream().write(request.getBytes(US_ASCII));
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] read = new byte[2048];
    for (int length; (length = client.getInputStream().read(read)) > 0; ) {
      answer.write(read, 0, length);
      if (answer.toString(US_ASCII).endsWith(LAST_CHUNK)) {
        break;
      }
    }
    return answer.toString(US_ASCII);
  }

  /** Answers with the length and hash of what was posted. */
  static final class Echoing extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Echo.class);
    }
  }

  /** What was posted, in short. */
  @PreMatching
  public static class Echo implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) throws IOException {
      byte[] body = request.getEntityStream().readAllBytes();
      request.abortWith(Response.ok(body.length + " " + Sha256.hex(body)).build());
    }
  }

  /** Answers more than sockets hold. */
  static final class Large extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Much.class);
    }
  }

  /** The same bytes to every caller. */
  @PreMatching
  public static class Much implements ContainerRequestFilter {

    private static final byte[] BYTES = new byte[LARGE];

    @Override
    public void filter(ContainerRequestContext request) {
      if (request.getHeaderString("X-Held") != null) {
        request.setProperty(PaymentFlow.ANSWER_BYTES, SlowReaders.MOST_BYTES * 2 / 5);
      }
      request.abortWith(Response.ok(BYTES).build());
    }
  }

  /** The application of the one filter. */
  private static final class Telling extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Noted.class);
    }
  }

  /** Answers what stands on the request itself. */
  @PreMatching
  public static class Noted implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      request.abortWith(Response.ok(request.getProperty("dev.octroi.api.remote")).build());
    }
  }
}

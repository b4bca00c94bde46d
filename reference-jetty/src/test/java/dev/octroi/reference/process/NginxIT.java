package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.reference.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recipe for nginx, as it runs. */
@Tag("slow")
class NginxIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";

  private static final List<String> INSIDE =
      List.of(
          "/admin/v1/keys",
          "/console",
          "/metrics",
          "/v1/../admin/v1/keys",
          "/%61dmin/v1/keys",
          "//admin/v1/keys");

  @TempDir private Path folder;

  private TestCertificate certificate;

  @BeforeEach
  void certify() throws Exception {
    certificate = TestCertificate.made(folder, "nginx", "EC");
  }

  private HttpClient.Builder client() throws Exception {
    return HttpClient.newBuilder().sslContext(certificate.trusted());
  }

  @Test
  void aCallIsPaidAndEachCallerIsCountedByAnAddressOfItsOwn() throws Exception {
    BuiltJar jar =
        BuiltJar.quickIn(folder, "--port", "0", "--data", folder.resolve("data").toString())
            .set("gateway.http.trusted-proxies", "127.0.0.1")
            .set("gateway.limits.unpaid-per-minute", "5");
    try (Running gateway = jar.start()) {
      int port = gateway.awaitReady().getPort();
      try (Nginx nginx = Nginx.before(folder.resolve("nginx"), certificate, port, port)) {
        PaidAnswer answer =
            new PayingClient(
                    client().build(),
                    new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
                    SpendingLimit.of(Usd.parse("1")))
                .send(HttpRequest.newBuilder(nginx.base().resolve(READ)).build());
        assertThat(answer.status()).as(nginx.said()).isEqualTo(200);
        assertThat(answer.quote()).isNotNull();
        assertThat(answer.quote().challenge().resource().url()).startsWith("https://127.0.0.1/");

        int status = 402;
        for (int i = 0; i < 20 && status == 402; i++) {
          // The address that a caller makes up for each call helps it nothing.
          status = unpaid("127.0.0.2", nginx.base(), "10.0.0." + i);
        }
        assertThat(status).isEqualTo(429);
        assertThat(unpaid("127.0.0.3", nginx.base(), "127.0.0.2")).isEqualTo(402);
      }
    }
  }

  /** From one address of this machine, with another one stated. */
  private int unpaid(String from, URI base, String forged) throws Exception {
    try (Socket plain = new Socket()) {
      plain.bind(new InetSocketAddress(from, 0));
      plain.connect(new InetSocketAddress("127.0.0.1", base.getPort()));
      try (Socket socket =
          certificate
              .trusted()
              .getSocketFactory()
              .createSocket(plain, "127.0.0.1", base.getPort(), true)) {
        write(
            socket,
            "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".formatted(READ)
                + "X-Forwarded-For: %1$s\r\nForwarded: for=%1$s\r\n\r\n".formatted(forged));
        String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
        return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 402".length()));
      }
    }
  }

  /** Two nodes that hang up: the payment was sent to one of them, and the payer is told. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void aCallThatANodeLeavesUnansweredGoesToNoOther(String method) throws Exception {
    try (Node first = new Node(socket -> {});
        Node second = new Node(socket -> {});
        Nginx nginx =
            Nginx.before(folder.resolve("nginx"), certificate, first.port(), second.port())) {
      HttpResponse<String> answer =
          client()
              .build()
              .send(
                  HttpRequest.newBuilder(nginx.base().resolve(READ))
                      .method(method, BodyPublishers.ofString(method.equals("GET") ? "" : "{}"))
                      .header("PAYMENT-SIGNATURE", "x".repeat(12_000))
                      .header("X-Forwarded-For", "6.6.6.6")
                      .header("Forwarded", "for=6.6.6.6")
                      .build(),
                  BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(nginx.said()).isEqualTo(502);
      List<String> heads = heads(first, second);
      assertThat(heads).hasSize(1);
      assertThat(heads.get(0).toLowerCase(Locale.ROOT))
          .contains("\r\npayment-signature: xxx")
          .contains("\r\nx-forwarded-for: 127.0.0.1\r\n", "\r\nx-forwarded-proto: https\r\n")
          .doesNotContain("6.6.6.6");
    }
  }

  private static List<String> heads(Node first, Node second) {
    List<String> heads = new CopyOnWriteArrayList<>(first.heads);
    heads.addAll(second.heads);
    return heads;
  }

  /** In chunks, as the gateway sends it, and to the connection's end. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStreamLeavesPieceByPiece(boolean chunked) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    NodeAnswer streaming =
        socket -> {
          String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
          String framing =
              chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Connection: close\r\n\r\n";
          write(socket, head + framing + piece("data: 1\n\n", chunked));
          // The rest is not sent before the caller has the first piece.
          String rest = read.await(20, TimeUnit.SECONDS) ? "data: 2\n\n" : "too late!";
          write(socket, piece(rest, chunked) + (chunked ? "0\r\n\r\n" : ""));
        };
    try (Node node = new Node(streaming);
        Nginx nginx =
            Nginx.before(folder.resolve("nginx"), certificate, node.port(), node.port())) {
      HttpResponse<InputStream> answer =
          client()
              .build()
              .send(
                  HttpRequest.newBuilder(nginx.base().resolve("/v1/chat/completions"))
                      .POST(BodyPublishers.ofString("{}"))
                      .build(),
                  BodyHandlers.ofInputStream());
      assertThat(answer.body().readNBytes(9)).isEqualTo("data: 1\n\n".getBytes(US_ASCII));
      read.countDown();
      assertThat(answer.body().readAllBytes()).isEqualTo("data: 2\n\n".getBytes(US_ASCII));
    }
  }

  private static String piece(String text, boolean chunked) {
    return chunked ? Integer.toHexString(text.length()) + "\r\n" + text + "\r\n" : text;
  }

  @Test
  void theInsideIsNotReachedByAnySpellingOfItsPaths() throws Exception {
    try (Node node = new Node(socket -> {});
        Nginx nginx =
            Nginx.before(folder.resolve("nginx"), certificate, node.port(), node.port())) {
      for (String path : INSIDE) {
        HttpResponse<String> answer =
            client()
                .build()
                .send(
                    HttpRequest.newBuilder(URI.create(nginx.base() + path)).build(),
                    BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(404);
      }
      assertThat(node.heads).isEmpty();
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  @FunctionalInterface
  private interface NodeAnswer {
    void write(Socket socket) throws IOException, InterruptedException;
  }

  /** What stands for a node: it notes the head of each request, answers so, and hangs up. */
  private static final class Node implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final NodeAnswer answer;

    Node(NodeAnswer answer) throws IOException {
      this.answer = answer;
      Thread thread = new Thread(this::serve, "node");
      thread.setDaemon(true);
      thread.start();
    }

    int port() {
      return server.getLocalPort();
    }

    private void serve() {
      while (!server.isClosed()) {
        try (Socket socket = server.accept()) {
          heads.add(head(socket));
          answer.write(socket);
        } catch (IOException e) {
          // Closed, or the proxy has gone: the test tells what it heard.
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    private static String head(Socket socket) throws IOException {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      while (!head.toString(US_ASCII).endsWith("\r\n\r\n")) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          break;
        }
        head.write(next);
      }
      return head.toString(US_ASCII);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}

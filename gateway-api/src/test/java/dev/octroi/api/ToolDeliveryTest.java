package dev.octroi.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.body.BodyMemory;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tool's answer counts as delivered once the agent has it, and as undelivered if it has not. */
@Tag("spec:money.3")
class ToolDeliveryTest {

  private static final String SAID = "the answer ".repeat(20_000);
  private static final String NOT_CHARGED_AGAIN = "nonce_already_used";

  private final CountDownLatch gate = new CountDownLatch(1);
  private RouteTarget target;
  private GatewayHost host;

  @BeforeEach
  void start() {
    target = new RouteTarget();
    serve(Map.of());
  }

  private void serve(Map<String, String> more) {
    if (host != null) {
      host.close();
    }
    Map<String, String> all = new HashMap<>();
    all.put("gateway.groups", "");
    all.put("gateway.routes.weather.path", "/weather");
    all.put("gateway.routes.weather.target", target.base().toString());
    all.put("gateway.routes.weather.price", "0.01");
    all.put("gateway.keys.master-key", "A".repeat(43) + "=");
    all.put("gateway.routes.weather.rules", "POST /search=0.01,GET /cities=0.01");
    all.putAll(more);
    host = GatewayHost.routing(all);
  }

  @AfterEach
  void stop() {
    gate.countDown();
    host.close();
    target.close();
  }

  /** The target says it at once from the second request on, and to the first when it may. */
  private void says(String path, String answer) {
    target.says(
        path,
        out -> {
          if (!gate.await(20, TimeUnit.SECONDS)) {
            throw new IOException("never let go");
          }
          out.write(answer.getBytes(UTF_8));
        });
  }

  private String payment(String method, String path) {
    HttpRequest unpaid = host.http().request(path).method(method, BodyPublishers.noBody()).build();
    PaymentRequired challenge =
        PaymentRequired.read(
            host.http().send(unpaid).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return ToolCaller.paying(
        new PaymentSigner(Wallet.generate(), Clock.systemUTC())
            .sign(challenge, challenge.accepts().get(0)));
  }

  private JsonNode called(String tool, String meta) throws IOException {
    return new ToolCaller(host.http()).called(tool, "{}", meta);
  }

  /** An agent that calls and is gone before its answer is there. */
  private void leaves(String tool, String meta, Callable<Boolean> isAsked) throws IOException {
    leaves(host.http(), tool, "{}", meta, isAsked);
    gate.countDown();
  }

  private static void leaves(
      HttpHost http, String tool, String arguments, String meta, Callable<Boolean> isAsked)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", http.base().getPort())) {
      socket.setSoLinger(true, 0);
      asks(socket, tool, arguments, meta);
      await().until(isAsked);
    }
  }

  private static void asks(Socket socket, String tool, String arguments, String meta)
      throws IOException {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
            + tool
            + "\",\"arguments\":"
            + arguments
            + ",\"_meta\":"
            + meta
            + "}}";
    socket
        .getOutputStream()
        .write(
            ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body)
                .getBytes(UTF_8));
  }

  private Usd spent() throws SQLException {
    return new Usd(
        host.count(
            "SELECT COALESCE(SUM(COALESCE(charged, amount)), 0) FROM payment WHERE state ="
                + " 'SETTLED'"));
  }

  private void ended() {
    await().until(() -> host.gateway().payments().callsInFlight() == 0);
  }

  @ParameterizedTest
  @CsvSource({"GET, /cities, get_cities, 2", "POST, /search, post_search, 1"})
  void anAgentThatLeftHasItsAnswerByTheSamePayment(
      String method, String path, String tool, int asked) throws Exception {
    says(path, RouteTarget.answer(200, "Content-Type: text/plain\n", SAID));
    String payment = payment(method, "/weather" + path);
    leaves("weather_" + tool, payment, () -> !target.seen().isEmpty());
    await().until(() -> spent().equals(Usd.parse("0.01")));
    ended();

    JsonNode again = called("weather_" + tool, payment);

    assertThat(again.at("/content/0/text").textValue()).isEqualTo(SAID);
    assertThat(target.seen()).hasSize(asked);
    ended();
    assertThat(called("weather_" + tool, payment).at("/structuredContent/error").textValue())
        .isEqualTo(NOT_CHARGED_AGAIN);
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
    assertThat(target.seen()).hasSize(asked);
  }

  @ParameterizedTest
  @CsvSource({"GET, /cities, get_cities", "POST, /search, post_search"})
  void anAgentThatHasItsAnswerIsRefusedASecondOne(String method, String path, String tool)
      throws Exception {
    gate.countDown();
    says(path, RouteTarget.answer(200, "Content-Type: text/plain\n", SAID));
    String payment = payment(method, "/weather" + path);

    assertThat(called("weather_" + tool, payment).at("/content/0/text").textValue())
        .isEqualTo(SAID);
    ended();

    assertThat(called("weather_" + tool, payment).at("/structuredContent/error").textValue())
        .isEqualTo(NOT_CHARGED_AGAIN);
    assertThat(target.seen()).hasSize(1);
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
  }

  /** What is made of a call's arguments stays in memory until the call has ended. */
  @Test
  void theArgumentsOfACallHoldTheirShareOfTheMemoryUntilItHasEnded() throws Exception {
    serve(
        Map.of(
            "gateway.limits.json-body", "32MiB",
            "gateway.routes.weather.body-limit", "32MiB"));
    says("/search", RouteTarget.answer(200, "Content-Type: text/plain\n", SAID));
    String payment = payment("POST", "/weather/search");
    // A body takes six times its length: more than half of what there is for all.
    long length = Runtime.getRuntime().maxMemory() / 8 / 10;
    String much = "{\"x\":\"" + "y".repeat((int) length) + "\"}";
    try (Socket socket = new Socket("127.0.0.1", host.http().base().getPort())) {
      asks(socket, "weather_post_search", much, payment);
      await().until(() -> !target.seen().isEmpty());

      assertThat(asked(much, payment)).isEqualTo(503);
      assertThat(asked("{}", payment)).isEqualTo(200);
      gate.countDown();
      ended();
    }
    await().until(() -> asked(much, payment) == 200);
  }

  /** The status of a call to a tool, whatever its answer says. */
  private int asked(String arguments, String meta) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
            + "\"weather_post_search\",\"arguments\":%s,\"_meta\":%s}}".formatted(arguments, meta);
    return host.http()
        .send(
            host.http()
                .request("/mcp")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build())
        .statusCode();
  }

  private boolean saysMuch() {
    host.vendor()
        .asked()
        .forEach(
            asked ->
                host.vendor()
                    .says(
                        URI.create(asked).getPath(), 200, "{\"data\":[{\"a\":\"" + SAID + "\"}]}"));
    return !host.vendor().asked().isEmpty();
  }

  @Test
  void aReadOfAGroupIsNoOther() throws Exception {
    host.close();
    host = new GatewayHost(Map.of());
    host.vendor().waitsFor(gate);
    String payment = payment("GET", "/v1/marketplace/cryptodata/exchange/markets");
    leaves("cryptodata_exchange_markets", payment, this::saysMuch);
    await().until(() -> spent().equals(Usd.parse("0.0095")));
    ended();

    JsonNode again = called("cryptodata_exchange_markets", payment);

    assertThat(again.at("/_meta/octroi~1status").intValue()).as(again.toString()).isEqualTo(200);
    assertThat(spent()).isEqualTo(Usd.parse("0.0095"));
  }

  @ParameterizedTest
  @CsvSource({"GET, /cities, get_cities, 2", "POST, /search, post_search, 1"})
  void anAnswerThatBrokeInsideIsHadByTheSamePayment(
      String method, String path, String tool, int asked) throws Exception {
    gate.countDown();
    try (Breaking way = new Breaking()) {
      serve(Map.of("gateway.mcp.self-address", way.address()));
      says(path, RouteTarget.answer(200, "Content-Type: text/plain\n", SAID));
      String payment = payment(method, "/weather" + path);
      way.leadsTo(host.http().base().getPort());

      assertThat(called("weather_" + tool, payment).at("/content/0/text").textValue())
          .startsWith("The call got no answer.");
      ended();
      way.isWhole = true;

      assertThat(called("weather_" + tool, payment).at("/content/0/text").textValue())
          .isEqualTo(SAID);
      assertThat(spent()).isEqualTo(Usd.parse("0.01"));
      assertThat(target.seen()).hasSize(asked);
    }
  }

  @Test
  void aJobIsNotPaidForByAnAgentThatHasGone() throws Exception {
    try (ImageHost images =
        new ImageHost(
            Map.of(
                "gateway.images.fast-path", "100ms",
                "gateway.mcp.job-poll", "100ms",
                "gateway.mcp.calls-at-once", "1"))) {
      ToolCaller caller = new ToolCaller(images.http());
      String tool = "images_generations";
      String order = ImageHost.prompt("held job");
      String payment =
          ToolCaller.paying(
              images.payment(images.draw(order), Wallet.generate(), Clock.systemUTC()));
      leaves(
          images.http(),
          tool,
          order,
          payment,
          () -> images.count("SELECT COUNT(*) FROM image_job") == 1);
      await().until(() -> !caller.called(tool, "{}", "{}").toString().contains("is at capacity"));
      images.vendor().release();

      JsonNode result = caller.called(tool, order, payment);

      assertThat(result.at("/_meta/octroi~1status").intValue())
          .as(result.toString())
          .isEqualTo(200);
      assertThat(images.count("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'")).isOne();
    }
  }

  @Test
  void aJobWhosePaidAnswerBrokeInsideIsHadByTheSameCall() throws Exception {
    try (Breaking way = new Breaking();
        ImageHost images =
            new ImageHost(
                Map.of(
                    "gateway.images.fast-path", "100ms",
                    "gateway.mcp.job-poll", "100ms",
                    "gateway.mcp.self-address", way.address()))) {
      way.leadsTo(images.http().base().getPort());
      way.begins = "HTTP/1.1 200";
      ToolCaller caller = new ToolCaller(images.http());
      String tool = "images_generations";
      String order = ImageHost.prompt("held job");
      String payment =
          ToolCaller.paying(
              images.payment(images.draw(order), Wallet.generate(), Clock.systemUTC()));
      Thread drawing =
          new Thread(
              () -> {
                await().until(() -> images.count("SELECT COUNT(*) FROM image_job") == 1);
                images.vendor().release();
              });
      drawing.start();
      assertThat(caller.called(tool, order, payment).at("/content/0/text").textValue())
          .startsWith("The call got no answer.");
      drawing.join();
      await().until(() -> images.gateway().gateway().payments().callsInFlight() == 0);
      way.isWhole = true;

      JsonNode again = caller.called(tool, order, payment);

      assertThat(again.at("/_meta/octroi~1status").intValue()).as(again.toString()).isEqualTo(200);
      assertThat(again.at("/structuredContent/data")).as(again.toString()).hasSize(1);
      await().until(() -> images.gateway().gateway().payments().callsInFlight() == 0);
      assertThat(caller.called(tool, order, payment).at("/structuredContent/error").textValue())
          .isEqualTo(NOT_CHARGED_AGAIN);
      assertThat(images.count("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'")).isOne();
      assertThat(images.count("SELECT COUNT(*) FROM image_job")).isOne();
    }
  }

  @Test
  void anAnswerHoldsItsMemoryUntilTheAgentHasReadIt() throws Exception {
    gate.countDown();
    String much = "\"a\",".repeat(1_000_000);
    says("/cities", RouteTarget.answer(200, "Content-Type: text/plain\n", much));
    BodyMemory memory = host.gateway().payments().flow().bodies().working();
    String payment = payment("GET", "/weather/cities");
    try (Socket slow = new Socket()) {
      slow.setReceiveBufferSize(4096);
      slow.connect(new InetSocketAddress("127.0.0.1", host.http().base().getPort()));
      asks(slow, "weather_get_cities", "{}", payment);
      InputStream in = slow.getInputStream();
      reads(in, "data: ");
      assertThat(memory.whole() - memory.left()).isEqualTo(2L * much.length());

      String second = payment("GET", "/weather/cities");
      long others = memory.takeForAnswer(memory.left() / 4 - 1024, 0);
      assertThat(called("weather_get_cities", second).at("/_meta/octroi~1status").intValue())
          .isEqualTo(503);
      memory.give(others);
      assertThat(spent()).isEqualTo(Usd.parse("0.01"));

      reads(in, "\n\n");
      await().until(() -> memory.left() == memory.whole());
    }
    ended();
    await().until(() -> host.count("SELECT COUNT(*) FROM payment WHERE delivered") == 1);
  }

  /** Reads up to some words. */
  private static void reads(InputStream in, String words) throws IOException {
    StringBuilder read = new StringBuilder();
    while (!read.toString().endsWith(words)) {
      read.append((char) in.read());
      read.delete(0, Math.max(0, read.length() - words.length()));
    }
  }

  @Test
  void aCallByKeyIsChargedOnce() throws Exception {
    gate.countDown();
    says("/search", RouteTarget.answer(200, "Content-Type: text/plain\n", SAID));
    String secret =
        host.gateway()
            .accounts()
            .open(
                "an account",
                new KeyTerms(
                    "a key",
                    Set.of(),
                    OptionalInt.empty(),
                    host.gateway().settings().keys().limits(),
                    Optional.empty()))
            .secret();

    JsonNode result =
        new ToolCaller(host.http())
            .called("weather_post_search", "{}", "{}", "Authorization", "Bearer " + secret);

    assertThat(result.at("/content/0/text").textValue()).isEqualTo(SAID);
    ended();
    await().until(() -> host.count("SELECT COUNT(*) FROM payment WHERE delivered") == 1);
    assertThat(spent()).isEqualTo(Usd.parse("0.01"));
  }

  /** The way from the gateway to itself, on which answers break off after their first half. */
  private static final class Breaking implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private volatile int port;
    private volatile boolean isWhole;

    /** Only answers that begin so break off. */
    private volatile String begins = "HTTP/1.1";

    Breaking() throws IOException {
      thread(this::accept);
    }

    private static void thread(Runnable work) {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      thread.start();
    }

    String address() {
      return "http://127.0.0.1:" + socket.getLocalPort();
    }

    void leadsTo(int toPort) {
      port = toPort;
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket caller = socket.accept();
          thread(() -> pass(caller));
        } catch (IOException closed) {
          return;
        }
      }
    }

    /** One request; the server has written all of its answer before any of it is passed on. */
    private void pass(Socket caller) {
      try (caller;
          Socket server = new Socket("127.0.0.1", port)) {
        thread(() -> copy(caller, server));
        InputStream in = server.getInputStream();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.writeBytes(in.readNBytes(1));
        server.setSoTimeout(500);
        try {
          in.transferTo(answer);
        } catch (SocketTimeoutException whole) {
          // It keeps the connection open.
        }
        byte[] bytes = answer.toByteArray();
        boolean whole = isWhole || !answer.toString(UTF_8).startsWith(begins);
        caller.getOutputStream().write(bytes, 0, whole ? bytes.length : bytes.length / 2);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void copy(Socket from, Socket to) {
      try {
        InputStream in = from.getInputStream();
        in.transferTo(to.getOutputStream());
      } catch (IOException ended) {
        // With its connection.
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}

package dev.octroi.war;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.sandbox.Sandbox;
import dev.octroi.testkit.GatewayBehaviour;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A WAR on a real server in a process of its own, at a context path, with the one setting that
 * makes the sandbox its upstream.
 */
abstract class WarOnServer extends GatewayBehaviour {

  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Duration OFTEN = Duration.ofMillis(250);

  /** More than a server has threads where their number is fixed. */
  private static final int SLOW = 400;

  private static final int DROPS = 3;

  private static final List<String> SLOW_CALLS =
      List.of("POST /v1/chat/completions", "GET /v1/models");

  private static final String SQL = "{\"sql\":\"SELECT 1 AS one\"}";

  private static final Pattern CALL = Pattern.compile("^(GET|POST) /");
  private static final Pattern SOLD = Pattern.compile(" [0-9]+\\.[0-9]+ +200 +[0-9]+ +sandbox:");

  /** The kit lets pictures take a second before they become jobs, which a busy machine needs. */
  private static final Pattern PICTURE_AS_JOB =
      Pattern.compile("^POST /v1/images/generations +- +202 ");

  /** In an OpenAPI document, of reads that need no id. */
  private static final Pattern READ_PATH = Pattern.compile("\"(/[^\"{}]*)\":\\{\"get\":");

  private static final Pattern NAMED =
      Pattern.compile("<(?:script|link|img)[^>]* (?:src|href)=\"([^\"#:]+)\"");

  @TempDir static Path folder;

  private final Closing close = new Closing();
  private URI base = URI.create("http://127.0.0.1/");
  private ServerProcess server;

  /** Starts the server with the WAR, which need not serve yet. */
  abstract ServerProcess start(ServerPlan plan) throws IOException;

  /** Whether the books lie in PostgreSQL, behind the server's own pool; else in a file of H2. */
  boolean onServersPool() {
    return false;
  }

  /** Whether the server has threads of its own for applications: Jakarta EE's have. */
  boolean managesThreads() {
    return false;
  }

  @BeforeAll
  void deploy() throws Exception {
    Sandbox sandbox = close.add(Sandbox.start());
    Optional<BookServer> books =
        onServersPool() ? Optional.of(close.add(BookServer.start())) : Optional.empty();
    Map<String, String> settings =
        new HashMap<>(
            EmbeddedHost.settings("jdbc:h2:async:" + folder.resolve("octroi") + ";WRITE_DELAY=0"));
    settings.put("gateway.sandbox.url", sandbox.url().toString());
    int port = ServerPlan.freePort();
    base = URI.create("http://127.0.0.1:" + port + "/" + ServerPlan.CONTEXT);
    server = close.add(start(new ServerPlan(folder, port, settings, books)));
    Visitor visitor = new Visitor(base);
    await("the gateway's home")
        .atMost(TIMEOUT)
        .pollInterval(OFTEN)
        .failFast("the server ended: " + server.log(), () -> !server.process().isAlive())
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> visitor.get("/").statusCode() == 200);
  }

  /** The kit's themes run side by side and would be told to come again: this comes after them. */
  @AfterAll
  void stop() throws Exception {
    try {
      if (server != null && server.process().isAlive()) {
        for (String call : SLOW_CALLS) {
          bodiesThatDripKeepNoCallerOut(call);
        }
      }
    } finally {
      close.all();
    }
  }

  @Override
  protected URI baseUrl() {
    return base;
  }

  @Test
  void upstreamsAreCalledOnTheServersThreadsWhereItHasSome() {
    assertThat(server.output().contains("on threads that the server manages"))
        .isEqualTo(managesThreads());
  }

  /** As the vendors' SDKs ask for a model whose name holds a slash. */
  @Test
  void aModelsNameMayHoldAnEscapedSlash() throws Exception {
    Visitor visitor = new Visitor(base);
    assertThat(visitor.named("127.0.0.1", "/v1/models/openai%2Fgpt-5.4-mini"))
        .startsWith("HTTP/1.1 200")
        .contains("\"id\":\"gpt-5.4-mini\"");
    assertThat(visitor.named("127.0.0.1", "/v1/phone%2Flookup"))
        .as("elsewhere the gateway refuses it, in its own shape")
        .startsWith("HTTP/1.1 400")
        .contains("{\"error\":");
    assertThat(visitor.named("127.0.0.1", "/v1/models%2F..%2Fmarketplace/cryptodata"))
        .startsWith("HTTP/1.1 4");
  }

  /**
   * Calls without a body are served meanwhile; those with one may be told to come again. The
   * gateway waits for the first kind, since the price depends on it, and nothing reads the second.
   */
  private void bodiesThatDripKeepNoCallerOut(String call) throws Exception {
    String head =
        call.replace(" ", " " + base.getRawPath())
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: 1000000\r\n\r\n{";
    Visitor visitor = new Visitor(base);
    List<SocketChannel> slow = new ArrayList<>();
    long longest = 0;
    try {
      for (int i = 0; i < SLOW; i++) {
        SocketChannel one =
            SocketChannel.open(new InetSocketAddress(base.getHost(), base.getPort()));
        slow.add(one);
        one.write(StandardCharsets.US_ASCII.encode(head));
      }
      for (int drop = 0; drop < DROPS; drop++) {
        slow.forEach(WarOnServer::drip);
        long asked = System.nanoTime();
        assertThat(visitor.get("/health/live").statusCode()).isEqualTo(200);
        assertThat(visitor.buy("/v1/marketplace/cryptodata/market/fear-greed").status())
            .isEqualTo(200);
        longest = Math.max(longest, System.nanoTime() - asked);
      }
    } finally {
      for (SocketChannel one : slow) {
        one.close();
      }
    }
    await("calls with a body, once the slow ones have gone")
        .atMost(TIMEOUT)
        .until(() -> visitor.post("/v1/marketplace/cryptodata/onchain/sql", SQL) == 402);
    System.out.println(
        SLOW
            + " times "
            + call
            + ", dripping: others served within "
            + longest / 1_000_000
            + " ms");
  }

  private static void drip(SocketChannel one) {
    try {
      one.write(StandardCharsets.US_ASCII.encode("a"));
    } catch (IOException cutOff) {
      // It was too slow, or one too many.
    }
  }

  @Test
  void whatAnAgentsMessageLacksIsNotLogged() throws Exception {
    String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":null}";
    Visitor visitor = new Visitor(base);
    assertThat(visitor.post("/mcp", call)).isEqualTo(200);
    assertThat(server.output()).doesNotContain("missing required field");
  }

  @Test
  void whatTheDescriptionNamesAnswers() throws Exception {
    Visitor visitor = new Visitor(base);
    HttpResponse<String> description = visitor.get("/openapi.json");
    assertThat(description.statusCode()).as(description.body()).isEqualTo(200);
    List<String> paths =
        READ_PATH.matcher(description.body()).results().map(found -> found.group(1)).toList();
    assertThat(paths).hasSizeGreaterThan(100);
    for (String path : paths) {
      assertThat(visitor.get(path).statusCode()).as(path).isLessThan(500);
    }
  }

  /** With the styles and scripts that they name. */
  @ParameterizedTest
  @ValueSource(strings = {"/", "/docs", "/console"})
  void aPageIsThereWithAllThatItNames(String page) throws Exception {
    Visitor visitor = new Visitor(base);
    HttpResponse<String> html = visitor.getAsBrowser(page);
    assertThat(html.statusCode()).as(html.body()).isEqualTo(200);
    List<String> named =
        NAMED.matcher(html.body()).results().map(found -> found.group(1)).distinct().toList();
    for (String one : named) {
      URI address = html.uri().resolve(one);
      assertThat(visitor.status(address)).as(page + " names " + address).isEqualTo(200);
    }
  }

  /** A server may have its own trace of what it refuses by itself, but the gateway has none. */
  @Test
  void aCallerWhoBreaksOffIsNoIncident() throws Exception {
    for (String path : List.of("/v1/chat/completions", "/mcp")) {
      try (Socket socket = new Socket(base.getHost(), base.getPort())) {
        String request =
            "POST "
                + base.getRawPath().replaceAll("/$", "")
                + path
                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Content-Length: 100\r\n\r\n{";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.setSoLinger(true, 0);
      }
    }
    Visitor visitor = new Visitor(base);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(visitor.get("/metrics").body())
                    .containsPattern("octroi_requests_broken_total [2-9]"));
    assertThat(server.output()).doesNotContain("a call ended unforeseen");
  }

  @Test
  void theDemoPaysOneCallOfEachKind() throws Exception {
    String jar = System.getProperty("octroi.jar", "");
    List<String> command = new ArrayList<>(ServerPlan.SHORT_LIVED);
    command.addAll(List.of("-Xmx256m", "-jar", jar, "demo", "--url", "" + base));
    try (ServerProcess demo = ServerProcess.start(folder, "demo.out", command)) {
      demo.awaitEnd();
      assertThat(demo.output().lines().filter(line -> CALL.matcher(line).find()))
          .hasSizeGreaterThan(25)
          .allMatch(line -> SOLD.matcher(line).find() || PICTURE_AS_JOB.matcher(line).find());
    }
  }
}

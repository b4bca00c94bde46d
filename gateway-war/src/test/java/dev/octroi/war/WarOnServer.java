package dev.octroi.war;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.reference.Sandbox;
import dev.octroi.testkit.GatewayBehaviour;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A WAR on a real server in a process of its own, at a context path, with the one setting that
 * makes the sandbox its upstream.
 */
abstract class WarOnServer extends GatewayBehaviour {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration OFTEN = Duration.ofMillis(250);

  private static final Pattern CALL = Pattern.compile("^(GET|POST) /");
  private static final Pattern SOLD = Pattern.compile(" [0-9]+\\.[0-9]+ +200 +[0-9]+ +sandbox:");

  /** The kit lets pictures take a second before they become jobs, which a busy machine needs. */
  private static final Pattern PICTURE_AS_JOB =
      Pattern.compile("^POST /v1/images/generations +- +202 ");

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
        .atMost(PATIENCE)
        .pollInterval(OFTEN)
        .failFast("the server ended: " + server.log(), () -> !server.process().isAlive())
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> visitor.get("/").statusCode() == 200);
  }

  @AfterAll
  void stop() throws Exception {
    close.all();
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
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(visitor.get("/metrics").body())
                    .containsPattern("octroi_requests_broken_total [2-9]"));
    assertThat(server.output()).doesNotContain("a call ended unforeseen");
  }

  @Test
  void theDemoPaysOneCallOfEachKind() throws Exception {
    String jar = System.getProperty("octroi.jar", "");
    try (ServerProcess demo =
        ServerProcess.start(
            folder, "demo.out", List.of("-Xmx256m", "-jar", jar, "demo", "--url", "" + base))) {
      demo.awaitEnd();
      assertThat(demo.output().lines().filter(line -> CALL.matcher(line).find()))
          .hasSizeGreaterThan(25)
          .allMatch(line -> SOLD.matcher(line).find() || PICTURE_AS_JOB.matcher(line).find());
    }
  }
}

package dev.octroi.services.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamClient.StreamRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The operator reads what no caller is told. */
class RefusalsInTheLogTest {

  private final Logger log = (Logger) LoggerFactory.getLogger(UpstreamClient.class);
  private final ListAppender<ILoggingEvent> lines = new SlowLog();

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  /** A caller that has its answer before the log has its line would look in vain. */
  private static final class SlowLog extends ListAppender<ILoggingEvent> {

    @Override
    protected void append(ILoggingEvent line) {
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      super.append(line);
    }
  }

  @AfterEach
  void leave() {
    log.detachAppender(lines);
  }

  @Test
  void whyOurCredentialIsRefusedIsSaidInTheUpstreamsWords() throws IOException {
    String said = "{\"message\":\"The balance is used up\"}";
    try (WireServer server = WireServer.start((request, wire) -> wire.json(402, said));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Deadline soon = Deadline.in(Duration.ofSeconds(10));
      assertThatThrownBy(() -> client.send(UpstreamRequest.get("/"), soon))
          .isInstanceOf(Failure.class)
          .hasMessageNotContaining("balance");
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .contains("Upstream test, status 402: " + said);
    }
  }

  /** Some upstreams repeat the headers that they refuse. */
  @ParameterizedTest
  @ValueSource(ints = {400, 401, 500})
  void anErrorThatRepeatsOurCredentialsSaysNeitherTheLogNorTheCaller(int status)
      throws IOException {
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.json(
                        status,
                        "{\"message\":\"No: "
                            + request.headers().get("authorization")
                            + ", "
                            + request.headers().get("carrier-key")
                            + "\"}"));
        UpstreamClient client =
            new UpstreamClient(server.settings().with(Credential.bearer("sk-verysecret")))) {
      Deadline soon = Deadline.in(Duration.ofSeconds(10));
      UpstreamRequest request =
          UpstreamRequest.post("/", new byte[0], "application/json")
              .with(Credential.header("carrier-key", "ck-verysecret"));
      String told = "";
      try {
        UpstreamAnswer answer = client.send(request, soon);
        client.warn(answer);
        told = new String(answer.body(), StandardCharsets.UTF_8);
      } catch (Failure refused) {
        told = String.valueOf(refused.getMessage());
      }
      try (UpstreamStream stream = client.open(StreamRequest.of("/", new byte[0]), soon)) {
        told += new String(stream.readAll(10_000), StandardCharsets.UTF_8);
      } catch (Failure refused) {
        told += refused.getMessage();
      }
      assertThat(told).doesNotContain("verysecret");
      assertThat(server.requests()).hasSize(2);
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .noneMatch(line -> line.contains("verysecret"));
    }
  }

  @Test
  void aRefusalIsOneLineAndNotEndless() throws IOException {
    try (WireServer server =
            WireServer.start((request, wire) -> wire.json(400, "one\ntwo" + "x".repeat(5_000)));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Deadline soon = Deadline.in(Duration.ofSeconds(10));
      client.warn(client.send(UpstreamRequest.get("/"), soon));
      assertThat(lines.list.get(0).getFormattedMessage())
          .startsWith("Upstream test, status 400: one?twoxx")
          .hasSizeLessThan(400);
    }
  }
}

package dev.octroi.services.language.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.language.catalogue.CatalogueFile;
import dev.octroi.services.language.tokens.CountedPrompt;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.upstream.StreamRequest;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamStream;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FallbackChainTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final RoutePlan plan =
      new Router(CatalogueFile.standard(Clock.systemUTC()), new TokenCounter(), false)
          .plan("claude-opus-4.8", RequestTraits.of(CountedPrompt.of("hi"), "hi", 100, 1, false));

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 502, 503, 529})
  @Tag("spec:language.fallback")
  void theNextModelAnswersForOneThatFails(int status) throws IOException {
    try (WireServer server = answering("claude-opus-4.8", status);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      FallbackChain.Answered answered = FallbackChain.first(plan, deadline(), calling(client));
      try (UpstreamStream stream = answered.stream()) {
        assertThat(stream.status()).isEqualTo(200);
        assertThat(answered.candidate()).isEqualTo(plan.candidates().get(1));
      }
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  @Tag("spec:language.fallback")
  void theNextModelAnswersForOneThatKeepsItsFirstByte() throws IOException {
    CountDownLatch hungUp = new CountDownLatch(1);
    try (WireServer server =
            WireServer.start(
                (request, wire) -> {
                  if (request.target().endsWith("claude-opus-4.8")) {
                    wire.hang(hungUp);
                  } else {
                    wire.json(200, "{}");
                  }
                });
        UpstreamClient client = new UpstreamClient(server.settings())) {
      FallbackChain.Answered answered = FallbackChain.first(plan, deadline(), calling(client));
      answered.stream().close();

      assertThat(answered.candidate()).isEqualTo(plan.candidates().get(1));
    }
  }

  @Test
  void aRefusalOfTheRequestStands() throws IOException {
    try (WireServer server = answering("claude-opus-4.8", 400);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      FallbackChain.Answered answered = FallbackChain.first(plan, deadline(), calling(client));

      assertThat(answered.stream().status()).isEqualTo(400);
      assertThat(answered.candidate()).isEqualTo(plan.first());
    }
  }

  @Test
  void whatTheLastModelSaysStands() throws IOException {
    try (WireServer server = answering("", 503);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      FallbackChain.Answered answered = FallbackChain.first(plan, deadline(), calling(client));

      assertThat(answered.stream().status()).isEqualTo(503);
      assertThat(server.requests()).hasSameSizeAs(plan.candidates());
    }
  }

  @Test
  void pastTheDeadlineNoOtherModelIsTried() throws IOException {
    try (WireServer server = answering("", 503);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      FallbackChain.Answered answered =
          FallbackChain.first(plan, Deadline.in(Duration.ZERO), calling(client));

      assertThat(answered.stream().status()).isEqualTo(503);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void anUpstreamThatIsNotThereFailsTheCallAfterAllHaveBeenTried() throws IOException {
    WireServer gone = answering("", 200);
    gone.close();
    try (UpstreamClient client = new UpstreamClient(gone.settings())) {
      assertThatThrownBy(() -> FallbackChain.first(plan, deadline(), calling(client)))
          .isInstanceOf(Failure.class);
    }
  }

  private static Function<Candidate, UpstreamStream> calling(UpstreamClient client) {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    return candidate ->
        client.open(
            StreamRequest.of("/" + candidate.model().id(), body).patient(PATIENCE, LONG),
            deadline());
  }

  private static Deadline deadline() {
    return Deadline.in(LONG);
  }

  /** Answers the named model's calls, or every model's, with that status. */
  private static WireServer answering(String failing, int status) throws IOException {
    return WireServer.start(
        (request, wire) ->
            wire.json(request.target().endsWith(failing) ? status : 200, "{\"a\":1}"));
  }
}

package dev.octroi.sandbox.language;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.vendor.SandboxServer;
import dev.octroi.services.Deadline;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.ReplyBuilder;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import dev.octroi.services.language.route.PromptReading;
import dev.octroi.services.language.sse.SseParser;
import dev.octroi.services.language.tokens.TokenCounter;
import dev.octroi.services.language.tokens.TokenCounter.TokenCount;
import dev.octroi.services.language.translation.Translation.Protocols;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.StreamRequest;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.UpstreamStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What one protocol's caller asks, said to another protocol's vendor, who reads and writes it by
 * code of his own: 3 protocols by 3 vendors, whole and event by event.
 */
@Timeout(60)
class TranslatedCallsTest {

  private static final String SCHEMA =
      "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},"
          + "\"required\":[\"city\"]}";
  private static final TokenCounter COUNTER = new TokenCounter();
  private static final Map<Dialect, UpstreamClient> UPSTREAMS = new EnumMap<>(Dialect.class);

  private static SandboxServer server;

  @BeforeAll
  static void start() {
    server = SandboxServer.start(0, LanguageVendor.all());
    for (Dialect dialect : Dialect.values()) {
      String mount = dialect.name().toLowerCase(Locale.ROOT);
      UPSTREAMS.put(
          dialect,
          new UpstreamClient(
              UpstreamSettings.of(mount, server.baseAddress(mount))
                  .with(Credential.bearer("any"))));
    }
  }

  @AfterAll
  static void stop() {
    UPSTREAMS.values().forEach(UpstreamClient::close);
    server.close();
  }

  static Stream<Arguments> pairs() {
    return Stream.of(Dialect.values())
        .flatMap(
            caller ->
                Stream.of(Dialect.values())
                    .flatMap(
                        upstream ->
                            Stream.of(
                                Arguments.of(caller, upstream, false),
                                Arguments.of(caller, upstream, true))));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  @Tag("spec:language.translation.text")
  @Tag("spec:language.tokens")
  void textComesBackAndCostsNoMoreThanWasCounted(Dialect caller, Dialect upstream, boolean stream)
      throws IOException {
    Prompt prompt = prompt(caller, stream, "Echo: Füße 漢字", line(caller).maxTokens(50));
    Reply reply = call(prompt, upstream, stream);

    assertThat(text(reply)).isEqualTo("Füße 漢字");
    assertThat(reply.stop()).isEqualTo(StopReason.END_TURN);
    assertThat(reply.usage().output()).isPositive();
    for (Tokenizer tokenizer : List.of(Tokenizer.O200K, Tokenizer.BYTES)) {
      TokenCount count = COUNTER.count(tokenizer, PromptReading.of(prompt).prompt());
      assertThat(reply.usage().allInput()).isBetween(count.atLeast(), count.atMost());
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  @Tag("spec:language.translation.parallel_tools")
  void toolsAreCalledAtOnce(Dialect caller, Dialect upstream, boolean stream) throws IOException {
    String tools = line(caller).tools(SCHEMA, "weather", "news");
    Prompt prompt = prompt(caller, stream, "use weather and news for 'Kassel'", tools);
    Reply reply = call(prompt, upstream, stream);

    List<Part.ToolUse> uses = parts(reply, Part.ToolUse.class);
    assertThat(uses).extracting(Part.ToolUse::name).containsExactly("weather", "news");
    assertThat(uses).allMatch(use -> use.arguments().equals("{\"city\":\"Kassel\"}"));
    assertThat(uses.get(0).id()).isNotEqualTo(uses.get(1).id());
    assertThat(reply.stop()).isEqualTo(StopReason.TOOL_USE);
    TokenCount count = COUNTER.count(Tokenizer.O200K, PromptReading.of(prompt).prompt());
    assertThat(reply.usage().allInput()).isLessThanOrEqualTo(count.atMost());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  @Tag("spec:language.translation.thinking")
  void thoughtsAreShown(Dialect caller, Dialect upstream, boolean stream) throws IOException {
    Prompt prompt = prompt(caller, stream, "echo: yes", line(caller).thinking());
    Reply reply = call(prompt, upstream, stream);

    assertThat(text(reply)).isEqualTo("yes");
    assertThat(parts(reply, Part.Thinking.class))
        .singleElement()
        .satisfies(thinking -> assertThat(thinking.text()).contains("The request says"));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theLimitOfTokensHolds(Dialect caller, Dialect upstream, boolean stream) throws IOException {
    Prompt prompt = prompt(caller, stream, "emit 90 tokens", line(caller).maxTokens(20));
    Reply reply = call(prompt, upstream, stream);

    assertThat(text(reply)).isEqualTo(" token".repeat(20));
    assertThat(reply.stop()).isEqualTo(StopReason.MAX_TOKENS);
    assertThat(reply.usage().output()).isEqualTo(20);
  }

  private static Prompt prompt(Dialect caller, boolean stream, String text, String member) {
    String body = line(caller).ask(text, member, "\"stream\":" + stream);
    return Protocols.of(caller).readPrompt(body.getBytes(StandardCharsets.UTF_8));
  }

  private static Reply call(Prompt prompt, Dialect upstream, boolean stream) throws IOException {
    Protocol protocol = Protocols.of(upstream);
    byte[] body = protocol.writePrompt(prompt, new Target("their-model", 4096, Set.of()));
    StreamRequest request =
        StreamRequest.of(line(upstream).path(), body)
            .with(
                upstream == Dialect.MESSAGES
                    ? Map.of("anthropic-version", "2023-06-01")
                    : Map.of());
    try (UpstreamStream answer =
        UPSTREAMS.get(upstream).open(request, Deadline.in(Duration.ofSeconds(30)))) {
      byte[] said = answer.readAll(1 << 20);
      assertThat(answer.status()).as(new String(said, StandardCharsets.UTF_8)).isEqualTo(200);
      return stream ? told(protocol.eventReader(), said) : protocol.readReply(said);
    }
  }

  private static Reply told(EventReader reader, byte[] stream) {
    ReplyBuilder whole = new ReplyBuilder();
    new SseParser()
        .feed(stream)
        .forEach(frame -> reader.read(frame).forEach(event -> event.accept(whole)));
    reader.end().forEach(event -> event.accept(whole));
    return whole.reply();
  }

  private static VendorLine line(Dialect dialect) {
    return VendorLine.valueOf(dialect.name());
  }

  private static String text(Reply reply) {
    return String.join("", parts(reply, Part.Text.class).stream().map(Part.Text::text).toList());
  }

  private static <P extends Part> List<P> parts(Reply reply, Class<P> kind) {
    return reply.parts().stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}

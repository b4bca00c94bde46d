package dev.octroi.services.language.translation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The vendors' own wire forms, written by hand, and what becomes of them. The translated files are
 * written anew with {@code -Doctroi.write=true}, to be read before they are kept.
 */
class GoldenTranscriptsTest {

  private static final Target TARGET = new Target("upstream-model", 4_096, Set.of());

  static Stream<Arguments> saidBy() {
    return Stream.of(Dialect.values())
        .flatMap(
            dialect ->
                Stream.of("text", "tools", "thinking").map(theme -> Arguments.of(dialect, theme)));
  }

  static Stream<Arguments> translated() {
    return saidBy()
        .flatMap(
            said ->
                Stream.of(Dialect.values())
                    .filter(to -> to != said.get()[0])
                    .map(to -> Arguments.of(said.get()[0], to, said.get()[1])));
  }

  static Stream<Arguments> pairs() {
    return translated()
        .filter(all -> all.get()[2].equals("text"))
        .map(all -> Arguments.of(all.get()[0], all.get()[1]));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  @Tag("spec:language.translation.text")
  @Tag("spec:language.translation.usage")
  void aGreetingIsTheSameInEveryProtocol(Dialect dialect) {
    Reply reply = said(dialect, "text");

    assertThat(reply.parts()).containsExactly(Part.text("Hello, Zoë! 👋"));
    assertThat(reply.stop()).isEqualTo(StopReason.END_TURN);
    assertThat(reply.usage()).isEqualTo(new Usage(12, 6, 30, 0, 0));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  @Tag("spec:language.translation.parallel_tools")
  void twoCallsOfAToolAreTheSameInEveryProtocol(Dialect dialect) {
    Reply reply = said(dialect, "tools");

    assertThat(reply.parts())
        .containsExactly(
            Part.text("I look it up."),
            new Part.ToolUse("call_a", "weather", "{\"city\":\"Bern\"}", null),
            new Part.ToolUse("call_b", "weather", "{\"city\":\"Graz\"}", null));
    assertThat(reply.stop()).isEqualTo(StopReason.TOOL_USE);
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  @Tag("spec:language.translation.thinking")
  void thoughtsAreReadInEveryProtocol(Dialect dialect) {
    Reply reply = said(dialect, "thinking");

    assertThat(reply.parts()).hasSize(2);
    assertThat(((Part.Thinking) reply.parts().get(0)).text()).isEqualTo("Six times seven.");
    assertThat(reply.parts().get(1)).isEqualTo(Part.text("42"));
  }

  @ParameterizedTest
  @MethodSource("saidBy")
  @Tag("spec:language.translation.stream")
  void aStreamTellsWhatTheWholeAnswerTells(Dialect dialect, String theme) {
    List<Event> events = Transcripts.events(dialect, Transcripts.bytes(dialect, theme + ".sse"));

    assertThat(Transcripts.whole(events)).isEqualTo(said(dialect, theme));
    assertThat(events.get(events.size() - 1)).isEqualTo(new Event.Ended());
  }

  @ParameterizedTest
  @MethodSource("translated")
  void aWholeAnswerIsTranslatedAsInItsTranscript(Dialect from, Dialect to, String theme) {
    byte[] body =
        new Translation(to, from)
            .reply(Transcripts.bytes(from, theme + ".json"), Transcripts.asked(to), List.of())
            .body();

    String golden = Transcripts.golden(from, name(theme, to, ".json"), body);
    assertThat(new String(body, UTF_8)).isEqualTo(golden);
  }

  @ParameterizedTest
  @MethodSource("translated")
  void aStreamIsTranslatedAsInItsTranscript(Dialect from, Dialect to, String theme) {
    byte[] stream = translated(from, to, Transcripts.bytes(from, theme + ".sse"));

    String golden = Transcripts.golden(from, name(theme, to, ".sse"), stream);
    assertThat(new String(stream, UTF_8)).isEqualTo(golden);
    assertThat(Transcripts.whole(Transcripts.events(to, stream)).parts())
        .hasSameSizeAs(said(from, theme).parts());
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  @Tag("spec:language.translation.tool_results")
  @Tag("spec:language.translation.images")
  void theSameTalkIsTheSamePromptInEveryProtocol(Dialect dialect) {
    assertThat(prompt(dialect)).isEqualTo(prompt(Dialect.MESSAGES));
    assertThat(prompt(dialect).untranslatable()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aPromptIsTranslatedAsInItsTranscript(Dialect from, Dialect to) {
    byte[] body = new Translation(from, to).prompt(new byte[0], prompt(from), TARGET).body();

    String golden = Transcripts.golden(from, name("prompt", to, ".json"), body);
    assertThat(new String(body, UTF_8)).isEqualTo(golden);
  }

  @ParameterizedTest
  @MethodSource("saidBy")
  @Tag("spec:language.pass_through")
  void bytesPassUntouchedWhereBothSpeakTheSame(Dialect dialect, String theme) {
    byte[] stream = Transcripts.bytes(dialect, theme + ".sse");
    byte[] body = Transcripts.bytes(dialect, theme + ".json");

    assertThat(translated(dialect, dialect, stream)).isEqualTo(stream);
    assertThat(
            new Translation(dialect, dialect)
                .reply(body, Transcripts.asked(dialect), List.of())
                .body())
        .isSameAs(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "tools", "thinking"})
  void theCountThatOnlyTheGatewayAskedForIsKeptFromTheCaller(String theme) {
    String stream = Transcripts.text(Dialect.CHAT, theme + ".sse");
    byte[] body =
        Transcripts.text(Dialect.CHAT, "prompt.json")
            .replace("\"include_usage\": true", "\"include_usage\": false")
            .getBytes(UTF_8);
    List<Event> heard = new ArrayList<>();
    StreamTranslation translation =
        new Translation(Dialect.CHAT, Dialect.CHAT)
            .stream(
                new Asked(Protocols.of(Dialect.CHAT).readPrompt(body), "m", Transcripts.AT),
                List.of(),
                heard::add);

    String told = new String(fed(translation, stream.getBytes(UTF_8)), UTF_8);

    assertThat(told).doesNotContain("\"choices\":[]").endsWith("data: [DONE]\n\n");
    assertThat(heard).anyMatch(Event.Used.class::isInstance);
  }

  private static byte[] translated(Dialect from, Dialect to, byte[] stream) {
    return fed(
        new Translation(to, from).stream(Transcripts.asked(to), List.of(), event -> {}), stream);
  }

  private static byte[] fed(StreamTranslation translation, byte[] stream) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(translation.feed(stream, 0, stream.length));
    out.writeBytes(translation.end());
    return out.toByteArray();
  }

  private static Reply said(Dialect dialect, String theme) {
    return Protocols.of(dialect).readReply(Transcripts.bytes(dialect, theme + ".json"));
  }

  private static Prompt prompt(Dialect dialect) {
    return Protocols.of(dialect).readPrompt(Transcripts.bytes(dialect, "prompt.json"));
  }

  private static String name(String theme, Dialect to, String ending) {
    return theme + ".to-" + to.name().toLowerCase(Locale.ROOT) + ending;
  }
}

package dev.octroi.services.language.translation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.sse.SseParser;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class StreamTranslationTest {

  private final List<Event> heard = new ArrayList<>();

  static Stream<Arguments> pairs() {
    return Stream.of(Dialect.values())
        .flatMap(from -> Stream.of(Dialect.values()).map(to -> Arguments.of(from, to)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void whereTheBytesAreCutMakesNoDifference(Dialect from, Dialect to) {
    Random random = new Random(7);
    for (String theme : List.of("text", "tools", "thinking")) {
      byte[] bytes = Transcripts.bytes(from, theme + ".sse");
      String whole = fed(stream(from, to), bytes, bytes.length, random);

      for (int round = 0; round < 20; round++) {
        assertThat(fed(stream(from, to), bytes, 1 + random.nextInt(40), random)).isEqualTo(whole);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  @Tag("spec:language.stream.broken")
  void aStreamThatBreaksOffEndsWithTheCallersError(Dialect from, Dialect to) {
    String text = Transcripts.text(from, "text.sse");
    byte[] half = text.substring(0, text.indexOf("Zo")).getBytes(UTF_8);

    String told = fed(stream(from, to), half, half.length, new Random(1));

    assertThat(told).contains("Hello, ").endsWith("\n\n");
    assertThat(lastData(told)).containsPattern(errorMark(to)).contains("broke off");
    assertThat(heard.get(heard.size() - 1)).isInstanceOf(Event.Failed.class);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void afterAFailureNothingIsTold(Dialect from, Dialect to) {
    StreamTranslation stream = stream(from, to);
    byte[] bytes = Transcripts.bytes(from, "text.sse");
    stream.feed(bytes, 0, bytes.length / 2);

    byte[] told = stream.fail(Problem.of(502, "The upstream failed", "upstream_failed"));

    assertThat(new String(told, UTF_8)).contains("The upstream failed");
    assertThat(stream.isOver()).isTrue();
    assertThat(stream.feed(bytes, bytes.length / 2, bytes.length - bytes.length / 2)).isEmpty();
    assertThat(stream.end()).isEmpty();
    assertThat(stream.ping()).isEmpty();
    assertThat(stream.fail(Problem.of(502, "again", null))).isEmpty();
  }

  /** Two readers of it could take different ones. */
  @ParameterizedTest
  @MethodSource("pairs")
  void anEventThatSaysAMemberTwiceOrIsNoUtf8IsAFailure(Dialect from, Dialect to) {
    String text = Transcripts.text(from, "text.sse");
    int at = text.lastIndexOf("data: {", text.indexOf("Zo")) + "data: {".length();
    String twice = text.substring(0, at) + "\"x\":1,\"x\":2," + text.substring(at);
    for (byte[] bytes : List.of(text.getBytes(ISO_8859_1), twice.getBytes(UTF_8))) {
      String told = fed(stream(from, to), bytes, bytes.length, new Random(1));

      assertThat(told).contains("Hello, ").doesNotContain("Zo");
      assertThat(lastData(told)).containsPattern(errorMark(to)).contains("broke off");
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void anUpstreamsEventThatCannotBeReadIsAFailure(Dialect from, Dialect to) {
    byte[] rubbish = "event: message\ndata: {\"half\n\n".getBytes(UTF_8);

    String told = fed(stream(from, to), rubbish, rubbish.length, new Random(1));

    assertThat(told).doesNotContain("half").containsPattern(errorMark(to));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void anEventWithoutEndIsAFailure(Dialect to) {
    StreamTranslation stream = stream(Dialect.CHAT, to);
    byte[] endless = new byte[SseParser.DEFAULT_EVENT_BYTES + 1];

    byte[] told = stream.feed(endless, 0, endless.length);

    assertThat(new String(told, UTF_8)).containsPattern(errorMark(to));
    assertThat(stream.isOver()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  @Tag("spec:language.stream.ping")
  void aPingIsNothingToTheCallersReader(Dialect to) {
    byte[] ping = stream(Dialect.CHAT, to).ping();

    assertThat(ping).isNotEmpty();
    assertThat(Transcripts.events(to, ping))
        .allMatch(event -> event instanceof Event.Ping || event instanceof Event.Failed)
        .hasSizeLessThanOrEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theAccountsHearEveryEvent(Dialect from, Dialect to) {
    byte[] bytes = Transcripts.bytes(from, "tools.sse");

    fed(stream(from, to), bytes, bytes.length, new Random(1));

    assertThat(Transcripts.whole(heard))
        .isEqualTo(Protocols.of(from).readReply(Transcripts.bytes(from, "tools.json")));
  }

  private StreamTranslation stream(Dialect from, Dialect to) {
    heard.clear();
    return new Translation(to, from).stream(Transcripts.asked(to), List.of(), heard::add);
  }

  private static String fed(StreamTranslation stream, byte[] bytes, int most, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < bytes.length; ) {
      int length =
          Math.min(bytes.length - from, most == bytes.length ? most : 1 + random.nextInt(most));
      out.writeBytes(stream.feed(bytes, from, length));
      from += length;
    }
    out.writeBytes(stream.end());
    return out.toString(UTF_8);
  }

  private static String lastData(String told) {
    return told.substring(told.lastIndexOf("data: "));
  }

  private static String errorMark(Dialect dialect) {
    return switch (dialect) {
      case MESSAGES -> "\\{\"type\":\"error\",\"error\":\\{\"type\":\"api_error\"";
      case CHAT -> "\\{\"error\":\\{\"message\":";
      case RESPONSES -> "\\{\"type\":\"(response.failed|error)\"";
    };
  }
}

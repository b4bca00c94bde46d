package dev.octroi.services.language.sse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.language.sse.SseParser.SseFrame;
import dev.octroi.services.language.sse.SseParser.SseOverflow;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseParserTest {

  private static final String STREAM =
      "event: one\ndata: {\"a\":1}\n\n: a comment\n\ndata:no space\r\ndata:  two \r\n\r\n"
          + "id: 7\nretry: 10\nevent: grüezi\rdata: 👋\r\rdata\n\nevent: no data\n\n"
          + "data: last\n\n";

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void everyEndOfLineEndsALine(String end) {
    String stream = "event: a" + end + "data: 1" + end + "data: 2" + end + end;

    List<SseFrame> frames = fed(stream);

    assertThat(frames).hasSize(1);
    assertThat(frames.get(0).event()).isEqualTo("a");
    assertThat(frames.get(0).data()).isEqualTo("1\n2");
  }

  @Test
  void oneSpaceAfterTheColonIsNoPartOfTheValue() {
    assertThat(fed("data:a\n\ndata: a\n\ndata:  a\n\n"))
        .extracting(SseFrame::data)
        .containsExactly("a", "a", " a");
  }

  @Test
  void aLineWithoutColonIsAFieldWithoutValue() {
    assertThat(fed("data\ndata\n\n")).extracting(SseFrame::data).containsExactly("\n");
  }

  @Test
  void aByteOrderMarkAtTheStartIsSkipped() {
    assertThat(fed("\uFEFFdata: a\n\n")).extracting(SseFrame::data).containsExactly("a");
  }

  @Test
  void anEventWithoutDataIsNone() {
    assertThat(fed("event: a\n\ndata: b\n\n"))
        .extracting(frame -> frame.event() + frame.data())
        .containsExactly("b");
  }

  @Test
  void commentsAreFramesWithoutData() {
    assertThat(fed(": ping\n\n")).extracting(SseFrame::data).containsExactly("");
  }

  @Test
  void whatIsNotEndedByABlankLineIsNoEvent() {
    assertThat(fed("data: a\n\ndata: cut off\n")).hasSize(1);
  }

  @Test
  void anEventIsToldAtItsBlankLine() {
    SseParser parser = new SseParser();

    assertThat(parser.feed("data: a\r\n\r".getBytes(UTF_8))).hasSize(1);
    assertThat(parser.feed("\n".getBytes(UTF_8))).isEmpty();
  }

  @Test
  void anEventOverTheLimitIsRefused() {
    SseParser parser = new SseParser(64);
    parser.feed("data: short\n\ndata: short\n\ndata: short\n\ndata: short\n\n".getBytes(UTF_8));

    assertThatThrownBy(() -> parser.feed(("data: " + "x".repeat(64)).getBytes(UTF_8)))
        .isInstanceOf(SseOverflow.class);
  }

  @Test
  void whereTheBytesAreCutMakesNoDifference() {
    byte[] bytes = STREAM.getBytes(UTF_8);
    List<String> whole = told(List.of(bytes));
    Random random = new Random(42);

    for (int round = 0; round < 500; round++) {
      List<byte[]> cuts = cut(bytes, random);
      assertThat(told(cuts)).isEqualTo(whole);
      assertThat(raw(cuts)).isEqualTo(STREAM);
    }
  }

  private static List<byte[]> cut(byte[] bytes, Random random) {
    List<byte[]> cuts = new ArrayList<>();
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(9));
      cuts.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return cuts;
  }

  private static List<String> told(List<byte[]> cuts) {
    SseParser parser = new SseParser();
    return cuts.stream()
        .flatMap(cut -> parser.feed(cut).stream())
        .map(frame -> frame.event() + "|" + frame.data())
        .toList();
  }

  private static String raw(List<byte[]> cuts) {
    SseParser parser = new SseParser();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    cuts.stream()
        .flatMap(cut -> parser.feed(cut).stream())
        .forEach(frame -> out.writeBytes(frame.raw()));
    return out.toString(UTF_8);
  }

  private static List<SseFrame> fed(String stream) {
    return new SseParser().feed(stream.getBytes(UTF_8));
  }
}

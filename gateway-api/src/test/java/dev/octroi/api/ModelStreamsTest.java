package dev.octroi.api;

import static dev.octroi.api.ModelHost.CHAT;
import static dev.octroi.api.ModelHost.MESSAGES;
import static dev.octroi.api.ModelHost.RESPONSES;
import static dev.octroi.api.ModelWords.FIRST;
import static dev.octroi.api.ModelWords.FOURTH;
import static dev.octroi.api.ModelWords.SECOND;
import static dev.octroi.api.ModelWords.THIRD;
import static dev.octroi.api.ModelWords.begins;
import static dev.octroi.api.ModelWords.chunksEnd;
import static dev.octroi.api.ModelWords.ends;
import static dev.octroi.api.ModelWords.prompt;
import static dev.octroi.api.ModelWords.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.api.ModelVendor.Talk;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.client.PaidAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streamed answers of language models: how they leave, how they end, and what is charged then. */
class ModelStreamsTest {

  private static final String PING = "event: ping\ndata: {\"type\": \"ping\"}\n\n";
  private static final String ASKED = prompt("large-1.0", 1_000, "\"stream\":true");

  private static ModelHost host;

  private IssuedKey key;
  private Talk talk;

  @BeforeAll
  static void start() {
    host =
        new ModelHost(
            Map.of("gateway.language.pulse", "200ms", "gateway.language.first-byte", "700ms"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @BeforeEach
  void begin() {
    host.vendor().forget();
    key = host.key();
    talk = host.vendor().talks(FIRST);
  }

  private HttpResponse<InputStream> open(String path, String body) {
    HttpResponse<InputStream> answer = host.streamed(key, path, body);
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer;
  }

  /** Reads on until a text has come; a stream that ends before is a failure. */
  private static String until(InputStream in, String text) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int next = in.read();
      assertThat(next).as("the end after %s", read).isNotNegative();
      read.append((char) next);
    }
    return read.toString();
  }

  private static String rest(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  @Tag("spec:language.pass_through")
  @Tag("spec:event.message_start")
  @Tag("spec:event.content_block_start")
  @Tag("spec:event.content_block_delta")
  @Tag("spec:event.content_block_stop")
  @Tag("spec:event.message_delta")
  @Tag("spec:event.message_stop")
  @Tag("spec:money.7")
  void eachEventLeavesWhenItComesAndTheUsageIsChargedAtTheEnd() throws IOException {
    talk.say(begins(1_000)).say(says("one"));
    HttpResponse<InputStream> answer = open(MESSAGES, ASKED);
    InputStream in = answer.body();

    assertThat(until(in, "content_block_start\",").strip()).startsWith("event: message_start");
    assertThat(until(in, "one")).contains("event: content_block_delta");
    talk.say(says("two"));
    assertThat(until(in, "two")).doesNotContain("message_stop");
    assertThat(host.spent(key)).as("nothing is charged yet, the quote is reserved").isPositive();
    talk.say(ends(100)).end();
    assertThat(rest(in))
        .containsPattern("data: .*\"cost\":0.004500.*\n\nevent: message_stop\n")
        .endsWith("data: {\"type\":\"message_stop\"}\n\n");

    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(answer.headers().firstValue("X-Model")).hasValue("house/large-1.0");
    await().untilAsserted(() -> assertThat(host.spent(key)).isEqualTo(3_000 + 1_500));
  }

  @Test
  @Tag("spec:decision.streaming")
  void whoSignsForHimselfPaysTheQuoteOfAStream() {
    talk.say(begins(10)).say(says("one")).say(ends(1)).end();
    PaidAnswer answer = host.paid(MESSAGES, ASKED);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.receipt()).isNotNull();
    assertThat(answer.headers().firstValue("X-Price-Amount").orElse("")).startsWith("0.015");
    String price = answer.headers().firstValue("X-Price-Amount").orElseThrow();
    assertThat(GatewayHost.text(answer))
        .contains("one")
        .contains("\"cost\":" + price)
        .contains("message_stop");
  }

  @Test
  @Tag("spec:money.7")
  void whoSignsACeilingPaysWhatAStreamHasUsed() {
    talk.say(begins(1_000)).say(says("one")).say(ends(100)).end();

    HttpResponse<String> answer = host.upto(MESSAGES, ASKED);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"cost\":0.004500").contains("message_stop");
    assertThat(answer.headers().firstValue("X-Price-Amount").orElse("")).startsWith("0.015");
    await().untilAsserted(() -> assertThat(host.charged(answer)).isEqualTo(3_000 + 1_500));
  }

  @Test
  @Tag("spec:money.12")
  void aStreamThatEndsBeforeItsFirstContentIsNotChargedAndNothingOfItLeaves() {
    String first = begins(10);
    talk.say(first.substring(0, first.indexOf("event: content_block_start"))).end();
    for (String other : List.of(SECOND, THIRD)) {
      host.vendor().says(other, 500, "{}");
    }
    PaidAnswer answer = host.paid(MESSAGES, ASKED);

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.receipt()).isNull();
    assertThat(GatewayHost.text(answer)).doesNotContain("message_start");
  }

  /** All is told but words: an answer that is whole, with its usage. */
  @ParameterizedTest
  @ValueSource(strings = {"chat", "messages", "responses", "begun", "thinking"})
  @Tag("spec:money.12")
  void aStreamThatEndsWithoutContentIsNotChargedAndNothingOfItLeaves(String protocol) {
    String path = MESSAGES;
    String asked = ASKED;
    String said = begins(10) + ends(5);
    if (protocol.equals("messages")) {
      said = said.replaceAll("event: content_block_st(art|op)\n.*\n\n", "");
    }
    if (protocol.equals("thinking")) {
      said = said.replace("\"text\",\"text\":\"\"", "\"thinking\",\"thinking\":\"\"");
    }
    String vendor = FIRST;
    if (protocol.equals("chat")) {
      path = CHAT;
      vendor = SECOND;
      asked = prompt("other-1.0", 1_000, "\"stream\":true");
      said = chunksEnd(10, 5);
    }
    if (protocol.equals("responses")) {
      path = RESPONSES;
      vendor = FOURTH;
      asked = "{\"model\":\"items-1.0\",\"stream\":true,\"input\":\"Hello\"}";
      said =
          "data: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"model\":\"m\"}}\n\n"
              + "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"model\":\"m\","
              + "\"status\":\"completed\",\"output\":[],"
              + "\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}}\n\n";
    }
    for (String other : List.of(FIRST, SECOND, THIRD, FOURTH)) {
      host.vendor().says(other, 500, "{}");
    }
    Talk empty = host.vendor().talks(vendor);
    // the client sends the same payment again after a 502
    empty.say(said).end();
    empty.say(said).end();
    PaidAnswer answer = host.paid(path, asked);

    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(502);
    assertThat(answer.receipt()).isNull();
    assertThat(GatewayHost.text(answer)).contains("without content").doesNotContain("completed");
  }

  @Test
  @Tag("spec:money.12")
  void signsOfLifeWithoutEndAreNoContentAndNotChargedFor() {
    talk.say(PING.repeat(10_000)).end();
    for (String other : List.of(SECOND, THIRD)) {
      host.vendor().says(other, 500, "{}");
    }
    PaidAnswer answer = host.paid(MESSAGES, ASKED);

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.receipt()).isNull();
  }

  @Test
  @Tag("spec:language.stream.cancel")
  @Tag("spec:money.stream_cancel")
  @Tag("spec:money.7")
  void whoHangsUpBeforeTheUsageIsToldPaysForInputAndWhatWasDelivered() throws IOException {
    talk.say(begins(1_000)).say(says("Hello there"));
    try (InputStream in = open(MESSAGES, ASKED).body()) {
      until(in, "Hello there");
    }
    // The upstream is silent: signs of life find out that the caller has left.
    await()
        .untilAsserted(() -> assertThat(host.spent(key)).isBetween(3_000L + 15, 3_000L + 15 * 32));
    await()
        .untilAsserted(
            () -> {
              talk.say(PING);
              assertThat(talk.left()).isTrue();
            });
  }

  /** Some hosts tell a usage of nothing, or none at all, when they have told everything else. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\"usage\":{}", "\"usage\":{\"output_tokens\":0}"})
  @Tag("spec:money.7")
  void aStreamWhoseUsageCannotBeIsPaidForByWhatWasDelivered(String told) throws IOException {
    String end = ends(0).replaceFirst(",\"usage\":\\{[^{}]*}", told.isEmpty() ? "" : "," + told);
    talk.say(begins(1_000)).say(says("Hello there ".repeat(250))).say(end).end();
    assertThat(rest(open(MESSAGES, ASKED).body())).contains("message_stop");
    await().untilAsserted(() -> assertThat(host.spent(key)).isGreaterThan(3_000L + 5_000));
  }

  /**
   * Several answers, of which each is written with calls of its own, and the last is not awaited.
   */
  @Test
  @Tag("spec:money.7")
  void whoHangsUpPaysForEveryAnswerThatWasDelivered() throws IOException {
    String both =
        "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}},"
            + "{\"index\":1,\"delta\":{\"content\":\""
            + "word ".repeat(300)
            + "\"}}]}\n\n";
    host.vendor().talks(SECOND).say(both);
    try (InputStream in =
        open(CHAT, prompt("other-1.0", 2_000, "\"stream\":true,\"n\":2")).body()) {
      until(in, "word ");
    }
    await().untilAsserted(() -> assertThat(host.spent(key)).isBetween(15_000L, 30_000L));
  }

  /** What a model writes to a tool of the vendor's own is an answer like any other. */
  @ParameterizedTest
  @ValueSource(strings = {"chat", "messages", "responses"})
  @Tag("spec:money.7")
  void whoHangsUpPaysForWhatWasWrittenToAnyTool(String protocol) throws IOException {
    String words = "word ".repeat(1_000);
    String path = protocol.equals("chat") ? CHAT : MESSAGES;
    String asked =
        prompt(
            "other-1.0",
            8_000,
            "\"stream\":true,\"tools\":[{\"type\":\"custom\",\"custom\":{\"name\":\"t\"}}]");
    String begun =
        "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\","
            + "\"type\":\"custom\",\"custom\":{\"name\":\"t\",\"input\":\""
            + words
            + "\"}}]}}]}\n\n";
    String vendor = SECOND;
    if (protocol.equals("messages")) {
      asked = prompt("large-1.0", 8_000, "\"stream\":true");
      vendor = FIRST;
      begun =
          begins(10)
                  .replace(
                      "{\"type\":\"text\",\"text\":\"\"}",
                      "{\"type\":\"server_tool_use\",\"id\":\"a\",\"name\":\"code_execution\",\"input\":{}}")
              + says(words).replace("text_delta\",\"text\"", "input_json_delta\",\"partial_json\"");
    }
    if (protocol.equals("responses")) {
      path = RESPONSES;
      vendor = FOURTH;
      asked =
          "{\"model\":\"items-1.0\",\"stream\":true,\"max_output_tokens\":8000,\"input\":\"Hello\","
              + "\"tools\":[{\"type\":\"custom\",\"name\":\"t\"}]}";
      begun =
          "data: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"model\":\"m\"}}\n\n"
              + "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":"
              + "{\"type\":\"custom_tool_call\",\"id\":\"i\",\"call_id\":\"a\",\"name\":\"t\",\"input\":\"\"}}\n\n"
              + "data: {\"type\":\"response.custom_tool_call_input.delta\",\"output_index\":0,\"delta\":\""
              + words
              + "\"}\n\n";
    }
    host.vendor().talks(vendor).say(begun);
    try (InputStream in = open(path, asked).body()) {
      until(in, "word ");
    }
    // Less than the quote, which is reserved until then.
    await().untilAsserted(() -> assertThat(host.spent(key)).isBetween(45_000L, 79_000L));
  }

  @Test
  void aCallOfAnotherAnswerBreaksNoStream() throws IOException {
    String calls = "";
    for (String place : List.of("0 0", "0 1", "1 0", "1 1")) {
      calls +=
          "data: {\"id\":\"c\",\"choices\":[{\"index\":%s,\"delta\":{\"tool_calls\":[{\"index\":%s,"
                  .formatted(place.split(" ")[0], place.split(" ")[1])
              + "\"id\":\"call_"
              + place
              + "\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}\n\n";
    }
    String other =
        "data: {\"id\":\"c\",\"choices\":[{\"index\":1,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    host.vendor().talks(SECOND).say(calls).say(other).say(chunksEnd(10, 20)).end();
    String tools =
        "\"stream\":true,\"n\":2,\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]";

    assertThat(rest(open(CHAT, prompt("other-1.0", 100, tools)).body()))
        .contains("call_1 1")
        .doesNotContain("\"error\"")
        .endsWith("data: [DONE]\n\n");
  }

  @Test
  @Tag("spec:language.stream.broken")
  void aStreamThatBreaksOffEndsWithTheErrorEventOfTheCallersProtocol() throws IOException {
    talk.say(begins(10)).say(says("one")).end();
    assertThat(rest(open(MESSAGES, ASKED).body())).contains("one").contains("event: error");

    host.vendor().talks(FIRST).say(begins(10)).say(says("one")).end();
    assertThat(rest(open(CHAT, ASKED).body())).contains("one").contains("data: {\"error\"");
    await().untilAsserted(() -> assertThat(host.spent(key)).isEqualTo(2 * 1_000));
  }

  @Test
  @Tag("spec:language.stream.ping")
  void aSilentStreamGivesSignsOfLife() throws IOException {
    talk.say(begins(10)).say(says("one"));
    InputStream in = open(MESSAGES, ASKED).body();
    assertThat(until(in, "event: ping")).contains("message_start");
    talk.say(says("two")).say(ends(1)).end();
    assertThat(rest(in)).contains("two").contains("message_stop");
  }

  @Test
  @Tag("spec:language.fallback")
  void aModelThatDoesNotBeginInTimeGivesWayToTheNext() throws IOException {
    host.vendor()
        .talks(SECOND)
        .say(
            "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Good\"}}]}\n\n")
        .say(
            "data:"
                + " {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
        .say("data: [DONE]\n\n")
        .end();
    HttpResponse<InputStream> answer = open(MESSAGES, ASKED);

    assertThat(answer.headers().firstValue("X-Model")).hasValue("house/other-1.0");
    assertThat(rest(answer.body())).contains("Good").contains("message_stop");
    await().untilAsserted(() -> assertThat(host.spent(key)).isEqualTo(1_000));
    talk.end();
  }

  @Test
  @Tag("spec:language.fallback")
  void anErrorEventBeforeTheFirstContentLetsTheNextModelAnswer() throws IOException {
    talk.say("event: error\ndata: " + ModelWords.OVERLOADED + "\n\n").end();
    host.vendor()
        .talks(SECOND)
        .say(
            "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Good\"}}]}\n\n")
        .say("data: [DONE]\n\n")
        .end();

    assertThat(rest(open(MESSAGES, ASKED).body())).contains("Good").doesNotContain("Not now");
  }

  @Test
  @Tag("spec:language.stream.back_pressure")
  void whoReadsSlowlySlowsTheUpstream() throws IOException {
    int pieces = 1_024;
    String piece = says("x".repeat(64 << 10));
    talk.say(begins(10));
    for (int i = 0; i < pieces; i++) {
      talk.say(piece);
    }
    talk.say(ends(1)).end();
    InputStream in = open(MESSAGES, ASKED).body();

    long[] before = {-1};
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              long last = before[0];
              before[0] = talk.written();
              return last == before[0] && last > 0;
            });
    assertThat(talk.written()).isLessThan((long) pieces * piece.length());
    assertThat(rest(in)).endsWith("data: {\"type\":\"message_stop\"}\n\n");
  }
}

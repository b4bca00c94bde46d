package dev.octroi.sandbox.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import dev.octroi.sandbox.vendor.SandboxServer;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LanguageVendorTest {

  private static final String STREAM = "\"stream\":true";
  private static final String CITY =
      "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},"
          + "\"unit\":{\"enum\":[\"celsius\",\"fahrenheit\"]},\"days\":{\"type\":\"integer\","
          + "\"minimum\":2},\"notes\":{\"type\":\"string\"}},"
          + "\"required\":[\"city\",\"unit\",\"days\"]}";

  private static SandboxServer server;

  @BeforeAll
  static void start() {
    server = SandboxServer.start(0, LanguageVendor.all());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void theModelSaysWhatItIsTold(VendorLine line) throws Exception {
    String plain = answered(line, line.ask("Echo: Füße und 漢字 😀"));
    String streamed = answered(line, line.ask("Echo: Füße und 漢字 😀", STREAM));

    assertThat(line.text(plain)).isEqualTo("Füße und 漢字 😀");
    assertThat(line.text(streamed)).isEqualTo("Füße und 漢字 😀");
    assertThat(answered(line, line.ask("Echo: Füße und 漢字 😀"))).isEqualTo(plain);
    assertThat(line.text(answered(line, line.ask("count to 5")))).isEqualTo("1, 2, 3, 4, 5");
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void usageIsCountedInRealTokens(VendorLine line) throws Exception {
    String text = "emit 100 tokens";
    String plain = answered(line, line.ask(text));
    long read =
        Encodings.newLazyEncodingRegistry()
            .getEncoding(EncodingType.O200K_BASE)
            .countTokensOrdinary(text);

    assertThat(usage(plain, "output_tokens", "completion_tokens")).isEqualTo(100);
    assertThat(usage(plain, "input_tokens", "prompt_tokens")).isEqualTo(read + 4);
    String streamed = answered(line, line.ask(text, STREAM, includeUsage(line)));
    assertThat(usage(streamed, "output_tokens", "completion_tokens")).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void aNamedToolIsCalledWithArgumentsThatFitItsSchema(VendorLine line) throws Exception {
    String ask = "Call weather for 'Kassel' in fahrenheit over 3 days";
    String plain = answered(line, line.ask(ask, line.tools(CITY, "news", "weather")));
    String streamed = answered(line, line.ask(ask, line.tools(CITY, "news", "weather"), STREAM));

    assertThat(arguments(line, plain))
        .isEqualTo("{\"city\":\"Kassel\",\"unit\":\"fahrenheit\",\"days\":3}");
    assertThat(
            VendorLine.all(streamed, pieces(line)).stream()
                .filter(p -> !p.startsWith("{\"city\":\"Kassel\",")))
        .isNotEmpty();
    assertThat(plain).contains("\"weather\"").doesNotContain("\"id\":null");
    assertThat(reasons(plain)).containsAnyOf("tool_use", "tool_calls", "completed");
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void twoNamedToolsAreCalledAtOnceUnlessThatIsForbidden(VendorLine line) throws Exception {
    String tools = line.tools(CITY, "weather", "news");
    String one =
        line == VendorLine.MESSAGES
            ? "\"tool_choice\":{\"type\":\"auto\",\"disable_parallel_tool_use\":true}"
            : "\"parallel_tool_calls\":false";

    assertThat(calls(line, answered(line, line.ask("use weather and news", tools)))).hasSize(2);
    assertThat(calls(line, answered(line, line.ask("use weather and news", tools, one))))
        .hasSize(1);
    assertThat(calls(line, answered(line, line.ask("hello", tools)))).isEmpty();
    String forced =
        line == VendorLine.MESSAGES
            ? "\"tool_choice\":{\"type\":\"any\"}"
            : "\"tool_choice\":\"required\"";
    assertThat(calls(line, answered(line, line.ask("hello", tools, forced)))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void thinkingIsShownWhereItIsAskedFor(VendorLine line) throws Exception {
    String plain = answered(line, line.ask("echo: yes", line.thinking()));
    String streamed = answered(line, line.ask("echo: yes", line.thinking(), STREAM));

    assertThat(plain).contains("The request says: echo: yes");
    assertThat(line.text(plain)).endsWith("yes");
    assertThat(streamed)
        .containsAnyOf("thinking_delta", "reasoning_content", "reasoning_summary_text.delta");
    assertThat(answered(line, line.ask("echo: yes"))).doesNotContain("The request says");
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void anAnswerEndsWhereItsTokensDo(VendorLine line) throws Exception {
    String plain = answered(line, line.ask("emit 50 tokens", line.maxTokens(17)));

    assertThat(line.text(plain)).isEqualTo(" token".repeat(17));
    assertThat(reasons(plain)).containsAnyOf("max_tokens", "length", "incomplete");
  }

  @Test
  void anAnswerEndsAtAStopSequence() throws Exception {
    VendorLine line = VendorLine.MESSAGES;
    String plain = answered(line, line.ask("count to 9", "\"stop_sequences\":[\"x\",\", 4\"]"));

    assertThat(line.text(plain)).isEqualTo("1, 2, 3");
    assertThat(plain).contains("\"stop_sequence\":\", 4\"");
    String chat = answered(VendorLine.CHAT, VendorLine.CHAT.ask("count to 9", "\"stop\":\", 4\""));
    assertThat(VendorLine.CHAT.text(chat)).isEqualTo("1, 2, 3");
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void sourcesAreCitedByTheirNumbers(VendorLine line) throws Exception {
    String ask = "Sum up:\n[1] Octroi settles. It does more.\n[2] A toll is old";

    assertThat(line.text(answered(line, line.ask(ask))))
        .isEqualTo("Octroi settles [1]. A toll is old [2].");
  }

  @ParameterizedTest
  @CsvSource({
    "MESSAGES, overloaded, 529, overloaded_error",
    "MESSAGES, rate limit, 429, rate_limit_error",
    "MESSAGES, context length, 400, invalid_request_error",
    "CHAT, rate limit, 429, rate_limit_exceeded",
    "CHAT, content filter, 400, content_policy_violation",
    "RESPONSES, server error, 500, server_error",
    "RESPONSES, quota, 429, insufficient_quota"
  })
  void theModelFailsAsItIsTold(VendorLine line, String word, int status, String said)
      throws Exception {
    HttpResponse<String> answer = line.send(server, line.ask("please fail with " + word));

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("\"" + said + "\"").contains("\"error\":{");
    assertThat(answer.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 429);
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void aStreamFailsOrBreaksInTheMiddle(VendorLine line) throws Exception {
    String failed = answered(line, line.ask("emit 9 tokens, fail after 3 tokens", STREAM));

    assertThat(line.text(failed)).isEqualTo(" token".repeat(3));
    assertThat(
            VendorLine.events(failed).get(VendorLine.events(failed).size() - 1).findValue("error"))
        .isNotNull();
    assertThatThrownBy(
            () -> line.send(server, line.ask("emit 9 tokens, cut after 3 tokens", STREAM)))
        .isInstanceOf(UncheckedIOException.class);
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void aBadRequestIsRefusedInTheVendorsShape(VendorLine line) throws Exception {
    for (String body : List.of("[]", "{", "{\"model\":\"m\",\"max_tokens\":5}", "{}")) {
      HttpResponse<String> answer = line.send(server, body);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("\"invalid_request_error\"");
    }
  }

  @ParameterizedTest
  @EnumSource(VendorLine.class)
  void aLongStreamComesWhole(VendorLine line) throws Exception {
    assertThat(
            line.text(answered(line, line.ask("emit 4000 tokens", STREAM, line.maxTokens(5000)))))
        .isEqualTo(" token".repeat(4000));
  }

  @Test
  void aMarkedBlockIsReadFromTheCacheTheSecondTime() throws Exception {
    String body =
        VendorLine.MESSAGES.ask(
            "hi",
            "\"system\":[{\"type\":\"text\",\"text\":\"You are a toll. Be kind to travellers.\","
                + "\"cache_control\":{\"type\":\"ephemeral\"}}]");

    String first = answered(VendorLine.MESSAGES, body);
    String second = answered(VendorLine.MESSAGES, body);
    assertThat(usage(first, "cache_creation_input_tokens", "")).isPositive();
    assertThat(usage(second, "cache_read_input_tokens", ""))
        .isEqualTo(usage(first, "cache_creation_input_tokens", ""));
  }

  @Test
  void aBlockThatIsKeptForAnHourIsToldApart() throws Exception {
    String first =
        answered(
            VendorLine.MESSAGES,
            VendorLine.MESSAGES.ask(
                "hi",
                "\"system\":[{\"type\":\"text\",\"text\":\"You keep this for an hour.\","
                    + "\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}}]"));
    assertThat(usage(first, "ephemeral_1h_input_tokens", ""))
        .isPositive()
        .isEqualTo(usage(first, "cache_creation_input_tokens", ""));
    assertThat(usage(first, "ephemeral_5m_input_tokens", "")).isZero();
  }

  private static String answered(VendorLine line, String body) throws InterruptedException {
    HttpResponse<String> answer = line.send(server, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String includeUsage(VendorLine line) {
    return line == VendorLine.CHAT
        ? "\"stream_options\":{\"include_usage\":true}"
        : "\"metadata\":{}";
  }

  private static long usage(String body, String name, String other) {
    List<String> found = VendorLine.all(body, name);
    List<String> counts = found.isEmpty() ? VendorLine.all(body, other) : found;
    return Long.parseLong(counts.get(counts.size() - 1));
  }

  private static List<String> reasons(String body) {
    List<String> reasons = new ArrayList<>(VendorLine.all(body, "stop_reason"));
    reasons.addAll(VendorLine.all(body, "finish_reason"));
    reasons.addAll(VendorLine.all(body, "status"));
    return reasons;
  }

  private static List<JsonNode> calls(VendorLine line, String body) {
    JsonNode answer = VendorLine.events(body).get(0);
    return switch (line) {
      case MESSAGES -> answer.path("content").valueStream().filter(b -> b.has("input")).toList();
      case CHAT -> answer.at("/choices/0/message/tool_calls").valueStream().toList();
      case RESPONSES -> answer.path("output").valueStream().filter(i -> i.has("call_id")).toList();
    };
  }

  private static String arguments(VendorLine line, String body) {
    JsonNode call = calls(line, body).get(0);
    return switch (line) {
      case MESSAGES -> call.path("input").toString();
      case CHAT -> call.at("/function/arguments").asText();
      case RESPONSES -> call.path("arguments").asText();
    };
  }

  private static String pieces(VendorLine line) {
    return switch (line) {
      case MESSAGES -> "partial_json";
      case CHAT -> "arguments";
      case RESPONSES -> "delta";
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MESSAGES | 'colour':'red' | colour: Extra inputs are not permitted",
        "MESSAGES | 'temperature':1.5 | temperature: Input must be at most 1",
        "MESSAGES | 'tools':[{'name':'x'}] | tools.0.input_schema: Field required",
        "CHAT | 'colour':'red' | Unknown parameter: 'colour'.",
        "CHAT | 'tools':[{'type':'function','function':{}}] | 'tools[0].function.name'",
        "CHAT | 'stop':['1','2','3','4','5'] | Invalid 'stop': must be a list of at most 4",
        "RESPONSES | 'max_tokens':100 | Unknown parameter: 'max_tokens'.",
        "RESPONSES | 'store':'yes' | Invalid type for 'store'"
      })
  void whatTheContractDoesNotKnowIsRefusedInTheVendorsWords(
      VendorLine line, String member, String words) throws Exception {
    HttpResponse<String> refused = line.send(server, line.ask("hi", member.replace('\'', '"')));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("invalid_request_error").contains(words);
  }

  @ParameterizedTest
  @CsvSource({
    "gemini-3.1-pro-preview, 'store':true, store",
    "grok-4.3, 'stop':['x'], stop",
    "deepseek-chat, 'max_completion_tokens':5, max_completion_tokens",
    "glm-4.5-flash, 'tool_choice':'required', tool_choice",
    "glm-4.5-flash, 'reasoning_effort':'low', reasoning_effort"
  })
  void aCompatibleHostTakesLessThanTheProtocol(String model, String member, String refused)
      throws Exception {
    String messages = ",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]";
    String body = "{\"model\":\"" + model + "\"," + member.replace('\'', '"') + messages + "}";

    assertThat(VendorLine.CHAT.send(server, body).body()).contains("\"param\":\"" + refused);
  }

  @ParameterizedTest
  @CsvSource({"'temperature':0.5, temperature", "'top_k':3, top_k"})
  void aModelThatThinksAsItLikesTakesNoSampling(String member, String refused) throws Exception {
    String body =
        VendorLine.MESSAGES
            .ask("hi", member.replace('\'', '"'))
            .replace("\"m\"", "\"claude-opus-4-8\"");

    assertThat(VendorLine.MESSAGES.send(server, body).body())
        .contains(refused + ": Extra inputs are not permitted");
  }
}

package dev.octroi.api;

import static dev.octroi.api.ModelHost.CHAT;
import static dev.octroi.api.ModelHost.MESSAGES;
import static dev.octroi.api.ModelHost.RESPONSES;
import static dev.octroi.api.ModelHost.json;
import static dev.octroi.api.ModelWords.FIRST;
import static dev.octroi.api.ModelWords.FOURTH;
import static dev.octroi.api.ModelWords.SECOND;
import static dev.octroi.api.ModelWords.THIRD;
import static dev.octroi.api.ModelWords.begins;
import static dev.octroi.api.ModelWords.completion;
import static dev.octroi.api.ModelWords.completions;
import static dev.octroi.api.ModelWords.ends;
import static dev.octroi.api.ModelWords.message;
import static dev.octroi.api.ModelWords.prompt;
import static dev.octroi.api.ModelWords.response;
import static dev.octroi.api.ModelWords.says;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Features for which a vendor bills beside tokens, or which leave something with the vendor: they
 * are refused, also where the caller's bytes pass to the vendor, until the operator has priced
 * them.
 */
class VendorFeaturesTest {

  private static final long SEARCH_MICROS = 50_000;
  private static final String SEARCH =
      "\"tools\":[{\"type\":\"web_search_20250305\",\"name\":\"web_search\",\"max_uses\":1}]";

  /** The talk of {@link ModelWords#prompt}, in the place of which another one stands. */
  private static final String TALK = "\"messages\":\\[[^]]*\\],(?=.*\"messages\")";

  private static ModelHost host;

  @BeforeAll
  static void start() {
    host =
        new ModelHost(
            Map.of(
                "gateway.language.features.web_search", "0.05",
                "gateway.language.features.shell", "0.02",
                "gateway.language.features.advisor", "0.01",
                "gateway.language.features.web_fetch", "0",
                "gateway.language.features.service_tier", "0"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @BeforeEach
  void forget() {
    host.vendor().forget();
    host.vendor().says(FIRST, 200, message(10, 20));
    host.vendor().says(SECOND, 200, completions(10, 20));
    host.vendor().says(FOURTH, 200, response("Good day", 10, 20));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "messages|'tools':[{'type':'code_execution_20250825','name':'code_execution'}]|code_execution",
        "messages|'tools':[{'type':'bash_20250124','name':'bash'}]|bash",
        "messages|'mcp_servers':[{'type':'url','url':'https://a.example'}]|mcp_servers",
        "messages|'container':'c_1'|container",
        "messages|'inference_geo':'us'|inference_geo",
        "messages|'speed':'fast'|speed",
        "messages|'context_management':{'edits':[{'type':'compact_20260112'}]}|context_management",
        "messages|'system':[{'type':'container_upload','file_id':'f'}]|container_upload",
        "chat|'web_search_options':{'search_context_size':'low'}|web_search_options",
        "chat|'search_parameters':{'mode':'on'}|search_parameters",
        "chat|'modalities':['text','audio']|modalities",
        "chat|'audio':{'voice':'alloy'}|audio",
        "chat|'store':true|store",
        "chat|'some_new_member':1|some_new_member",
        "chat|'tools':[{'google_search':{}}]|google_search",
        "responses|'tools':[{'type':'code_interpreter','container':{'type':'auto'}}]|code_interpreter",
        "responses|'tools':[{'type':'image_generation'}]|image_generation",
        "responses|'tools':[{'type':'file_search','vector_store_ids':['v']}]|file_search",
        "responses|'tools':[{'type':'web_search_preview_2025_03_11'}]|web_search_preview",
        "responses|'tools':[{'type':'mcp','server_url':'https://a.example'}]|mcp",
      })
  void aFeatureWithoutAPriceIs400WithoutAChallengeAndNamesItself(
      String protocol, String member, String feature) {
    HttpResponse<String> answer = host.unpaid(path(protocol), body(protocol, member));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    assertThat(json(answer.body()).at("/error/message").asText())
        .contains(" " + feature + ",", "not sold here");
    assertThat(host.vendor().asked()).isEmpty();
  }

  /** The vendor's SDK reads it from these members, and goes on without a thread. */
  @Test
  void aThreadIsRefusedAsTheVendorRefusesIt() {
    String body = body("messages", "'thread':{'type':'create'}");

    HttpResponse<String> answer = host.unpaid(path("messages"), body);

    JsonNode details = json(answer.body()).at("/error/details");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(details.path("error_code").asText()).isEqualTo("thread_unsupported_request");
    assertThat(details.path("unsupported").get(0).asText()).isEqualTo("thread");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "messages|{'role':'user','content':[{'type':'document','source':{'type':'file','file_id':'f'}}]}",
        "messages|{'role':'user','content':[{'type':'image','source':{'type':'file','file_id':'f'}}]}",
        "chat|{'role':'user','content':[{'type':'file','file':{'file_id':'f'}}]}",
        "responses|{'role':'user','content':[{'type':'input_file','file_id':'f'}]}",
        "responses|{'role':'user','content':[{'type':'input_image','file_id':'f'}]}",
      })
  void aFileThatTheVendorKeepsIs400WithoutAChallenge(String protocol, String said) {
    String members =
        protocol.equals("responses") ? "'input':[%s]}" : "'max_tokens':10,'messages':[%s]}";
    String body =
        ("{'model':'" + model(protocol) + "'," + members).formatted(said).replace('\'', '"');
    HttpResponse<String> answer = host.unpaid(path(protocol), body);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer.body()).at("/error/message").asText()).contains(" file_id,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "messages|'service_tier':'standard_only'",
        "messages|'cache_control':{'type':'ephemeral'}",
        "messages|'metadata':{'user_id':'u'}",
        "chat|'n':2",
        "chat|'logprobs':true",
        "chat|'service_tier':'default'",
        "chat|'store':false",
        "chat|'web_search_options':null",
        "chat|'functions':[{'name':'f','parameters':{}}]",
      })
  void whatCostsTokensAtMostPassesAsItIs(String protocol, String member) {
    HttpResponse<String> answer = host.byKey(host.key(), path(protocol), body(protocol, member));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(host.vendor().asked()).hasSize(1);
    assertThat(host.vendor().asked().get(0).body()).contains(member.replace('\'', '"'));
  }

  /** 30,000 bytes that the vendor reads and bills, wherever in the body they stand. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "chat|'response_format':{'type':'json_schema','json_schema':{'name':'n','schema':{},'description':'%s'}}",
        "chat|'messages':[{'role':'assistant','content':'a','reasoning_details':[{'text':'b'}],'reasoning_content':'%s'}]",
        "chat|'messages':[{'role':'assistant','content':'a','reasoning':'%s'}]",
        "responses|'text':{'format':{'type':'json_schema','name':'n','schema':{},'description':'%s'}}",
      })
  void whatTheModelReadsBesideTheTalkIsQuoted(String protocol, String member) {
    String without = body(protocol, member.formatted("")).replaceFirst(TALK, "");
    String with = body(protocol, member.formatted("x ".repeat(15_000))).replaceFirst(TALK, "");

    assertThat(quote(path(protocol), with) - quote(path(protocol), without))
        .isGreaterThanOrEqualTo(2 * 30_000);
  }

  @Test
  void theNamesOfThoseWhoSpeakAreQuoted() {
    String said = "{'role':'user','content':'a'},".repeat(500).replace('\'', '"');
    String named = said.replace("\"user\"", "\"user\",\"name\":\"" + "n".repeat(60) + "\"");
    String body = prompt("other-1.0", 100);

    assertThat(
            quote(CHAT, body.replace("[", "[" + named))
                - quote(CHAT, body.replace("[", "[" + said)))
        .isGreaterThanOrEqualTo(2 * 500 * 60);
  }

  /** To price a body is work, and a header that is no good payment pays for none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "other-1.0|x",
        "other-1.0|{}",
        "no-such-model|{'x402Version':2,'scheme':'exact','network':'eip155:8453','payload':{}}",
      })
  @Tag("spec:limit.unpaid")
  void aHeaderThatIsNoPaymentIsNoWayAroundTheLimits(String model, String header) {
    byte[] envelope = header.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    String payment = header.startsWith("{") ? Base64.getEncoder().encodeToString(envelope) : header;
    try (ModelHost busy = new ModelHost(Map.of("gateway.limits.unpaid-per-minute", "3"))) {
      for (int i = 0; i < 3; i++) {
        assertThat(claiming(busy, model, payment)).isEqualTo(400);
      }
      assertThat(claiming(busy, model, payment)).isEqualTo(429);
    }
  }

  @Test
  @Tag("spec:limit.unpaid")
  void whatIsFreeCountsAsUnpaidWhateverPaymentComesWithIt() {
    String payment =
        Base64.getEncoder()
            .encodeToString(
                "{\"x402Version\":2,\"scheme\":\"exact\",\"network\":\"eip155:8453\",\"payload\":{}}"
                    .getBytes(StandardCharsets.UTF_8));
    try (ModelHost busy = new ModelHost(Map.of("gateway.limits.unpaid-per-minute", "3"))) {
      busy.vendor().says(THIRD, 200, completion(10, 20));
      for (int i = 0; i < 3; i++) {
        assertThat(claiming(busy, "gift-1.0", payment)).isEqualTo(200);
      }
      assertThat(claiming(busy, "gift-1.0", payment)).isEqualTo(429);
    }
  }

  @Test
  void whatIsFreeCountsAmongTheCallsOfItsKey() {
    try (ModelHost busy = new ModelHost(Map.of("gateway.limits.other-requests-per-minute", "3"))) {
      busy.vendor().says(THIRD, 200, completion(10, 20));
      IssuedKey key = busy.key();
      for (int i = 0; i < 3; i++) {
        assertThat(busy.byKey(key, CHAT, prompt("gift-1.0", 10)).statusCode()).isEqualTo(200);
      }
      assertThat(busy.byKey(key, CHAT, prompt("gift-1.0", 10)).statusCode()).isEqualTo(429);
    }
  }

  private static int claiming(ModelHost asked, String model, String payment) {
    return asked
        .http()
        .send(asked.to(CHAT, prompt(model, 10)).header("PAYMENT-SIGNATURE", payment).build())
        .statusCode();
  }

  @Test
  void aPricedFeatureEntersTheQuoteAndTheCharge() {
    long plain = quote(prompt("large-1.0", 1_000));
    long searching = quote(prompt("large-1.0", 1_000, SEARCH));
    IssuedKey key = host.key();
    host.vendor().says(FIRST, 200, counted(message(10, 20), 1));
    HttpResponse<String> answer = host.byKey(key, MESSAGES, prompt("large-1.0", 1_000, SEARCH));

    assertThat(searching - plain).isGreaterThan(SEARCH_MICROS);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(host.vendor().asked().get(0).body()).contains(SEARCH);
    assertThat(host.spent(key)).isEqualTo(SEARCH_MICROS + 1_000);
    assertThat(answer.headers().firstValue("X-Price-Amount")).hasValue("0.051000");
  }

  @Test
  void aFeatureThatStandsTwiceCostsTwice() {
    String twice = SEARCH.replace("]", ",{\"type\":\"web_search\",\"name\":\"b\",\"max_uses\":1}]");
    host.vendor().says(FIRST, 200, counted(message(10, 20), 2));
    IssuedKey key = host.key();
    host.byKey(key, MESSAGES, prompt("large-1.0", 1_000, twice));

    assertThat(host.spent(key)).isEqualTo(2 * SEARCH_MICROS + 1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "messages|'tools':[{'type':'web_search_20250305','name':'web_search'}]|tools[0].max_uses",
        "messages|'tools':[{'type':'web_search_20250305','name':'s','max_uses':null}]|tools[0].max_uses",
        "messages|'tools':[{'type':'web_search','name':'s'}]|tools[0].max_uses",
        "messages|'tools':[{'type':'web_search_20250305','name':'s','max_uses':0}]|tools[0].max_uses",
        "messages|'tools':[{'type':'web_search_20250305','name':'s','max_uses':1001}]|tools[0].max_uses",
        "responses|'tools':[{'type':'web_search'}]|max_tool_calls",
        "responses|'tools':[{'type':'web_search'}],'max_tool_calls':1000000000|max_tool_calls",
      })
  void aFeatureThatIsSoldByUseSaysHowManyUsesAtMost(
      String protocol, String member, String missing) {
    HttpResponse<String> answer = host.unpaid(path(protocol), body(protocol, member));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer.body()).at("/error/message").asText()).startsWith(missing + " ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "messages|'tools':[{'type':'web_fetch_20250910','name':'f'}]|0",
        "messages|'tools':[{'type':'advisor_20260301','name':'a','max_uses':3}]|30000",
        "messages|'tools':[{'type':'advisor_20260301','name':'a','max_uses':3},{'type':'advisor_20260301','name':'b','max_uses':2}]|50000",
        "chat|'tools':[{'web_search':{}}]|50000",
        "responses|'tools':[{'type':'web_search'}],'max_tool_calls':3|150000",
        "responses|'tools':[{'type':'shell'},{'type':'web_search'}],'max_tool_calls':3|150000",
      })
  void everyUseThatTheVendorMayBillIsQuotedAndPaidWhereTheVendorCountsNone(
      String protocol, String member, long micros) {
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, path(protocol), body(protocol, member));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(host.spent(key)).isEqualTo(micros + 1_000);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "2, 100000", "3, 150000", "9, 150000", "-1, 0"})
  void searchesArePaidAsTheVendorCountsThemAndNeverAboveTheQuote(int made, long micros) {
    String answer = counted(message(10, 20), made);
    String streamed = begins(10) + says("Good day") + counted(ends(20), made);
    String prompt = prompt("large-1.0", 1_000, SEARCH.replace("\"max_uses\":1", "\"max_uses\":3"));

    host.vendor().says(FIRST, 200, answer);
    IssuedKey whole = host.key();
    host.byKey(whole, MESSAGES, prompt);
    assertThat(host.spent(whole)).isEqualTo(micros + 1_000);
    host.vendor().talks(FIRST).say(streamed).end();
    IssuedKey events = host.key();
    host.byKey(events, MESSAGES, prompt.replace("{\"model", "{\"stream\":true,\"model"));
    assertThat(host.spent(events)).isEqualTo(micros + 1_000);
  }

  @Test
  void searchesThatTheUsageDoesNotCountArePaidAsTheAnswerShowsThem() {
    String search =
        "{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"web_search\",\"input\":{}}";
    String prompt = prompt("large-1.0", 1_000, SEARCH.replace("\"max_uses\":1", "\"max_uses\":3"));
    host.vendor()
        .says(FIRST, 200, message(10, 20).replace("\"content\":[", "\"content\":[" + search + ","));
    IssuedKey whole = host.key();
    host.byKey(whole, MESSAGES, prompt);
    assertThat(host.spent(whole)).isEqualTo(SEARCH_MICROS + 1_000);

    String shown = begins(10).replace("{\"type\":\"text\",\"text\":\"\"}", search);
    host.vendor().talks(FIRST).say(shown).say(ends(20)).end();
    IssuedKey events = host.key();
    host.byKey(events, MESSAGES, prompt.replace("{\"model", "{\"stream\":true,\"model"));
    assertThat(host.spent(events)).isEqualTo(SEARCH_MICROS + 1_000);

    host.vendor().talks(FIRST).say(begins(10)).say(says("Good")).end();
    IssuedKey broken = host.key();
    host.byKey(broken, MESSAGES, prompt.replace("{\"model", "{\"stream\":true,\"model"));
    assertThat(host.spent(broken)).isEqualTo(3 * SEARCH_MICROS + 1_000);
  }

  @Test
  void aFeatureThatAVendorFailsToServeCostsNothing() {
    host.vendor().says(FIRST, 529, ModelWords.OVERLOADED);
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, MESSAGES, prompt("large-1.0", 1_000, SEARCH));

    assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
    assertThat(host.spent(key)).isZero();
  }

  /** The answer of a vendor that counts its searches. */
  private static String counted(String answer, int searches) {
    assertThat(answer).contains("\"output_tokens\":20}");
    return answer.replace(
        "\"output_tokens\":20}",
        "\"output_tokens\":20,\"server_tool_use\":{\"web_search_requests\":" + searches + "}}");
  }

  private static String path(String protocol) {
    return switch (protocol) {
      case "messages" -> MESSAGES;
      case "chat" -> CHAT;
      default -> RESPONSES;
    };
  }

  private static String model(String protocol) {
    return protocol.equals("messages") ? "large-1.0" : "other-1.0";
  }

  private static String body(String protocol, String member) {
    String json = member.replace('\'', '"');
    return protocol.equals("responses")
        ? "{\"model\":\"items-1.0\",\"input\":\"Hello\"," + json + "}"
        : prompt(model(protocol), 100, json);
  }

  private static long quote(String body) {
    return quote(MESSAGES, body);
  }

  private static long quote(String path, String body) {
    HttpResponse<String> challenge = host.unpaid(path, body);
    assertThat(challenge.statusCode()).as(challenge.body()).isEqualTo(402);
    String header = challenge.headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
    return Long.parseLong(PaymentRequired.read(header).accepts().get(0).amount());
  }
}

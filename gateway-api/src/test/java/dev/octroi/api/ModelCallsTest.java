package dev.octroi.api;

import static dev.octroi.api.ModelHost.CHAT;
import static dev.octroi.api.ModelHost.MESSAGES;
import static dev.octroi.api.ModelHost.RESPONSES;
import static dev.octroi.api.ModelHost.json;
import static dev.octroi.api.ModelWords.FIRST;
import static dev.octroi.api.ModelWords.FOURTH;
import static dev.octroi.api.ModelWords.SECOND;
import static dev.octroi.api.ModelWords.THIRD;
import static dev.octroi.api.ModelWords.completion;
import static dev.octroi.api.ModelWords.message;
import static dev.octroi.api.ModelWords.prompt;
import static dev.octroi.api.ModelWords.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of language models over HTTP: what is refused, what is asked, what is charged. */
class ModelCallsTest {

  /** Of a call with 1,000 tokens of output at 15 dollars a million, without its input. */
  private static final long OUTPUT_MICROS = 15_000;

  private static ModelHost host;

  @BeforeAll
  static void start() {
    host = new ModelHost(Map.of("gateway.limits.json-body", "1MiB"));
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @BeforeEach
  void forget() {
    host.vendor().forget();
    host.vendor().says(FIRST, 200, message(10, 20));
    host.vendor().says(SECOND, 200, completion(10, 20));
    host.vendor().says(THIRD, 200, completion(10, 20));
  }

  private static long quote(String path, String body) {
    HttpResponse<String> challenge = host.unpaid(path, body);
    assertThat(challenge.statusCode()).as(challenge.body()).isEqualTo(402);
    String header = challenge.headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
    return Long.parseLong(PaymentRequired.read(header).accepts().get(0).amount());
  }

  @Test
  @Tag("spec:versioning.2")
  void messagesWithoutTheVersionHeaderAre400InTheVendorsShapeAndNotCharged() {
    PaidAnswer answer =
        host.paid(
            host.http()
                .request(MESSAGES)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(prompt("large-1.0", 100)))
                .build());

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.receipt()).isNull();
    JsonNode body = json(GatewayHost.text(answer));
    assertThat(body.path("type").asText()).isEqualTo("error");
    assertThat(body.path("error").path("type").asText()).isEqualTo("invalid_request_error");
    assertThat(body.path("error").path("message").asText()).contains("anthropic-version");
    assertThat(host.vendor().asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nothing", "house/nothing", "large-1.0-20250101", "retired-1.0", "auto", "best"})
  @Tag("spec:error.messages.unknown_model")
  @Tag("spec:error.chat.unknown_model")
  @Tag("spec:language.catalogue.retired")
  @Tag("spec:versioning.3")
  void aModelThatIsNotSoldIs400WithoutAChallenge(String model) {
    for (String path : new String[] {MESSAGES, CHAT}) {
      HttpResponse<String> answer = host.unpaid(path, prompt(model, 100));
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
      assertThat(json(answer.body()).at("/error/code").asText()).isEqualTo("model_not_found");
      assertThat(json(answer.body()).path("type").asText(""))
          .isEqualTo(path.equals(MESSAGES) ? "error" : "");
    }
  }

  @Test
  @Tag("spec:error.chat.context")
  void aPromptThatSurelyExceedsTheWindowIs400WithoutAChallenge() {
    String body = prompt("small-1.0", 50).replace("Hello", "many words ".repeat(20_000));
    HttpResponse<String> answer = host.unpaid(CHAT, body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer.body()).at("/error/code").asText()).isEqualTo("context_length_exceeded");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"store\":true",
        "\"previous_response_id\":\"resp_1\"",
        "\"background\":true",
        "\"conversation\":\"conv_1\""
      })
  @Tag("spec:request.responses.stateless")
  void whatWouldHaveToBeKeptIs400WithoutAChallenge(String member) {
    String body = "{\"model\":\"other-1.0\",\"input\":\"Hello\"," + member + "}";
    HttpResponse<String> answer = host.unpaid(RESPONSES, body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer.body()).at("/error/type").asText()).isEqualTo("invalid_request_error");
  }

  /** An answer that is whole, with its usage, in which nothing is said. */
  @ParameterizedTest
  @ValueSource(strings = {"chat", "messages", "responses", "nothing"})
  @Tag("spec:money.7")
  void anAnswerWithoutContentIs502AndNotCharged(String protocol) {
    String path = CHAT;
    String asked = prompt("compatible-1.0", 100);
    host.vendor().says(SECOND, 200, completion(10, 20).replace("Good day", ""));
    if (protocol.equals("nothing")) {
      host.vendor().says(SECOND, 200, completion(10, 20).replace("\"Good day\"", "null"));
    }
    if (protocol.equals("messages")) {
      path = MESSAGES;
      asked = prompt("adaptive-1.0", 100);
      host.vendor()
          .says(
              FIRST, 200, message(10, 20).replaceFirst("\"content\":\\[[^]]*]", "\"content\":[]"));
    }
    if (protocol.equals("responses")) {
      path = RESPONSES;
      asked = "{\"model\":\"items-1.0\",\"input\":\"Hello\"}";
      host.vendor().says(FOURTH, 200, response("", 10, 20));
    }
    PaidAnswer answer = host.paid(path, asked);

    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(502);
    assertThat(answer.receipt()).isNull();
    assertThat(GatewayHost.text(answer)).contains("without content");
  }

  @Test
  @Tag("spec:money.7")
  void severalAnswersWithoutUsageArePaidForByWhatStandsInAll() {
    String other =
        ",{\"index\":1,\"message\":{\"role\":\"assistant\",\"content\":\""
            + "word ".repeat(400)
            + "\"},\"finish_reason\":\"stop\"}],";
    host.vendor()
        .says(SECOND, 200, completion(0, 0).replaceFirst("],\"usage\":.*", other + "\"x\":0}"));
    IssuedKey key = host.key();

    HttpResponse<String> answer = host.byKey(key, CHAT, prompt("other-1.0", 2_000, "\"n\":2"));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("Good day").contains("word word");
    assertThat(host.spent(key)).isGreaterThan(4_000);
  }

  /** Each of the answers that were ordered is part of the price, by signature and by key. */
  @Test
  @Tag("spec:money.7")
  void fewerAnswersThanOrderedAre502AndNotCharged() {
    host.vendor().says(SECOND, 200, completion(10, 20));
    host.vendor().says(THIRD, 500, "{}");
    String asked = prompt("compatible-1.0", 100, "\"n\":3");
    IssuedKey key = host.key();

    PaidAnswer signed = host.paid(CHAT, asked);
    HttpResponse<String> byKey = host.byKey(key, CHAT, asked);

    assertThat(signed.status()).as(GatewayHost.text(signed)).isEqualTo(502);
    assertThat(signed.receipt()).isNull();
    assertThat(byKey.statusCode()).as(byKey.body()).isEqualTo(502);
    assertThat(host.spent(key)).isZero();
  }

  /** Each of several answers has to say something, or to end where the caller wanted its end. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'content':''                                         | stop          | 502",
        "'content':null                                       | stop          | 502",
        "'content':null,'tool_calls':[]                       | tool_calls    | 502",
        "'content':'','reasoning_content':''                  | content_filter| 502",
        "'content':''                                         | length        | 200",
        "'content':null,'refusal':'No.'                       | stop          | 200",
        "'content':null,'function_call':{'name':'f'}          | function_call | 200",
        "'content':null,'tool_calls':[{'function':{'name':'f'}}]| tool_calls  | 200"
      })
  @Tag("spec:money.7")
  void anEmptyAnswerAmongSeveralIs502AndNotCharged(String message, String finish, int status) {
    String empty =
        "\"choices\":[{\"index\":1,\"message\":{\"role\":\"assistant\","
            + message.replace('\'', '"')
            + "},\"finish_reason\":\""
            + finish
            + "\"},";
    for (boolean first : new boolean[] {true, false}) {
      String said = completion(10, 20).replace("\"choices\":[", empty);
      if (!first) {
        String last = empty.substring("\"choices\":[".length(), empty.length() - 1);
        said = completion(10, 20).replace("],\"usage\"", "," + last + "],\"usage\"");
      }
      host.vendor().says(SECOND, 200, said);
      host.vendor().says(THIRD, 500, "{}");
      String asked = prompt("compatible-1.0", 100, "\"n\":2");
      IssuedKey key = host.key();

      PaidAnswer signed = host.paid(CHAT, asked);
      HttpResponse<String> byKey = host.byKey(key, CHAT, asked);

      assertThat(signed.status()).as(GatewayHost.text(signed)).isEqualTo(status);
      assertThat(byKey.statusCode()).as(byKey.body()).isEqualTo(status);
      assertThat(signed.receipt() == null).isEqualTo(status == 502);
      assertThat(host.spent(key) == 0).isEqualTo(status == 502);
    }
  }

  /** Each vendor's SDK reads the id of a request from a header of its own. */
  @ParameterizedTest
  @ValueSource(strings = {MESSAGES, CHAT, "/v1/models"})
  void anAnswerNamesItsRequestAsBothVendorsSdksReadIt(String path) {
    HttpResponse<String> answer =
        path.equals("/v1/models")
            ? host.http().get(path)
            : host.unpaid(path, prompt("no-such-model", 10));

    String id = answer.headers().firstValue("X-Request-Id").orElseThrow();
    assertThat(answer.headers().firstValue("Request-Id")).hasValue(id);
  }

  @Test
  @Tag("spec:error.price_unavailable")
  void aModelWithoutAPriceIs503WithoutAChallenge() {
    HttpResponse<String> answer = host.unpaid(MESSAGES, prompt("unpriced-1.0", 100));

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(json(answer.body()).at("/error/code").asText()).isEqualTo("price_unavailable");
    assertThat(json(answer.body()).path("type").asText()).isEqualTo("error");
  }

  @Test
  @Tag("spec:price.messages")
  void whoSignsForHimselfIsChargedTheQuoteOfTheChallenge() {
    String body = prompt("house/large-1.0", 1_000);
    long quote = quote(MESSAGES, body);
    PaidAnswer answer = host.paid(MESSAGES, body);

    assertThat(quote).isBetween(OUTPUT_MICROS, OUTPUT_MICROS + 3 * 200);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Price-Amount")).hasValue(dollars(quote));
    assertThat(answer.headers().firstValue("X-Model")).hasValue("house/large-1.0");
    assertThat(json(GatewayHost.text(answer)).at("/price/amount").asText())
        .isEqualTo(dollars(quote));
    assertThat(GatewayHost.text(answer)).contains("\"cost\":" + dollars(quote));
  }

  @ParameterizedTest
  @CsvSource({"100, 600, 9300", "1, 1, 1000", "9999999, 9999999, -1"})
  @Tag("spec:money.7")
  void aKeyIsChargedTheUsageAtMostTheQuoteAndAtLeastATenthOfACent(int in, int out, long micros) {
    host.vendor().says(FIRST, 200, message(in, out));
    String body = prompt("large-1.0", 1_000);
    long charged = micros < 0 ? quote(MESSAGES, body) : micros;
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, MESSAGES, body);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Price-Amount")).hasValue(dollars(charged));
    assertThat(json(answer.body()).at("/price/amount").asText()).isEqualTo(dollars(charged));
    assertThat(answer.body()).contains("\"cost\":" + dollars(charged));
    assertThat(host.spent(key)).isEqualTo(charged);
  }

  /** An answer of 4,000 characters, whose usage the vendor tells as it likes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "\"none\"",
        "{\"IN\":0,\"OUT\":0}",
        "{\"IN\":-10,\"OUT\":-600,\"total_tokens\":-610}",
        "{\"IN\":1e400,\"OUT\":1e400}",
        "{\"IN\":\"ten\",\"OUT\":\"many\"}",
        "{\"IN\":10,\"OUT\":1}"
      })
  @Tag("spec:money.7")
  void aKeyPaysForWhatWasWrittenWhereTheVendorTellsNoUsageThatCanBe(String told) {
    String written = "Good day ".repeat(440);
    String usage = "\\{[^{}]*}}$";
    host.vendor()
        .says(
            FIRST,
            200,
            message(1, 1)
                .replace("Good day", written)
                .replaceFirst(
                    usage,
                    told.replace("IN", "input_tokens").replace("OUT", "output_tokens") + "}"));
    host.vendor()
        .says(
            SECOND,
            200,
            completion(1, 1)
                .replace("Good day", written)
                .replaceFirst(
                    usage,
                    told.replace("IN", "prompt_tokens").replace("OUT", "completion_tokens") + "}"));
    host.vendor()
        .says(
            FOURTH,
            200,
            response(written, 1, 1)
                .replaceFirst(
                    usage,
                    told.replace("IN", "input_tokens").replace("OUT", "output_tokens") + "}"));
    for (String model : new String[] {"large-1.0", "other-1.0", "items-1.0"}) {
      IssuedKey key = host.key();
      String body = prompt(model, 1_000);
      String path = model.equals("large-1.0") ? MESSAGES : CHAT;
      HttpResponse<String> answer = host.byKey(key, path, body);

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(host.spent(key)).as(model).isGreaterThan(5_000);
    }
  }

  /** Vendors that resell models tell the seller its own cost in the same member. */
  @Test
  void theUsageTellsTheCallersCostAndNotTheSellers() {
    String paid = "\"usage\":{\"cost\":0.0000123,\"cost_details\":{\"upstream_inference_cost\":1},";
    host.vendor().says(SECOND, 200, completion(100, 600).replace("\"usage\":{", paid));
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, CHAT, prompt("other-1.0", 1_000));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode usage = json(answer.body()).path("usage");
    assertThat(usage.path("cost").decimalValue()).isEqualByComparingTo(dollars(host.spent(key)));
    assertThat(usage.has("cost_details")).isFalse();
    assertThat(usage.path("completion_tokens").asInt()).isEqualTo(600);
  }

  @Test
  void severalChoicesAreQuotedSeveralTimes() {
    long one = quote(CHAT, prompt("other-1.0", 1_000));
    long three = quote(CHAT, prompt("other-1.0", 1_000, "\"n\":3"));

    assertThat(three - one).isEqualTo(2 * 10_000);
  }

  @Test
  @Tag("spec:language.routes")
  void aFreeModelAnswersWithoutAChallenge() {
    for (String model : new String[] {"gift-1.0", "auto/free"}) {
      HttpResponse<String> answer = host.unpaid(CHAT, prompt(model, 100));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(json(answer.body()).at("/choices/0/message/content").asText())
          .isEqualTo("Good day");
      assertThat(answer.headers().firstValue("X-Model")).hasValue("house/gift-1.0");
      assertThat(json(answer.body()).at("/usage/cost").asInt(-1)).isZero();
    }
  }

  /** Some vendors say 400 where the seller's account is empty or its key is no good. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          large-1.0 | {"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}
          dear-1.0  | [{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]
          other-1.0 | {"error":{"message":"Billing hard limit has been reached","code":"billing_hard_limit_reached"}}
          """)
  void whatIsWrongWithTheSellersAccountIsNoFaultOfThePrompt(String model, String said) {
    host.vendor().says(FIRST, 400, said);
    host.vendor().says(SECOND, 400, said);
    host.vendor().says(THIRD, 500, "{}");
    PaidAnswer answer = host.paid(CHAT, prompt(model, 100));

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.receipt()).isNull();
    assertThat(GatewayHost.text(answer)).doesNotContainIgnoringCase("balance", "key", "billing");
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503, 529})
  @Tag("spec:language.fallback")
  void anotherModelThatIsNoDearerTakesThePlaceOfOneThatFails(int status) {
    host.vendor().says(FIRST, status, ModelWords.OVERLOADED);
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, MESSAGES, prompt("large-1.0", 1_000));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Model")).hasValue("house/other-1.0");
    assertThat(host.vendor().asked())
        .extracting(ModelVendor.Asked::path)
        .containsExactly(FIRST, SECOND);
    assertThat(host.vendor().asked().get(1).body()).contains("other-1.0").doesNotContain("dear");
    assertThat(host.spent(key)).isEqualTo(1_000);
  }

  @Test
  @Tag("spec:language.fallback")
  void aFreeModelThatTakesThePlaceOfOneThatWasSoldCostsTheLeast() {
    host.vendor().says(FIRST, 529, ModelWords.OVERLOADED);
    host.vendor().says(SECOND, 500, "{}");
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, MESSAGES, prompt("large-1.0", 1_000));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Model")).hasValue("house/gift-1.0");
    assertThat(host.spent(key)).isEqualTo(1_000);
  }

  @Test
  @Tag("spec:language.fallback")
  void aRefusalOfTheRequestStandsAndCostsNothing() {
    host.vendor()
        .says(
            FIRST,
            400,
            "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"No\"}}");
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, MESSAGES, prompt("large-1.0", 1_000));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer.body()).at("/error/message").asText()).isEqualTo("No");
    assertThat(host.vendor().asked()).hasSize(1);
    assertThat(host.spent(key)).isZero();
  }

  @Test
  @Tag("spec:error.chat.content_filter")
  @Tag("spec:error.shape.relay")
  void whatTheFilterOfAModelRefusesIs400AndCostsNothing() {
    host.vendor()
        .says(
            SECOND,
            400,
            "{\"error\":{\"message\":\"Not this\",\"type\":\"invalid_request_error\","
                + "\"param\":null,\"code\":\"content_filter\"}}");
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, CHAT, prompt("other-1.0", 1_000));

    assertThat(answer.statusCode()).isEqualTo(400);
    JsonNode error = json(answer.body()).path("error");
    assertThat(error.path("code").asText()).isEqualTo("content_filter");
    assertThat(error.path("message").asText()).isEqualTo("Not this");
    assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
    assertThat(host.spent(key)).isZero();
  }

  @Test
  void whenNoModelAnswersTheCallCostsNothing() {
    for (String path : new String[] {FIRST, SECOND, THIRD}) {
      host.vendor().says(path, 500, "{\"error\":{\"message\":\"a secret\"}}");
    }
    IssuedKey key = host.key();
    HttpResponse<String> answer = host.byKey(key, MESSAGES, prompt("large-1.0", 1_000));

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("\"type\":\"error\"").doesNotContain("secret");
    assertThat(host.spent(key)).isZero();
  }

  /** In the body and in the header, where the vendor's SDK reads it. */
  @Test
  void errorsOfMessagesNameTheirRequest() {
    host.vendor()
        .says(FIRST, 529, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}");
    for (String path : new String[] {SECOND, THIRD}) {
      host.vendor().says(path, 500, "{}");
    }
    IssuedKey key = host.key();
    for (String body :
        new String[] {prompt("large-1.0", 1_000), prompt("no-such-model", 1_000), "{"}) {
      HttpResponse<String> answer = host.byKey(key, MESSAGES, body);
      assertThat(answer.statusCode()).isGreaterThanOrEqualTo(400);
      JsonNode error = json(answer.body());
      assertThat(error.path("type").asText()).as(answer.body()).isEqualTo("error");
      assertThat(error.path("request_id").asText())
          .isNotEmpty()
          .isEqualTo(answer.headers().firstValue("request-id").orElseThrow());
    }
    HttpResponse<String> chat = host.byKey(key, CHAT, prompt("no-such-model", 1_000));
    assertThat(json(chat.body()).has("request_id")).isFalse();
  }

  @Test
  @Tag("spec:limit.messages_body")
  void aPromptMayBeLargerThanOtherBodies() {
    String picture = "A".repeat(2 << 20);
    String body =
        prompt("large-1.0", 100)
            .replace(
                "\"Hello\"",
                "[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\","
                    + "\"data\":\""
                    + picture
                    + "\"}}]");

    assertThat(host.unpaid(MESSAGES, body).statusCode()).isEqualTo(402);
    assertThat(host.unpaid("/v1/marketplace/websearch/search", body).statusCode()).isEqualTo(413);
  }

  @Test
  @Tag("spec:endpoint.chat.models")
  @Tag("spec:record.model.id")
  @Tag("spec:record.model.pricing")
  @Tag("spec:record.model.envelope")
  @Tag("spec:record.model.object")
  @Tag("spec:record.model.created")
  @Tag("spec:record.model.owned_by")
  @Tag("spec:record.model.context_window")
  @Tag("spec:rule.general.3")
  void theModelsAreListedFreeWithTheirPrices() {
    JsonNode list = json(host.http().get("/v1/models").body());
    assertThat(list.path("data"))
        .allSatisfy(
            model -> {
              assertThat(model.path("object").asText()).isEqualTo("model");
              assertThat(model.path("created").isIntegralNumber()).isTrue();
              assertThat(model.path("owned_by").asText()).isNotEmpty();
              assertThat(model.path("context_window").asLong() > 0)
                  .isEqualTo(model.path("kind").asText().equals("language"));
            });

    assertThat(list.path("object").asText()).isEqualTo("list");
    assertThat(list.path("data"))
        .extracting(model -> model.path("id").asText())
        .contains("large-1.0", "gift-1.0")
        .doesNotContain("retired-1.0", "elsewhere-1.0");
    for (String name : new String[] {"large-1.0", "house/large-1.0", "house/large-1-0"}) {
      HttpResponse<String> one = host.http().get("/v1/models/" + name);
      assertThat(one.statusCode()).as(name).isEqualTo(200);
      assertThat(json(one.body()).at("/pricing/output").asText()).isEqualTo("15.000000");
    }
    HttpResponse<String> none = host.http().get("/v1/models/house/nothing");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(json(none.body()).at("/error/code").asText()).isEqualTo("model_not_found");
  }

  private static String dollars(long micros) {
    return new Usd(micros).dollars();
  }

  @Test
  @Tag("spec:x402.extension.upto")
  void whatMayBePaidByCeilingIsFoundByItsScheme() {
    assertThat(host.http().get("/discovery/resources?scheme=upto&limit=100").body())
        .contains("/v1/chat/completions\"", "/v1/responses\"")
        .doesNotContain("/v1/marketplace");
  }
}

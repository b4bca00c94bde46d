package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What is sold can be called as a tool, through the same gate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:mcp.tools")
@Tag("spec:x402.extension.mcp")
class ToolsTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String READ = "/v1/marketplace/cryptodata/exchange/markets";
  private static final String TOOL = "cryptodata_exchange_markets";

  private GatewayHost host;

  @BeforeAll
  void open() {
    // Every page may come as far as the tools, which have a rule of their own.
    host =
        new GatewayHost(
            Map.of(
                "gateway.sandbox.allowed-origins", "*", "gateway.http.hosts", "elsewhere.example"));
  }

  @AfterAll
  void close() {
    host.close();
  }

  private HttpResponse<String> post(String message, String... headers) {
    return new ToolCaller(host.http()).post(message, headers);
  }

  private JsonNode asked(String method, String params) throws IOException {
    return askedOf("/mcp", method, params);
  }

  private JsonNode askedOf(String address, String method, String params) throws IOException {
    HttpResponse<String> answer =
        new ToolCaller(host.http())
            .postTo(
                address,
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\""
                    + method
                    + "\",\"params\":"
                    + params
                    + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode message = JSON.readTree(answer.body());
    assertThat(message.path("id").intValue()).isEqualTo(7);
    return message;
  }

  private JsonNode called(String tool, String arguments, String meta, String... headers)
      throws IOException {
    return new ToolCaller(host.http()).called(tool, arguments, meta, headers);
  }

  private String payment(String target) {
    return ToolCaller.paying(host.payment(target));
  }

  @Test
  void aClientIsWelcomedWithoutASession() throws IOException {
    JsonNode result =
        asked(
                "initialize",
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                    + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}")
            .path("result");

    assertThat(result.path("protocolVersion").textValue()).isEqualTo("2025-06-18");
    assertThat(result.at("/serverInfo/name").textValue()).isEqualTo("Octroi");
    assertThat(result.at("/capabilities/tools").isObject()).isTrue();
    assertThat(post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}").statusCode())
        .isEqualTo(202);
  }

  /** All tools of a group, page by page. */
  private List<JsonNode> toolsOf(String group) throws IOException {
    List<JsonNode> tools = new ArrayList<>();
    String cursor = "{}";
    while (!cursor.isEmpty()) {
      JsonNode page = askedOf("/mcp/" + group, "tools/list", cursor).path("result");
      page.path("tools").forEach(tools::add);
      assertThat(page.path("tools").size()).isLessThanOrEqualTo(25);
      cursor =
          page.has("nextCursor")
              ? "{\"cursor\":\"" + page.path("nextCursor").textValue() + "\"}"
              : "";
    }
    return tools;
  }

  @Test
  void everythingThatIsSoldIsAToolOfItsGroupWithItsInputAndPrice() throws IOException {
    JsonNode listing = JSON.readTree(host.http().get("/discovery/resources?type=mcp").body());
    Set<String> names = new HashSet<>();
    JsonNode home = JSON.readTree(host.http().get("/").body());
    List<String> groups = home.path("groups").findValuesAsText("name");
    for (String group : groups) {
      for (JsonNode tool : toolsOf(group)) {
        assertThat(names.add(tool.path("name").textValue())).isTrue();
        assertThat(tool.path("title").textValue()).as(tool.toString()).contains(": ");
        assertThat(tool.path("description").textValue()).contains(" Use it ", " USD a call.");
        assertThat(tool.path("annotations").size()).as(tool.toString()).isEqualTo(4);
      }
    }
    assertThat(names).hasSize(listing.at("/pagination/total").intValue());
    assertThat(listing.at("/items/0/resource").textValue())
        .isEqualTo(host.http().base() + "/mcp/cryptodata");
    JsonNode price =
        toolsOf("cryptodata").stream()
            .filter(tool -> tool.path("name").textValue().equals("cryptodata_exchange_price"))
            .findFirst()
            .orElseThrow();
    assertThat(price.path("title").textValue()).isEqualTo("Crypto data: exchange price");
    assertThat(price.path("description").textValue())
        .isEqualTo(
            "Crypto data: exchange price. Use it when an answer needs this; it changes nothing."
                + " Needs pair. Price: 0.009500 USD a call.");
    assertThat(price.at("/inputSchema/required")).hasToString("[\"pair\"]");
    assertThat(price.at("/_meta/octroi~1price/amount").textValue()).isEqualTo("0.009500");
    assertThat(price.path("annotations"))
        .hasToString(
            "{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,"
                + "\"openWorldHint\":true}");
  }

  /** A client refuses an answer that its schema forbids, and what was paid for would be lost. */
  @Test
  void theNamesOfAnAnswerAreToldAndNoTypeIsDemanded() throws IOException {
    JsonNode depth =
        toolsOf("cryptodata").stream()
            .filter(tool -> tool.path("name").textValue().equals("cryptodata_exchange_depth"))
            .findFirst()
            .orElseThrow();

    assertThat(depth.path("outputSchema").findValues("type")).hasSize(1);
    assertThat(depth.at("/outputSchema/type").textValue()).isEqualTo("object");
    assertThat(depth.at("/outputSchema/properties/data/items/properties").has("mid_price"))
        .as(depth.toString())
        .isTrue();
    assertThat(
            called("describe", "{\"name\":\"cryptodata_exchange_depth\"}", "{}")
                .at("/structuredContent/answer/properties/data/items/properties/mid_price/type")
                .toString())
        .isEqualTo("[\"number\",\"null\"]");
  }

  @Test
  void theFirstListingIsBelowThreeThousandTokens() throws IOException {
    JsonNode listed = asked("tools/list", "{}").path("result");

    assertThat(listed.path("tools").valueStream().map(tool -> tool.path("name").textValue()))
        .startsWith("find", "describe", "call")
        .contains("cryptodata_exchange_price", "websearch_search")
        .hasSizeBetween(6, 12);
    assertThat(listed.has("nextCursor")).isFalse();
    // A token of text has three bytes at least.
    assertThat(JSON.writeValueAsBytes(listed).length / 3).isLessThan(3_000);
  }

  @Test
  void anAgentFindsByWordsGroupAndPrice() throws IOException {
    JsonNode found = called("find", "{\"words\":\"exchange prices\"}", "{}");
    assertThat(found.path("isError").asBoolean()).isFalse();
    JsonNode first = found.at("/structuredContent/operations/0");
    assertThat(first.path("name").textValue()).isEqualTo("cryptodata_exchange_price");
    assertThat(first.at("/price/amount").textValue()).isEqualTo("0.009500");

    JsonNode asked =
        called("find", "{\"words\":\"what is the price of a pair on an exchange\"}", "{}")
            .path("structuredContent");
    assertThat(asked.at("/operations/0/name").textValue()).isEqualTo("cryptodata_exchange_price");
    assertThat(asked.path("total").asInt()).isLessThan(200);

    JsonNode cheap =
        called("find", "{\"group\":\"prediction\",\"max_price\":\"0.001\",\"limit\":50}", "{}")
            .path("structuredContent");
    assertThat(cheap.path("operations")).isNotEmpty();
    assertThat(cheap.path("operations"))
        .allSatisfy(
            one -> {
              assertThat(one.path("group").textValue()).isEqualTo("prediction");
              assertThat(one.at("/price/amount").textValue()).isEqualTo("0.001000");
            });

    JsonNode page = called("find", "{\"limit\":2}", "{}").path("structuredContent");
    JsonNode next =
        called(
                "find",
                "{\"limit\":2,\"cursor\":\"" + page.path("nextCursor").textValue() + "\"}",
                "{}")
            .path("structuredContent");
    assertThat(page.path("operations")).hasSize(2);
    assertThat(next.path("operations").get(0)).isNotEqualTo(page.path("operations").get(1));
    assertThat(called("find", "{\"words\":\"zzzz\"}", "{}").at("/structuredContent/total").asInt())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"max_price\":\"free\"}",
        "{\"cursor\":\"nothing\"}",
        "{\"words\":\"%s\"}",
        "{\"limit\":-1,\"max_price\":-1}"
      })
  void whatCannotBeSearchedIsRefused(String arguments) throws IOException {
    JsonNode refused = called("find", arguments.formatted("x".repeat(201)), "{}");

    assertThat(refused.path("isError").booleanValue()).as(refused.toString()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"find", "describe", "call"})
  void anArgumentThatAToolDoesNotHaveIsRefusedByName(String tool) throws IOException {
    String arguments = "{\"name\":\"cryptodata_exchange_price\",\"query\":\"bitcoin\"}";
    JsonNode refused =
        called(tool, tool.equals("find") ? "{\"query\":\"bitcoin\"}" : arguments, "{}");
    assertThat(refused.path("isError").booleanValue()).isTrue();
    assertThat(refused.at("/content/0/text").textValue())
        .startsWith(tool + " takes no 'query', but ")
        .contains(tool.equals("find") ? "words, group" : "name");
  }

  @Test
  void anAgentReadsHowAnOperationIsCalled() throws IOException {
    JsonNode told =
        called("describe", "{\"name\":\"cryptodata_exchange_price\"}", "{}")
            .path("structuredContent");

    assertThat(told.at("/arguments/properties/pair").isObject()).isTrue();
    assertThat(told.at("/example/pair").textValue()).isEqualTo("BTC-USDT");
    assertThat(told.path("effect").textValue()).isEqualTo("none");
    assertThat(called("describe", "{\"name\":\"no\"}", "{}").path("isError").booleanValue())
        .isTrue();
  }

  @Test
  void whatIsCalledByNameIsPaidLikeTheToolItself() throws Exception {
    long before = host.count("select count(*) from payment where state = 'SETTLED'");
    String arguments = "{\"name\":\"" + TOOL + "\",\"arguments\":{}}";

    JsonNode unpaid = called("call", arguments, "{}");
    JsonNode paid = called("call", arguments, payment(READ));

    assertThat(unpaid.path("structuredContent").at("/accepts/0/amount").textValue())
        .isEqualTo("9500");
    assertThat(paid.path("isError").asBoolean()).as(paid.toString()).isFalse();
    assertThat(paid.at("/_meta/x402~1payment-response/success").booleanValue()).isTrue();
    assertThat(host.count("select count(*) from payment where state = 'SETTLED'"))
        .isEqualTo(before + 1);
    for (String name : List.of("no", "call", "find")) {
      JsonNode unknown = called("call", "{\"name\":\"" + name + "\"}", "{}");
      assertThat(unknown.path("isError").booleanValue()).as(name).isTrue();
      assertThat(unknown.at("/content/0/text").textValue()).contains("'" + name + "'");
    }
  }

  @Test
  void aGroupListsAndCallsItsOwnAlone() throws IOException {
    String call = "{\"name\":\"" + TOOL + "\",\"arguments\":{}}";

    assertThat(
            new ToolCaller(host.http())
                .postTo(
                    "/mcp/cryptodata",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                        + call
                        + "}")
                .body())
        .contains("Payment required");
    assertThat(
            new ToolCaller(host.http())
                .postTo(
                    "/mcp/prediction",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                        + call
                        + "}")
                .body())
        .contains("\"error\"")
        .doesNotContain("Payment required");
    assertThat(
            new ToolCaller(host.http())
                .postTo("/mcp/nothing", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                .statusCode())
        .isEqualTo(404);
    assertThat(
            askedOf("/mcp/prediction", "tools/list", "{\"cursor\":\"nothing\"}")
                .at("/error/code")
                .intValue())
        .isEqualTo(-32602);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ping",
        "resources/read",
        "resources/subscribe",
        "prompts/get",
        "logging/setLevel",
        "tasks/get",
        "no/such",
        "completion/complete",
        "tools/call",
        "initialize"
      })
  void aRequestWithoutParametersIsNoFailureOfTheGatewaysAndNotLogged(String method) {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger library = (Logger) LoggerFactory.getLogger("io.modelcontextprotocol");
    library.addAppender(lines);
    for (String params :
        List.of("", ",\"params\":null", ",\"params\":{}", ",\"params\":{\"name\":7,\"uri\":[]}")) {
      String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\"" + params + "}";
      var answer = new ToolCaller(host.http()).postTo("/mcp", body);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body())
          .contains("\"jsonrpc\":\"2.0\"")
          .doesNotContain("-32603")
          .doesNotContain("Cannot invoke");
    }
    library.detachAppender(lines);
    assertThat(lines.list)
        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .isEmpty();
  }

  @Test
  void aMessageThatIsNullIsRefused() {
    var answer = new ToolCaller(host.http()).postTo("/mcp", "null");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
  }

  @Test
  void thereAreNoResourcesAndNoPrompts() throws IOException {
    assertThat(asked("resources/list", "{}").at("/result/resources")).isEmpty();
    assertThat(asked("resources/templates/list", "{}").at("/result/resourceTemplates")).isEmpty();
    assertThat(asked("prompts/list", "{}").at("/result/prompts")).isEmpty();
  }

  @Test
  @Tag("spec:x402.mcp.payment_required")
  void anUnpaidCallIsAnErrorThatIsTheChallenge() throws IOException {
    JsonNode result = called(TOOL, "{}", "{}");

    assertThat(result.path("isError").booleanValue()).isTrue();
    JsonNode challenge = result.path("structuredContent");
    assertThat(challenge.path("x402Version").intValue()).isEqualTo(2);
    assertThat(challenge.at("/accepts/0/amount").textValue()).isEqualTo("9500");
    assertThat(challenge.at("/resource/url").textValue()).isEqualTo(host.http().base() + READ);
    JsonNode wrapped = JSON.readTree(result.at("/content/0/text").textValue()).path("x402/error");
    assertThat(wrapped.path("code").intValue()).isEqualTo(402);
    assertThat(wrapped.path("data")).isEqualTo(challenge);
    assertThat(result.at("/_meta/x402~1error")).isEqualTo(challenge);
  }

  /** As the clients of two published SDKs for agents pay. */
  @Test
  void aPaymentMayBeTheValueOfTheHeaderThatItIsOverHttp() throws IOException {
    JsonNode result = called(TOOL, "{}", "{\"x402/payment\":\"" + host.payment(READ) + "\"}");

    assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
    assertThat(result.at("/_meta/x402~1payment-response/success").booleanValue()).isTrue();
  }

  @Test
  void aClientOfVersion1FindsItsChallengeWhereThatIsServedAndPaysByIt() throws IOException {
    try (GatewayHost former = new GatewayHost(Map.of("gateway.payments.challenge-body", "v1"))) {
      ToolCaller caller = new ToolCaller(former.http());
      JsonNode challenge = caller.called(TOOL, "{}", "{}").at("/_meta/x402~1error");
      ObjectNode envelope =
          JSON.createObjectNode()
              .put("x402Version", 1)
              .put("scheme", "exact")
              .put("network", challenge.at("/accepts/0/network").textValue());
      byte[] payment = Base64.getDecoder().decode(former.payment(READ));
      envelope.set("payload", JSON.readTree(payment).path("payload"));
      String header = Base64.getEncoder().encodeToString(JSON.writeValueAsBytes(envelope));

      JsonNode result = caller.called(TOOL, "{}", "{\"x402/payment\":\"" + header + "\"}");

      assertThat(challenge.path("x402Version").intValue()).isEqualTo(1);
      assertThat(challenge.at("/accepts/0/maxAmountRequired").textValue()).isEqualTo("9500");
      assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
    }
  }

  @Test
  @Tag("spec:x402.mcp.payment_response")
  void aPaidCallIsAnsweredAndSettledOnce() throws Exception {
    long before = host.count("select count(*) from payment where state = 'SETTLED'");
    String payment = payment(READ);

    JsonNode result = called(TOOL, "{}", payment);
    JsonNode again = called(TOOL, "{}", payment);

    assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
    assertThat(result.at("/_meta/x402~1payment-response/success").booleanValue()).isTrue();
    assertThat(result.at("/_meta/x402~1payment-response/transaction").textValue())
        .startsWith("sandbox:");
    assertThat(result.at("/structuredContent/price/amount").textValue()).isEqualTo("0.009500");
    assertThat(JSON.readTree(result.at("/content/0/text").textValue()))
        .isEqualTo(result.path("structuredContent"));
    assertThat(again.at("/structuredContent/error").textValue()).isEqualTo("nonce_already_used");
    assertThat(host.count("select count(*) from payment where state = 'SETTLED'"))
        .isEqualTo(before + 1);
  }

  @Test
  void aPaymentForAnotherToolBuysNothing() throws IOException {
    JsonNode result = called(TOOL, "{}", payment("/v1/marketplace/cryptodata/market/etf"));

    assertThat(result.at("/structuredContent/error").textValue()).isEqualTo("resource_mismatch");
  }

  @Test
  void aRefusedCallIsAnErrorAndNotCharged() throws IOException {
    String target = "/v1/marketplace/cryptodata/exchange/price?pair=nonsense";
    String payment = payment(target);

    JsonNode result = called("cryptodata_exchange_price", "{\"pair\":\"nonsense\"}", payment);

    assertThat(result.path("isError").booleanValue()).isTrue();
    assertThat(result.at("/structuredContent/error/code").textValue()).isEqualTo("invalid_pair");
    assertThat(result.at("/_meta/octroi~1status").intValue()).isEqualTo(400);
    assertThat(result.path("_meta").has("x402/payment-response")).isFalse();
  }

  @Test
  void argumentsStandInThePathTheQueryOrTheBody() throws IOException {
    String wallet = "0x857b06519E91e3A54538791bDbb0E22373e36b66";
    JsonNode inPath =
        called(
            "prediction_venue_a_wallet_by_wallet_markets",
            "{\"wallet\":\"" + wallet + "\",\"limit\":3}",
            "{}");
    assertThat(inPath.at("/structuredContent/resource/url").textValue())
        .isEqualTo(
            host.http().base()
                + "/v1/marketplace/prediction/venue-a/wallet/"
                + wallet
                + "/markets?limit=3");
    JsonNode missing = called("prediction_venue_a_wallet_by_wallet_markets", "{}", "{}");
    assertThat(missing.at("/content/0/text").textValue())
        .isEqualTo("The argument 'wallet' is missing.");
    JsonNode inBody = called("cryptodata_onchain_sql", "{\"sql\":\"SELECT 1\"}", "{}");
    assertThat(inBody.at("/structuredContent/accepts/0/amount").textValue()).isEqualTo("9500");
  }

  @Test
  void anUnknownKeyIsRefusedAsOverHttp() throws IOException {
    JsonNode result = called(TOOL, "{}", "{}", "Authorization", "Bearer sk-unknown");

    assertThat(result.path("isError").booleanValue()).isTrue();
    assertThat(result.at("/_meta/octroi~1status").intValue()).isEqualTo(401);
  }

  @Test
  void whatIsNoPaymentIsAnError() throws IOException {
    for (String payment : List.of("\"abc\"", "\"no base64\"", "\"bnVsbA==\"", "7", "[]")) {
      assertThat(
              called(TOOL, "{}", "{\"x402/payment\":" + payment + "}")
                  .at("/content/0/text")
                  .textValue())
          .isEqualTo("_meta['x402/payment'] is an object, or the value of a payment header.");
    }
    assertThat(
            called(TOOL, "{}", "{\"x402/payment\":{\"x402Version\":2}}")
                .at("/_meta/octroi~1status")
                .intValue())
        .isEqualTo(400);
  }

  @Test
  void aToolThatIsNotThereIsAnErrorOfTheProtocol() throws IOException {
    HttpResponse<String> answer =
        post(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                + "\"params\":{\"name\":\"nothing\",\"arguments\":{}}}");
    assertThat(answer.body()).contains("\"error\"").contains("nothing").doesNotContain("Exception");
    assertThat(asked("no/such", "{}").at("/error/code").intValue()).isEqualTo(-32601);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "nonsense", "{\"jsonrpc\":\"2.0\",\"id\":1}"})
  void whatIsNoMessageIsRefused(String body) {
    assertThat(post(body).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "initialize | 5",
        "initialize | []",
        "initialize | `\"x\"`",
        "initialize | {}",
        "initialize | {\"protocolVersion\":{}}",
        "initialize | {\"protocolVersion\":\"2025-06-18\",\"capabilities\":5}",
        "initialize | {\"protocolVersion\":\"x\",\"clientInfo\":{\"name\":null}}",
        "tools/call | 5",
        "tools/call | []",
        "tools/call | {}",
        "tools/call | {\"name\":{}}",
        "tools/call | {\"name\":\"find\",\"arguments\":[]}",
        "tools/call | {\"name\":\"find\",\"arguments\":\"x\"}",
        "tools/call | {\"name\":\"find\",\"arguments\":{},\"_meta\":5}",
        "tools/list | 5",
        "tools/list | {\"cursor\":5}",
        "resources/read | {\"uri\":\"x\"}",
        "resources/read | 5",
        "prompts/get | {}",
        "prompts/get | []",
        "logging/setLevel | {\"level\":\"x\"}",
        "completion/complete | {}",
        "nonsense | {}",
        "`` | {}"
      })
  void parametersThatAreNoneAreNoFaultOfTheGateway(String method, String params) {
    HttpResponse<String> answer =
        post(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
                + method
                + "\",\"params\":"
                + params
                + "}");

    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 400);
    assertThat(answer.body()).doesNotContain("Exception", "dev.octroi", "io.modelcontextprotocol");
    if (method.equals("tools/call")) {
      assertThat(answer.body()).contains("\"error\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"null", "{}", "[]", "true", "1.5", "1e400", "\"\"", "99999999999999999999"})
  void anIdOfAnyKindIsNoFaultOfTheGateway(String id) {
    HttpResponse<String> answer =
        post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}");

    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 202, 400);
  }

  @Test
  void pagesOfOtherOriginsMayNotCall() {
    String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

    assertThat(post(list, "Origin", "http://rebound.example:8402").statusCode()).isEqualTo(403);
    assertThat(post(list, "Origin", "null").statusCode()).isEqualTo(403);
    assertThat(post(list, "Origin", "http://localhost:3000").statusCode()).isEqualTo(200);
  }

  @Test
  void aVersionOfTheProtocolThatNobodySpeaksIsRefused() {
    String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";

    assertThat(post(list, "MCP-Protocol-Version", "2025-06-18").statusCode()).isEqualTo(200);
    assertThat(post(list, "MCP-Protocol-Version", "1999-01-01").statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "DELETE", "HEAD", "PUT"})
  void thereIsNothingToListenTo(String method) {
    var request = host.http().request("/mcp").header("Accept", "text/event-stream");
    HttpResponse<String> answer =
        host.http().send(request.method(method, BodyPublishers.noBody()).build());
    assertThat(answer.statusCode()).isEqualTo(405);
  }

  @Test
  void nobodyElseIsTakenForTheGatewayItself() throws IOException {
    HttpResponse<String> answer =
        host.http()
            .send(
                host.http()
                    .request(READ)
                    .header("X-Octroi-Inner", "0".repeat(64))
                    .header("X-Octroi-Client", "somebody")
                    .header("X-Forwarded-Host", "evil.example")
                    .build());
    JsonNode challenge = JSON.readTree(answer.body());
    assertThat(challenge.at("/resource/url").textValue()).isEqualTo(host.http().base() + READ);
  }

  @Test
  void theAddressThatACallerNamesIsNeverCalled() throws IOException {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
            + TOOL
            + "\",\"arguments\":{}}}";
    String answer =
        host.http()
            .raw(
                "POST /mcp HTTP/1.1\r\n"
                    + "Host: elsewhere.example\r\n"
                    + "X-Octroi-Self: http://127.0.0.1:1\r\n"
                    + "Content-Type: application/json\r\n"
                    + "Connection: close\r\n"
                    + "Content-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body);
    assertThat(answer).contains("Payment required").contains("http://elsewhere.example" + READ);
  }

  @Test
  void itCanBeSwitchedOffAndBounded() throws IOException {
    try (GatewayHost off =
        host.beside(Map.of("gateway.mcp.enabled", "false", "gateway.database.node", "toolless"))) {
      assertThat(
              off.http()
                  .send(
                      off.http()
                          .request("/mcp")
                          .header("Content-Type", "application/json")
                          .POST(BodyPublishers.ofString("{}"))
                          .build())
                  .statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void aPingIsAnswered() throws IOException {
    JsonNode pong = asked("ping", "{}");
    assertThat(pong.path("result").isObject()).isTrue();
  }
}

package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.api.discovery.ModelTextResource;
import dev.octroi.api.discovery.WellKnownResource;
import dev.octroi.api.price.PriceBook.RowPrice;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sold can be found out without knowing this project. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiscoveryTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String READ = "/v1/marketplace/cryptodata/exchange/price";
  private static final String WALLET = "/v1/marketplace/prediction/venue-a/wallet/:wallet";

  private GatewayHost host;

  @BeforeAll
  void open() {
    host = new GatewayHost(Map.of("gateway.discovery.service-name", "Corner shop"));
  }

  @AfterAll
  void close() {
    host.close();
  }

  @Test
  @Tag("spec:x402.facilitator.discovery")
  void everythingThatIsSoldIsListedAtThePriceThatIsAsked() throws IOException {
    Map<String, String> listed =
        items().stream()
            .collect(
                Collectors.toMap(
                    item ->
                        item.at("/extensions/bazaar/info/input/method").textValue()
                            + item.path("resource").textValue(),
                    item -> item.at("/accepts/0/amount").textValue()));

    Set<String> closed =
        Set.of("phone", "voice", "music", "images", "messages", "chat", "smartsearch");
    List<RowPrice> sold =
        host.gateway().prices().rows().stream()
            .filter(price -> !closed.contains(price.row().group().word()))
            .filter(price -> !price.row().path().endsWith("/find-similar"))
            .toList();
    assertThat(sold).hasSizeGreaterThan(150);
    assertThat(listed).hasSize(sold.size());
    for (RowPrice price : sold) {
      String template = price.row().path().replaceAll("\\{([a-z_]+)}", ":$1");
      assertThat(listed.get(price.row().method() + host.http().base() + template))
          .as(template)
          .isEqualTo(price.now().price().orElseThrow().atomicUnits(6));
    }
  }

  private List<JsonNode> items() throws IOException {
    List<JsonNode> first = page("type=http&limit=100").path("items").valueStream().toList();
    List<JsonNode> second =
        page("type=http&limit=100&offset=100").path("items").valueStream().toList();
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private JsonNode page(String query) throws IOException {
    HttpResponse<String> answer = host.http().get("/discovery/resources?" + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  @Test
  @Tag("spec:x402.facilitator.discovery")
  void aListingSaysHowItsResourceIsCalled() throws IOException {
    JsonNode price =
        items().stream()
            .filter(item -> item.path("resource").textValue().endsWith(READ))
            .findFirst()
            .orElseThrow();

    assertThat(price.path("type").textValue()).isEqualTo("http");
    assertThat(price.path("x402Version").intValue()).isEqualTo(2);
    assertThat(price.path("serviceName").textValue()).isEqualTo("Corner shop");
    assertThat(price.path("lastUpdated").textValue()).matches("20.*T.*Z");
    assertThat(price.at("/extensions/bazaar/info/input/queryParams/pair").textValue())
        .isEqualTo("BTC-USDT");
    JsonNode query = price.at("/extensions/bazaar/schema/properties/input/properties/queryParams");
    assertThat(query.path("required")).hasToString("[\"pair\"]");
    assertThat(query.at("/properties/exchange/type").textValue()).isEqualTo("string");
  }

  @Test
  @Tag("spec:x402.facilitator.discovery")
  void pagesAreFilteredAndBounded() throws IOException {
    int all = page("").at("/pagination/total").intValue();
    JsonNode challenge = challenge(READ).path("accepts").path(0);

    assertThat(page("").path("items")).hasSize(20);
    assertThat(page("limit=1&offset=3").at("/pagination"))
        .hasToString("{\"limit\":1,\"offset\":3,\"total\":" + all + "}");
    assertThat(page("offset=999999").path("items")).isEmpty();
    for (String fitting :
        List.of(
            "scheme=exact",
            "extensions=bazaar",
            "network=" + challenge.path("network").textValue(),
            "payTo=" + challenge.path("payTo").textValue().toLowerCase())) {
      assertThat(page(fitting).at("/pagination/total").intValue()).as(fitting).isEqualTo(all);
    }
    for (String other :
        List.of("type=grpc", "scheme=upto", "network=eip155:1", "payTo=0x1", "extensions=none")) {
      assertThat(page(other).at("/pagination/total").intValue()).as(other).isZero();
    }
  }

  @Test
  @Tag("spec:x402.facilitator.discovery")
  void aClientOfTheFacilitatorFindsTheSame() throws IOException {
    HttpResponse<String> below =
        host.http().get("/facilitator/discovery/resources?type=http&limit=3&offset=1");

    assertThat(below.statusCode()).as(below.body()).isEqualTo(200);
    assertThat(JSON.readTree(below.body())).isEqualTo(page("type=http&limit=3&offset=1"));
    for (String wrong : List.of("limit=0", "limit=101", "limit=x", "offset=-1")) {
      assertThat(host.http().get("/discovery/resources?" + wrong).statusCode())
          .as(wrong)
          .isEqualTo(400);
    }
  }

  @Test
  @Tag("spec:x402.facilitator.discovery")
  void everyToolIsListedWithTheAddressWhereItIsCalled() throws IOException {
    int sold = page("type=http").at("/pagination/total").intValue();
    assertThat(page("type=mcp").at("/pagination/total").intValue()).isEqualTo(sold);
    assertThat(page("").at("/pagination/total").intValue()).isEqualTo(2 * sold);

    JsonNode tool = page("type=mcp&limit=1").at("/items/0");
    JsonNode read = page("type=http&limit=1").at("/items/0");
    assertThat(tool.path("type").textValue()).isEqualTo("mcp");
    assertThat(tool.path("accepts")).isEqualTo(read.path("accepts"));
    JsonNode input = tool.at("/extensions/bazaar/info/input");
    JsonNode known = toolAt(tool.path("resource").textValue(), input.path("toolName").textValue());
    assertThat(input.path("inputSchema")).isEqualTo(known.path("inputSchema"));
    assertThat(known.path("description").textValue())
        .startsWith(input.path("description").textValue());
  }

  /** What the server at an address says of a tool. */
  private JsonNode toolAt(String address, String name) throws IOException {
    String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}";
    HttpResponse<String> tools =
        host.http()
            .send(
                host.http()
                    .request(address.substring(host.http().base().toString().length()))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .POST(BodyPublishers.ofString(list))
                    .build());
    return JSON.readTree(tools.body())
        .at("/result/tools")
        .valueStream()
        .filter(tool -> tool.path("name").textValue().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is no tool at " + address));
  }

  @Test
  void toolsThatAreSwitchedOffAreNotListed() throws IOException {
    try (GatewayHost closed =
        host.beside(Map.of("gateway.mcp.enabled", "false", "gateway.database.node", "toolless"))) {
      String listed = closed.http().get("/discovery/resources?type=mcp").body();
      assertThat(JSON.readTree(listed).at("/pagination/total").intValue()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=0", "limit=101", "limit=x", "offset=-1", "offset=1000001"})
  void aPageOutOfItsBoundsIsRefused(String query) {
    assertThat(host.http().get("/discovery/resources?" + query).statusCode()).isEqualTo(400);
  }

  @Test
  @Tag("spec:x402.extension.bazaar")
  void aChallengeSaysHowItsResourceIsCalledInItsBodyAlone() throws IOException {
    HttpResponse<String> unpaid = host.http().get(WALLET.replace(":wallet", "0x1"));
    JsonNode body = JSON.readTree(unpaid.body());

    assertThat(body.at("/resource/description").textValue())
        .isEqualTo("Prediction markets: venue-a wallet by wallet.");
    assertThat(body.at("/resource/serviceName").textValue()).isEqualTo("Corner shop");
    assertThat(body.at("/resource/tags")).hasToString("[\"prediction\"]");
    JsonNode bazaar = body.at("/extensions/bazaar");
    assertThat(bazaar.path("routeTemplate").textValue()).isEqualTo(WALLET);
    assertThat(bazaar.at("/schema/properties/input/properties/pathParams/required"))
        .hasToString("[\"wallet\"]");
    assertThat(body.at("/extensions/payment-identifier").isObject()).isTrue();
    String header = unpaid.headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
    assertThat(header).hasSizeLessThan(4096);
    JsonNode inHeader = JSON.readTree(java.util.Base64.getDecoder().decode(header));
    assertThat(inHeader.at("/extensions").has("bazaar")).isFalse();
  }

  private JsonNode challenge(String target) throws IOException {
    return JSON.readTree(host.http().get(target).body());
  }

  @Test
  @Tag("spec:discovery.well_known")
  void theWellKnownAddressNamesEverythingThatIsSold() throws IOException {
    HttpResponse<String> answer = host.http().get("/.well-known/x402");
    JsonNode known = JSON.readTree(answer.body());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(known.path("version").intValue()).isEqualTo(1);
    assertThat(known.path("resources")).hasSameSizeAs(items());
    assertThat(known.path("resources").valueStream().map(JsonNode::textValue))
        .contains(host.http().base() + READ, host.http().base() + WALLET);
    assertThat(known.path("sandbox").booleanValue()).isTrue();
  }

  @Test
  @Tag("spec:discovery.llms_txt")
  void theTextForModelsNamesEverythingThatIsSoldWithItsPrice() throws IOException {
    HttpResponse<String> answer = host.http().get("/llms.txt");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type").orElseThrow())
        .startsWithIgnoringCase("text/plain");
    assertThat(answer.body())
        .startsWith("# Corner shop\n")
        .contains("worthless", "PAYMENT-SIGNATURE", "\n## Prediction markets\n")
        .contains(
            "- [GET "
                + READ
                + "]("
                + host.http().base()
                + READ
                + "): Crypto data: exchange price."
                + " Price 0.009500; takes pair*, exchange\n");
    assertThat(
            answer
                .body()
                .lines()
                .filter(line -> line.startsWith("- [GET") || line.startsWith("- [POST")))
        .hasSameSizeAs(items());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/.well-known/x402", "/discovery/resources", "/llms.txt"})
  void onlyGetIsServedAndHeadIsItsHead(String path) {
    assertThat(
            host.http()
                .send(host.http().request(path).POST(BodyPublishers.noBody()).build())
                .statusCode())
        .isEqualTo(405);
    HttpResponse<String> head =
        host.http().send(host.http().request(path).method("HEAD", BodyPublishers.noBody()).build());
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void whatIsSwitchedOffIsNotThere() throws IOException {
    try (GatewayHost closed =
        host.beside(
            Map.of(
                "gateway.discovery.enabled", "false",
                "gateway.discovery.bazaar", "false",
                "gateway.database.node", "closed"))) {
      for (String path : List.of("/.well-known/x402", "/discovery/resources", "/llms.txt")) {
        assertThat(closed.http().get(path).statusCode()).as(path).isEqualTo(404);
      }
      assertThat(closed.http().get(READ).body())
          .contains("\"description\"")
          .doesNotContain("bazaar");
    }
  }

  @Test
  @Tag("spec:limit.unpaid")
  void whoLooksTooOftenWaits() {
    try (GatewayHost busy =
        host.beside(
            Map.of("gateway.limits.unpaid-per-minute", "2", "gateway.database.node", "busy"))) {
      Stream<Integer> statuses =
          Stream.of("/llms.txt", "/.well-known/x402", "/discovery/resources")
              .map(path -> busy.http().get(path).statusCode());
      assertThat(statuses.toList()).last().isEqualTo(429);
    }
  }

  @Test
  void aHostsOwnApplicationIsLeftItsRoot() {
    assertThat(Gateway.resourcesAnd())
        .doesNotContain(WellKnownResource.class, ModelTextResource.class);
  }
}

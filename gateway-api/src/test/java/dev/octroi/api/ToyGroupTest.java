package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.api.toy.ToyGroup;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.reconcile.RecurringTask;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group in a package of its own, added by one line, is everywhere where groups are. */
class ToyGroupTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String SPIN = "/v1/toys/spin";
  private static final String REPAIR = "/v1/toys/repair";
  private static final String ORDER = "{\"top\":\"red\"}";

  @TempDir private Path folder;

  private final ToyGroup toys = new ToyGroup(Optional.of(URI.create("http://127.0.0.1:9")));
  private GatewayHost host;

  @BeforeEach
  void start() throws IOException {
    Path prices = Files.writeString(folder.resolve("prices"), "group.toys=0.003\n");
    host =
        GatewayHost.with(
            Map.of(
                "gateway.admin.token",
                Admin.TOKEN,
                "gateway.prices.file",
                prices.toString(),
                "gateway.limits.requests-per-minute.toys",
                "3",
                "gateway.payments.price-in-body",
                "toys"),
            builder -> builder.group(toys));
  }

  @AfterEach
  void stop() {
    host.close();
  }

  private HttpRequest post(String path, String body) {
    return host.http()
        .request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private JsonNode json(String path) throws IOException {
    HttpResponse<String> answer =
        host.http()
            .send(
                host.http().request(path).header("Authorization", "Bearer " + Admin.TOKEN).build());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  @Test
  void itIsSoldAtTheOperatorsPriceAndCounted() {
    assertThat(host.http().send(post(SPIN, ORDER)).statusCode()).isEqualTo(402);

    PaidAnswer answer = host.paid(post(SPIN, ORDER));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(GatewayHost.text(answer))
        .isEqualTo(
            "{\"top\":\"red\",\"vendor\":\"toys\","
                + "\"price\":{\"amount\":\"0.003000\",\"currency\":\"USD\"}}");
    ScrapedMetrics figures = new ScrapedMetrics(host.http().get("/metrics").body());
    assertThat(figures.sum("octroi_calls_total", "group=\"toys\"", SPIN, "\"2xx\"")).isEqualTo(1);
  }

  @Test
  void itsErrorsHaveItsShapeAndItsLimitsHold() {
    PaidAnswer refused = host.paid(post(SPIN, "{\"top\":\"broken\"}"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(GatewayHost.text(refused))
        .startsWith("{\"error\":{\"code\":\"invalid_params\",\"message\":\"That top is broken.\"");
    assertThat(host.paid(post(SPIN, ORDER)).status()).isEqualTo(200);
    assertThat(host.paid(post(SPIN, ORDER)).status()).isEqualTo(200);
    assertThat(host.paid(post(SPIN, ORDER)).status()).isEqualTo(429);
  }

  @Test
  void itIsInTheDescription() throws IOException {
    JsonNode document = json("/openapi.json");

    JsonNode spin = document.path("paths").path(SPIN).path("post");
    assertThat(spin.path("summary").asText()).isEqualTo("Spins a top");
    assertThat(spin.path("tags")).hasToString("[\"Toys\"]");
    assertThat(spin.path("description").asText()).contains("0.003");
    assertThat(document.path("paths").has(REPAIR)).isTrue();
    assertThat(document.path("tags").findValuesAsText("name")).contains("Toys");
  }

  @Test
  void itIsDiscovered() throws IOException {
    assertThat(json("/discovery/resources?limit=100&offset=190").toString()).contains(SPIN);
    assertThat(json("/.well-known/x402").toString()).contains(SPIN).contains(REPAIR);
    assertThat(host.http().get("/llms.txt").body())
        .contains("## Toys", "Toys: spins a top.", "Toys: repairs a top.");
    assertThat(json("/").path("groups").findValuesAsText("base")).contains("/v1/toys");
  }

  @Test
  void itIsATool() throws IOException {
    HttpResponse<String> tools =
        host.http()
            .send(
                host.http()
                    .request("/mcp/toys")
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .POST(
                        BodyPublishers.ofString(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"))
                    .build());

    List<String> names = JSON.readTree(tools.body()).path("result").findValuesAsText("name");
    assertThat(names).contains("toys_spin", "toys_repair");
  }

  @Test
  void theOperatorSeesIt() throws IOException {
    assertThat(json("/admin/v1/prices").toString()).contains(SPIN).contains("group.toys");
    assertThat(json("/admin/v1/upstreams").path("data").findValuesAsText("name")).contains("toys");
    assertThat(host.gateway().runtime().groups().tasks())
        .extracting(RecurringTask::name)
        .contains("wind-toys-up");
  }

  @Test
  void itIsClosedWithTheGateway() {
    assertThat(toys.isClosed()).isFalse();
    host.gateway().close();
    assertThat(toys.isClosed()).isTrue();
  }

  @Test
  void withoutItsVendorItIsNotSoldAndListedNowhere() throws IOException {
    host.close();
    host = GatewayHost.with(Map.of(), builder -> builder.group(new ToyGroup(Optional.empty())));

    HttpResponse<String> answer = host.http().send(post(SPIN, ORDER));

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).startsWith("{\"error\":{\"code\":\"not_found\"");
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    for (String page : List.of("/openapi.json", "/.well-known/x402", "/llms.txt", "/")) {
      assertThat(host.http().get(page).body()).as(page).doesNotContain("/v1/toys");
    }
  }
}

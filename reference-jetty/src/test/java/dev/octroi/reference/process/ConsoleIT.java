package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The operator's console of the jar in a real browser; its pictures are kept. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleIT {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final String OTHER = "/v1/marketplace/prediction/venue-a/markets";

  private Running gateway;
  private URI base;
  private String token;
  private String secret;
  private HttpServer receiver;

  @BeforeAll
  void serve(@TempDir Path data) throws Exception {
    Browser.install();
    NodeClients.install();
    receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", ConsoleIT::take);
    receiver.start();
    gateway =
        BuiltJar.quickIn(
                data,
                "--port",
                "0",
                "--data",
                data.toString(),
                "-s",
                "gateway.changes.poll=1s",
                "-s",
                "gateway.payments.channels.offered=true",
                "-s",
                "gateway.changes.targets=127.0.0.1:*",
                "-s",
                "gateway.webhooks.shop.url=http://127.0.0.1:" + receiver.getAddress().getPort(),
                "-s",
                "gateway.webhooks.shop.secret=whsec_" + "c2VjcmV0".repeat(4),
                "-s",
                "gateway.webhooks.shop.private-network=true",
                "-s",
                "gateway.webhooks.silent.url=http://127.0.0.1:1/hook?code=of-the-receiver",
                "-s",
                "gateway.webhooks.silent.secret=whsec_" + "c2VjcmV0".repeat(4),
                "-s",
                "gateway.webhooks.silent.private-network=true")
            .start();
    base = gateway.awaitReady();
    token = Files.readString(data.resolve("admin-token")).strip();
    JsonNode issued =
        new Operator(base, data).post("keys", "{\"name\":\"visitor\",\"daily\":\"5\"}");
    secret = issued.path("secret").asText();
    for (int call = 0; call < 3; call++) {
      buy(READ);
      buy(OTHER);
    }
    NodeClients.run(Map.of(), List.of("channel.mjs", base + READ, "pay", "pay"));
  }

  private static void take(HttpExchange exchange) throws IOException {
    byte[] thanks = "thank you".getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(200, thanks.length);
    exchange.getResponseBody().write(thanks);
    exchange.close();
  }

  @AfterAll
  void stop() {
    if (receiver != null) {
      receiver.stop(0);
    }
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  @Tag("spec:operator.console")
  void theConsoleIsUsedByKeyboardAndMouse() throws Exception {
    assertNothingIsWrong("use");
  }

  @Test
  @Tag("spec:operator.console")
  void everyPageIsWholeOnADesktopAndOnAPhone() throws Exception {
    assertNothingIsWrong("desktop,phone-dark");
    assertThat(Browser.PICTURES.resolve("console-overview-phone-dark.png")).isNotEmptyFile();
  }

  @Test
  @Tag("spec:operator.console")
  void everyPageIsWholeInTheOtherColoursToo() throws Exception {
    assertNothingIsWrong("desktop-dark,phone");
  }

  private void assertNothingIsWrong(String modes) throws Exception {
    JsonNode found = Browser.run("console.mjs", base.toString(), token, secret, READ, modes);
    assertThat(found.path("wrong")).as(found.toPrettyString()).isEmpty();
  }

  private void buy(String target) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(target))
            .header("Authorization", "Bearer " + secret)
            .build();
    assertThat(Offer.HTTP.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }
}

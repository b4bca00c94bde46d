package dev.octroi.reference.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.payments.solana.Base58;
import dev.octroi.payments.solana.SolanaWallet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A server that knows nothing of payments is sold by one command, and paid for in every way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SellIT {

  private HttpServer server;
  private String target;
  private Path folder;
  private Running gateway;
  private URI base;

  @BeforeAll
  void sell(@TempDir Path data) throws Exception {
    folder = data;
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] answer =
              (exchange.getRequestMethod() + " " + exchange.getRequestURI()).getBytes(UTF_8);
          exchange.sendResponseHeaders(
              exchange.getRequestURI().getPath().equals("/none") ? 404 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    target = "http://127.0.0.1:" + server.getAddress().getPort();
    gateway =
        BuiltJar.quickIn(
                data, "sell", "--price", "0.01", "--rule", "POST /search=0.05", "--free", "/about")
            .and("--port", "0", "--data", data.toString())
            .set("gateway.solana.pay-to", SolanaWallet.generate().address().toString())
            .and(target)
            .start();
    base = gateway.awaitReady().resolve("/");
  }

  @AfterAll
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
    server.stop(0);
  }

  private Running pay(String... arguments) throws Exception {
    return BuiltJar.quickIn(folder, "pay", "--data", folder.toString()).and(arguments).start();
  }

  private HttpResponse<String> sent(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void thePrintedCommandPaysForACall() throws Exception {
    String printed =
        gateway.outText().lines().filter(line -> line.contains(" pay ")).findFirst().orElseThrow();
    assertThat(printed).endsWith(" pay --data " + folder + " " + base);

    try (Running pay = pay(base.toString())) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.outText()).isEqualTo("GET /");
      assertThat(pay.errText()).containsPattern("paid +0\\.010000 USD");
    }
    try (Running missing = pay(base + "none")) {
      assertThat(missing.awaitExit()).as(missing::said).isEqualTo(3);
      assertThat(missing.errText()).contains("nothing was charged");
    }
  }

  @Test
  void rulesAndFreePathsHold() throws Exception {
    try (Running pay = pay("-X", "POST", "-d", "{}", base + "search")) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.errText()).containsPattern("paid +0\\.050000 USD");
    }
    HttpResponse<String> free = sent(HttpRequest.newBuilder(base.resolve("/about")));
    assertThat(free.body()).isEqualTo("GET /about");
  }

  @Test
  void aBase58KeyPays() throws Exception {
    Path key = folder.resolve("base58.key");
    Files.writeString(key, Base58.encode(SolanaWallet.generate().keypair()) + "\n", UTF_8);
    try (Running pay = pay("--key-file", key.toString(), base + "a?b=%20c")) {
      assertThat(pay.awaitExit()).as(pay::said).isZero();
      assertThat(pay.outText()).isEqualTo("GET /a?b=%20c");
      assertThat(pay.errText()).containsPattern("quote +0\\.010000 USD on solana:");
    }
  }

  @Test
  void anApiKeyPays() throws Exception {
    String secret =
        new Operator(base, folder)
            .post("keys", "{\"name\":\"one\",\"fund\":\"1\"}")
            .path("secret")
            .asText();

    HttpResponse<String> answer =
        sent(
            HttpRequest.newBuilder(base.resolve("/a/b"))
                .header("Authorization", "Bearer " + secret));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("GET /a/b");
    assertThat(answer.headers().firstValue("X-Price-Amount")).contains("0.010000");
  }

  @Test
  void thePublishedClientsFindItAndPay() throws Exception {
    NodeClients.install();

    JsonNode paid =
        NodeClients.run(Map.of(), List.of("pay.mjs", base + "search", "POST", "{\"q\":1}"));
    assertThat(paid.path("status").intValue()).as(paid.toString()).isEqualTo(200);
    assertThat(paid.path("price").textValue()).isEqualTo("0.050000");
    assertThat(paid.path("body").textValue()).isEqualTo("POST /search");
    assertThat(paid.at("/receipt/success").booleanValue()).isTrue();

    String found = base.toString().replaceFirst("/$", "");
    JsonNode listed = NodeClients.run(Map.of(), List.of("bazaar.mjs", found));
    assertThat(listed.path("problems")).as(listed.toString()).isEmpty();
    assertThat(listed.path("listed").intValue()).isEqualTo(3);
    assertThat(listed.path("tools").intValue()).isEqualTo(3);
  }

  @Test
  void theEquivalentFileStartsTheSame(@TempDir Path other) throws Exception {
    Path file = other.resolve("sold.properties");
    BuiltJar sell =
        BuiltJar.quickIn(other, "sell", "--price", "0.02", "--path", "/w")
            .and("--config", file.toString(), target);
    try (Running writing = sell.start()) {
      assertThat(writing.awaitExit()).as(writing::said).isZero();
      assertThat(writing.outText()).contains("--config " + file);
    }
    try (Running again = sell.start()) {
      assertThat(again.awaitExit()).isEqualTo(1);
      assertThat(again.errText()).contains("exists already");
    }
    try (Running serving =
        BuiltJar.quickIn(other, "--config", file.toString(), "--port", "0")
            .and("--data", other.toString())
            .start()) {
      URI there = serving.awaitReady();
      HttpResponse<String> unpaid = sent(HttpRequest.newBuilder(URI.create(there + "/w/x")));
      assertThat(unpaid.statusCode()).isEqualTo(402);
      assertThat(unpaid.body()).contains("\"20000\"");
      assertThat(serving.outText()).contains("pay", there + "/w\"");
    }
  }

  @Test
  void whatIsMissingIsSaid(@TempDir Path other) throws Exception {
    BuiltJar sell = BuiltJar.quickIn(other, "sell", "--port", "0", "--data", other.toString());
    try (Running free = sell.and(target).start()) {
      assertThat(free.awaitExit()).isEqualTo(1);
      assertThat(free.errText()).contains("gateway.routes.api.price: it is required");
      assertThat(free.errText()).doesNotContain("gateway.groups");
    }
    try (Running half = sell.and("--price", "1", "--pay-to", "0x1", target).start()) {
      assertThat(half.awaitExit()).isEqualTo(2);
      assertThat(half.errText()).contains("Give --pay-to and --facilitator together");
    }
  }
}

package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers may try at a route, and what a server behind one may answer. */
class RouteTricksTest {

  private RouteTarget target;
  private GatewayHost host;

  @BeforeEach
  void start() {
    target = new RouteTarget();
    host = host(Map.of());
  }

  private GatewayHost host(Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.routes.weather.path", "/weather");
    all.put("gateway.routes.weather.target", target.base() + "/api");
    all.put("gateway.routes.weather.price", "0.01");
    all.put("gateway.routes.weather.rules", "POST /search=0.05,/v1/docs:find=0.03");
    all.put("gateway.routes.weather.free", "/public/*");
    all.put("gateway.routes.weather.header.X-Key", "of-the-seller");
    all.put("gateway.admin.token", Admin.TOKEN);
    all.put("gateway.keys.master-key", Base64.getEncoder().encodeToString(new byte[32]));
    all.putAll(more);
    return GatewayHost.routing(all);
  }

  @AfterEach
  void stop() {
    host.close();
    target.close();
  }

  private void restart(Map<String, String> more) {
    host.close();
    host = host(more);
  }

  private static String charged(HttpResponse<?> answer) {
    return answer.headers().firstValue("X-Price-Amount").orElse("nothing");
  }

  /** A payment for a request, whatever its method. */
  private String payment(HttpRequest request) {
    PaymentRequired challenge =
        PaymentRequired.read(
            host.http().send(request).headers().firstValue("PAYMENT-REQUIRED").orElseThrow());
    return new PaymentSigner(Wallet.generate(), Clock.systemUTC())
        .sign(challenge, challenge.accepts().get(0));
  }

  /** Pays once, and takes the answer as it is. */
  private HttpResponse<String> paid(HttpRequest.Builder request) {
    String payment = payment(request.build());
    return host.http().send(request.header("PAYMENT-SIGNATURE", payment).build());
  }

  private HttpResponse<String> paid(String path) {
    return paid(host.http().request(path));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/weather/../admin/v1/keys | 400",
        "/weather/%2e%2e/admin | 400",
        "/weather/%2E./admin | 400",
        "/weather/./search | 400",
        "/weather/public/../search | 400",
        "/weather/public/%2e%2e/search | 400",
        "/weather/public/..%2fsearch | 400",
        "/weather/public/..%5csearch | 400",
        "/weather/public/%252e%252e/search | 400",
        "/weather/public%252f..%252fsearch | 400",
        "/weather/public/..;/search | 400",
        "/weather/public;x=1/../search | 400",
        "/weather/search;x=1 | 400",
        "/weather/search%3bx=1 | 400",
        "/weather/se%61rch | 400",
        "/weather/search%00 | 400",
        "/weather/search%0a | 400",
        "/weather/%c0%ae%c0%ae/search | 400",
        "/weather/s%ffarch | 400",
        "/weather/%zz | 400",
        "/weather//search | 404",
        "/weather/public//a | 404",
        "/weather/search// | 404",
        "/weather/PUBLIC/a | 404",
        "/Weather/paris | 404",
        "/weather%2fparis | 400",
        "//weather/paris | 404",
        "/weather/paris?d=%zz | 400",
        "/weather/paris?d=%ff | 400",
        "/weather/paris?d=\u00c3\u00a9 | 400",
        "/weather/public/a?d=\u00e9 | 400",
      })
  void noTrickReachesTheServer(String path, int status) {
    String answer =
        host.http()
            .raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 " + status);
    assertThat(answer).doesNotContainIgnoringCase("payment-required:");
    assertThat(target.seen()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/weather/search,0.050000",
    "POST,/weather/search/,0.050000",
    "GET,/weather/v1/docs:find,0.030000",
    "GET,/weather/v1/docs%3Afind,0.030000",
    "GET,/weather/s%C3%A9arch,0.010000"
  })
  void whatIsPricedIsWhatIsForwardedByteForByte(String method, String path, String price) {
    HttpResponse<String> answer =
        paid(
            host.http()
                .request(path + "?a=%2F&b=%20+c&&=x&a=2")
                .method(
                    method,
                    method.equals("POST")
                        ? BodyPublishers.ofString("{}")
                        : BodyPublishers.noBody()));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(charged(answer)).isEqualTo(price);
    assertThat(target.last().line())
        .isEqualTo(
            method
                + " /api"
                + path.substring("/weather".length())
                + "?a=%2F&b=%20+c&&=x&a=2 HTTP/1.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/weather/Search", "/weather/SEARCH/", "/weather/V1/docs:find"})
  void anotherSpellingIsNoCheaperPath(String path) {
    HttpRequest request = host.http().request(path).POST(BodyPublishers.ofString("{}")).build();

    assertThat(host.http().send(request).statusCode()).isEqualTo(404);
    assertThat(target.seen()).isEmpty();
  }

  @Test
  void whatACallerSaysOfItselfNeverReachesTheServer() {
    HttpRequest.Builder request = host.http().request("/weather/paris");
    for (String name :
        List.of(
            "X-Payer",
            "x-payer",
            "X_Payer",
            "X.Payer",
            "X-Payment-Id",
            "X_Payment_Id",
            "X-Price",
            "X_PRICE",
            "X-Price-Amount",
            "PAYMENT-RESPONSE",
            "PAYMENT-REQUIRED",
            "X-Payment-Receipt",
            "X-Octroi-Client",
            "X_Octroi_Inner",
            "X-Octroi-Uncharged",
            "Forwarded",
            "X-Forwarded-For",
            "X_Forwarded_For",
            "X-Forwarded-Host",
            "X-Forwarded-Proto",
            "X-Forwarded-User",
            "X-Real-IP",
            "Via",
            "X-HTTP-Method-Override",
            "X-Method-Override",
            "X-HTTP-Method",
            "X-Original-URL",
            "X-Rewrite-URL",
            "X-Original-Host",
            "X-Host",
            "X-Key",
            "X_Key",
            "TE",
            "Trailer",
            "Keep-Alive",
            "Proxy-Authorization",
            "Proxy-Connection",
            "HTTP2-Settings")) {
      request.header(name, "of-the-caller");
    }
    request.header("X-City", "kept").header("Cookie", "a=b").header("Accept-Language", "fr");

    assertThat(paid(request).statusCode()).isEqualTo(200);

    String head = target.last().head();
    assertThat(head).doesNotContain("of-the-caller");
    assertThat(target.last().header("X-City")).containsExactly("kept");
    assertThat(target.last().header("Cookie")).containsExactly("a=b");
    assertThat(target.last().header("Accept-Language")).containsExactly("fr");
    assertThat(target.last().header("X-Key")).containsExactly("of-the-seller");
    assertThat(target.last().header("X-Price")).containsExactly("0.010000");
    assertThat(target.last().header("X-Payer")).hasSize(1);
    assertThat(target.last().header("PAYMENT-SIGNATURE")).isEmpty();
    assertThat(target.last().header("X-Forwarded-For")).containsExactly("127.0.0.1");
    assertThat(target.last().header("X-Forwarded-Host"))
        .containsExactly(host.http().base().getRawAuthority());
  }

  @Test
  void whatTheConnectionHeaderNamesStaysOnTheConnection() {
    String payment = payment(host.http().request("/weather/paris").build());
    target.says(
        "/api/paris",
        RouteTarget.answer(
            200,
            "Connection: X-Hop, keep-alive\nX-Hop: 1\nKeep-Alive: timeout=5\nX-End: 2\n"
                + "Proxy-Authenticate: Basic\nTrailer: X-T\n",
            "21"));

    String answer =
        host.http()
            .raw(
                "GET /weather/paris HTTP/1.1\r\n"
                    + "Host: localhost\r\n"
                    + "Connection: close\r\n"
                    + "Connection: X-Mine, X-Payer, Host\r\n"
                    + "X-Mine: 1\r\n"
                    + "X-Theirs: 2\r\n"
                    + "PAYMENT-SIGNATURE: "
                    + payment
                    + "\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 200").containsIgnoringCase("X-End: 2");
    assertThat(answer.toLowerCase(Locale.ROOT))
        .doesNotContain("x-hop", "timeout=5", "proxy-authenticate", "trailer");
    assertThat(target.last().header("X-Mine")).isEmpty();
    assertThat(target.last().header("X-Theirs")).containsExactly("2");
    assertThat(target.last().header("X-Payer")).hasSize(1);
    assertThat(target.last().header("Host")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Authorization | Bearer %s",
        "Authorization | bearer  %s",
        "authorization | BEARER %s",
        "x-api-key | %s",
        "X-API-Key | %s"
      })
  void aKeyPaysAndNeverReachesTheServer(String name, String form) {
    String secret = key("\"weather\"");

    HttpResponse<String> answer =
        host.http()
            .send(
                host.http().request("/weather/paris").header(name, form.formatted(secret)).build());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(charged(answer)).isEqualTo("0.010000");
    assertThat(target.last().head()).doesNotContain(secret).doesNotContainIgnoringCase("bearer");
    assertThat(target.last().one("X-Payer")).get().asString().startsWith("0x");
  }

  private String key(String groups) {
    JsonNode key =
        Admin.ok(
            host.http()
                .send(
                    host.http()
                        .request("/admin/v1/keys")
                        .header("Authorization", "Bearer " + Admin.TOKEN)
                        .header("Content-Type", "application/json")
                        .POST(
                            BodyPublishers.ofString(
                                "{\"name\":\"shop\",\"fund\":\"1\",\"groups\":[" + groups + "]}"))
                        .build()));
    return key.path("secret").asText();
  }

  @Test
  void whereTheServerSaysAToolIsToAskNextItsCallersKeyPaysNothing() throws Exception {
    String dear = "{\"poll_url\":\"/v1/marketplace/cryptodata/market/etf\"}";
    target.says("/api", RouteTarget.answer(202, "Content-Type: application/json\n", dear));

    JsonNode answer =
        new ToolCaller(host.http())
            .called(
                "weather_get",
                "{}",
                "{}",
                "Authorization",
                "Bearer " + key("\"weather\",\"cryptodata\""));

    assertThat(answer.toString()).contains("poll_url");
    assertThat(host.vendor().asked()).isEmpty();
    assertThat(host.count("SELECT COUNT(*) FROM payment")).isEqualTo(1);
  }

  @Test
  void anotherCredentialOfTheCallersPassesWhereTheRouteSetsNone() {
    HttpResponse<String> answer =
        paid(host.http().request("/weather/paris").header("Authorization", "Basic dTpw"));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(target.last().header("Authorization")).containsExactly("Basic dTpw");

    HttpResponse<String> free =
        host.http()
            .send(
                host.http()
                    .request("/weather/public/a")
                    .header("Authorization", "Bearer sk-not-even-a-key")
                    .header("x-api-key", "sk-other")
                    .header("X-Payer", "0x1")
                    .build());
    assertThat(free.statusCode()).isEqualTo(200);
    assertThat(target.last().head()).doesNotContain("sk-", "0x1");
  }

  @Test
  void onlyTheHeadersThatARouteNamesPass() {
    restart(
        Map.of(
            "gateway.routes.weather.request-headers", "X-City",
            "gateway.routes.weather.response-headers", "ETag"));
    target.says(
        "/api/search",
        RouteTarget.answer(200, "Content-Type: text/plain\nETag: \"7\"\nX-Inside: 1\n", "21"));

    HttpResponse<String> answer =
        paid(
            host.http()
                .request("/weather/search")
                .header("X-City", "paris")
                .header("X-Other", "1")
                .header("Cookie", "a=b")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("x")));

    assertThat(answer.headers().map()).containsKey("etag").containsKey("content-type");
    assertThat(answer.headers().map()).doesNotContainKey("x-inside");
    assertThat(target.last().header("X-City")).containsExactly("paris");
    assertThat(target.last().header("Content-Type")).containsExactly("text/plain");
    assertThat(target.last().header("X-Other")).isEmpty();
    assertThat(target.last().header("Cookie")).isEmpty();
  }

  @Test
  void theServerCannotSpeakForTheGateway() {
    target.says(
        "/api/paris",
        RouteTarget.answer(
            200,
            "PAYMENT-RESPONSE: theirs\nX-PAYMENT-RESPONSE: theirs\nX-Price-Amount: 7\n"
                + "X-Payment-Id: theirs\nX-Octroi-Uncharged: true\nX-Octroi-Charged: true\n"
                + "X-Octroi-Metered: true\nX-Request-Id: theirs\nX-Sandbox: theirs\n"
                + "Access-Control-Allow-Origin: https://theirs.example\nAlt-Svc: h3\n"
                + "Accept-Ranges: bytes\n",
            "21"));

    HttpResponse<String> answer = paid("/weather/paris");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(charged(answer)).isEqualTo("0.010000");
    assertThat(answer.headers().map().toString()).doesNotContain("theirs");
    assertThat(answer.headers().map())
        .doesNotContainKeys("alt-svc", "accept-ranges", "x-octroi-uncharged", "x-octroi-metered");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "402 | PAYMENT-REQUIRED: e30=",
        "407 | Proxy-Authenticate: Basic",
        "301 | Location: /api/other",
        "302 | Location: https://files.example/signed?x=1",
        "303 | Location: /",
        "307 | Location: /",
        "206 | Content-Range: bytes 0-1/9",
        "304 | ETag: \"7\"",
      })
  void whatIsNoAnswerOfItsOwnIsRefusedAndNotCharged(int status, String header) {
    target.says(
        "/api/paris", "HTTP/1.1 " + status + " X\r\n" + header + "\r\nContent-Length: 0\r\n\r\n");
    String payment = payment(host.http().request("/weather/paris").build());

    HttpResponse<String> answer =
        host.http()
            .send(
                host.http().request("/weather/paris").header("PAYMENT-SIGNATURE", payment).build());

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("upstream_failed");
    assertThat(charged(answer)).isEqualTo("nothing");
    assertThat(answer.headers().firstValue("Location")).isEmpty();
    assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();

    target.says("/api/paris", RouteTarget.answer(200, "", "21"));
    assertThat(
            host.http()
                .send(
                    host.http()
                        .request("/weather/paris")
                        .header("PAYMENT-SIGNATURE", payment)
                        .build())
                .statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/api/other?x=1 | /weather/other?x=1",
        "%s/api/other | /weather/other",
        "%s/api | /weather",
        "%s/apiary | %s/apiary",
        "/elsewhere | /elsewhere",
        "//files.example/a | //files.example/a",
        "https://files.example/signed?x=1 | https://files.example/signed?x=1",
        "other | other",
      })
  void aRedirectThatIsSoldIsChargedAndLeadsIntoTheRoute(String location, String told) {
    restart(Map.of("gateway.routes.weather.redirects", "sell"));
    String base = target.base().toString();
    target.says(
        "/api/paris",
        RouteTarget.answer(302, "Location: " + location.replace("%s", base) + "\n", ""));

    HttpResponse<String> answer = paid("/weather/paris");

    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(charged(answer)).isEqualTo("0.010000");
    assertThat(answer.headers().firstValue("Location")).contains(told.replace("%s", base));
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isPresent();
  }

  @Test
  void onlyWholeAnswersAreSold() {
    assertThat(
            paid(host.http()
                    .request("/weather/paris")
                    .header("Range", "bytes=0-1")
                    .header("If-Range", "\"7\"")
                    .header("If-None-Match", "\"7\"")
                    .header("If-Modified-Since", "Wed, 21 Oct 2015 07:28:00 GMT")
                    .header("If-Match", "\"8\""))
                .statusCode())
        .isEqualTo(200);
    assertThat(target.last().head()).doesNotContain("Range", "If-None-Match", "If-Modified");
    assertThat(target.last().header("If-Match")).containsExactly("\"8\"");

    host.http().send(host.http().request("/weather/public/a").header("Range", "bytes=0-1").build());
    assertThat(target.last().header("Range")).containsExactly("bytes=0-1");
  }

  @Test
  void aWebSocketIsRefusedClearly() {
    String answer =
        host.http()
            .raw(
                "GET /weather/paris HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade,"
                    + " close\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 501").contains("WebSockets are not sold here");
    assertThat(target.seen()).isEmpty();
  }

  @Test
  void otherMethodsAreToldApartFromPaths() {
    HttpResponse<String> deleted =
        host.http().send(host.http().request("/weather/paris").DELETE().build());
    assertThat(deleted.statusCode()).isEqualTo(405);
    assertThat(deleted.headers().firstValue("Allow")).contains("GET, OPTIONS, POST");
    HttpResponse<String> head =
        host.http()
            .send(
                host.http()
                    .request("/weather/paris")
                    .method("HEAD", BodyPublishers.noBody())
                    .build());
    assertThat(head.statusCode()).isEqualTo(405);
    HttpResponse<String> options =
        host.http()
            .send(
                host.http()
                    .request("/weather/paris")
                    .method("OPTIONS", BodyPublishers.noBody())
                    .build());
    assertThat(options.statusCode()).isEqualTo(204);
    assertThat(target.seen()).isEmpty();

    HttpResponse<String> free =
        host.http()
            .send(
                host.http()
                    .request("/weather/public/a")
                    .method("HEAD", BodyPublishers.noBody())
                    .build());
    assertThat(free.statusCode()).isEqualTo(200);
    assertThat(target.last().line()).startsWith("HEAD /api/public/a");
  }

  @Test
  void aPageMayAskWhetherItMayCall() {
    HttpResponse<String> preflight =
        host.http()
            .send(
                host.http()
                    .request("/weather/paris")
                    .method("OPTIONS", BodyPublishers.noBody())
                    .header("Origin", "http://localhost:3000")
                    .header("Access-Control-Request-Method", "GET")
                    .header("Access-Control-Request-Headers", "x-city")
                    .build());

    assertThat(preflight.statusCode()).isEqualTo(204);
    assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
        .contains("GET, POST");
    assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers").orElse(""))
        .contains("PAYMENT-SIGNATURE")
        .endsWith("x-city");
    assertThat(target.seen()).isEmpty();
  }

  @Test
  void pagesOfOtherSitesAreKeptFromSandboxMoneyHereToo() {
    HttpResponse<String> answer =
        host.http()
            .send(
                host.http()
                    .request("/weather/public/a")
                    .header("Origin", "https://evil.example")
                    .build());

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(target.seen()).isEmpty();
  }

  @Test
  void aBodyOverTheLimitIsRefusedBeforeAPaymentIsAskedFor() {
    restart(Map.of("gateway.routes.weather.body-limit", "16B"));
    HttpRequest.Builder announced =
        host.http().request("/weather/search").POST(BodyPublishers.ofString("x".repeat(17)));
    assertThat(host.http().send(announced.build()).statusCode()).isEqualTo(413);

    HttpRequest.Builder small =
        host.http().request("/weather/search").POST(BodyPublishers.ofString("x".repeat(16)));
    String payment = payment(small.build());
    String chunked =
        host.http()
            .raw(
                "POST /weather/search HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\nPAYMENT-SIGNATURE: "
                    + payment
                    + "\r\n\r\n11\r\n"
                    + "x".repeat(17)
                    + "\r\n0\r\n\r\n");
    assertThat(chunked).startsWith("HTTP/1.1 413").doesNotContain("PAYMENT-RESPONSE");
    assertThat(target.seen()).isEmpty();

    HttpResponse<String> whole =
        host.http().send(small.header("PAYMENT-SIGNATURE", payment).build());
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(target.last().body()).isEqualTo("x".repeat(16));
  }

  @Test
  void aBodyInPiecesReachesTheServerWithItsLength() {
    HttpRequest.Builder request =
        host.http().request("/weather/search").POST(BodyPublishers.ofString("{\"q\":1}"));
    String payment = payment(request.build());

    String answer =
        host.http()
            .raw(
                "POST /weather/search HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\nPAYMENT-SIGNATURE: "
                    + payment
                    + "\r\n\r\n3\r\n{\"q\r\n4\r\n\":1}\r\n0\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 200");
    assertThat(target.last().header("Content-Length")).containsExactly("7");
    assertThat(target.last().header("Transfer-Encoding")).isEmpty();
    assertThat(target.last().body()).isEqualTo("{\"q\":1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 1e1\r\n\r\nhello",
        "Content-Length: -5\r\n\r\nhello"
      })
  void aRequestOfAmbiguousLengthNeverReachesTheServer(String rest) {
    host.http()
        .raw("POST /weather/public/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + rest);

    assertThat(target.seen())
        .allSatisfy(
            seen -> {
              assertThat(seen.line()).startsWith("POST /api/public/a");
              assertThat(seen.header("Transfer-Encoding")).isEmpty();
              assertThat(seen.header("Content-Length")).hasSizeLessThan(2);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 X\r\n"
            + "Content-Length: 2\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
            + "2\r\n"
            + "21\r\n"
            + "0\r\n\r\n",
        "HTTP/1.1 200 X\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n21",
        "HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n21",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n21",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n21",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n21\r\n0\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        "nonsense\r\n\r\n",
        ""
      })
  void anAnswerThatCannotBeReadToItsEndIsNotCharged(String wire) {
    target.says(
        "/api/paris",
        out -> {
          out.write(wire.getBytes(StandardCharsets.ISO_8859_1));
          out.close();
        });

    HttpResponse<String> answer = paid("/weather/paris");

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(charged(answer)).isEqualTo("nothing");
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
  }

  @Test
  void anAnswerThatIsTooLongIsNotCharged() {
    restart(Map.of("gateway.routes.weather.answer-limit", "16B"));
    target.says("/api/long", RouteTarget.answer(200, "", "x".repeat(17)));
    target.says(
        "/api/chunked",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n11\r\n"
            + "x".repeat(17)
            + "\r\n0\r\n\r\n");
    target.says("/api/head", RouteTarget.answer(200, "X-Long: " + "x".repeat(20_000) + "\n", "21"));

    for (String path : List.of("/weather/long", "/weather/chunked", "/weather/head")) {
      HttpResponse<String> answer = paid(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(502);
      assertThat(charged(answer)).isEqualTo("nothing");
    }
  }

  @Test
  void aServerThatIsSilentEndsTheCallAtItsDeadline() {
    restart(Map.of("gateway.routes.weather.deadline", "3s"));
    CountDownLatch never = new CountDownLatch(1);
    target.says("/api/paris", out -> never.await());

    HttpResponse<String> answer = paid("/weather/paris");
    never.countDown();

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("in time");
    assertThat(charged(answer)).isEqualTo("nothing");
  }

  @Test
  void aServerThatIsNotThereIsToldSo() {
    target.close();

    HttpResponse<String> answer = paid("/weather/paris");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("upstream_unavailable").doesNotContain("127.0.0.1");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    target = new RouteTarget();
  }

  @Test
  void onlyAReadIsRepeated() {
    String busy = RouteTarget.answer(503, "", "busy");
    target.says(
        "/api/paris",
        out -> {
          boolean first = target.seen().size() == 1;
          out.write(
              (first ? busy : RouteTarget.answer(200, "", "21"))
                  .getBytes(StandardCharsets.ISO_8859_1));
        });
    assertThat(paid("/weather/paris").statusCode()).isEqualTo(200);
    assertThat(target.seen()).hasSize(2);

    target.says("/api/search", busy);
    HttpResponse<String> once =
        paid(host.http().request("/weather/search").POST(BodyPublishers.ofString("{}")));
    assertThat(once.statusCode()).isEqualTo(503);
    assertThat(once.body()).isEqualTo("busy");
    assertThat(target.seen()).hasSize(3);
  }

  @Test
  void aBrowserGetsAPageOfWhatItCosts() {
    HttpResponse<String> page =
        host.http()
            .send(
                host.http()
                    .request("/weather/paris")
                    .header("Accept", "text/html,application/xhtml+xml")
                    .build());

    assertThat(page.statusCode()).isEqualTo(402);
    assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
    assertThat(page.headers().firstValue("PAYMENT-REQUIRED")).isPresent();
    assertThat(page.body()).contains("0.01");
  }

  @Test
  void aPaymentIsGoodForTheRequestThatItWasMadeFor() {
    String payment = payment(host.http().request("/weather/paris").build());
    HttpResponse<String> first =
        host.http()
            .send(
                host.http().request("/weather/paris").header("PAYMENT-SIGNATURE", payment).build());
    HttpResponse<String> again =
        host.http()
            .send(
                host.http().request("/weather/paris").header("PAYMENT-SIGNATURE", payment).build());
    HttpResponse<String> other =
        host.http()
            .send(
                host.http().request("/weather/rome").header("PAYMENT-SIGNATURE", payment).build());

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(again.statusCode()).isEqualTo(402);
    assertThat(other.statusCode()).isEqualTo(402);
    assertThat(target.seen()).hasSize(1);
  }

  @Test
  void aCheaperPathsPaymentBuysNoDearerOne() {
    PaidAnswer cheap = host.paid("/weather/paris");
    assertThat(cheap.status()).isEqualTo(200);
    String payment = payment(host.http().request("/weather/rome").build());

    HttpResponse<String> answer =
        host.http()
            .send(
                host.http()
                    .request("/weather/v1/docs:find")
                    .header("PAYMENT-SIGNATURE", payment)
                    .build());

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(target.seen()).hasSize(1);
  }

  @Test
  void whatEncodesABodyPassesWithItWhateverARouteNames() {
    restart(
        Map.of(
            "gateway.routes.weather.request-headers", "Accept-Encoding",
            "gateway.routes.weather.response-headers", "ETag"));
    target.says(
        "/api/search",
        RouteTarget.answer(200, "Content-Type: text/plain\nContent-Encoding: gzip\n", "zipped"));

    HttpResponse<String> answer =
        paid(
            host.http()
                .request("/weather/search")
                .header("Accept-Encoding", "gzip")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofString("zipped")));

    assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(target.last().header("Content-Encoding")).containsExactly("gzip");
  }

  @Test
  void aServerThatStatesItsLengthTwiceIsReadOrRefusedButNoIncident() {
    target.says("/api/paris", "HTTP/1.1 200 X\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n21");

    HttpResponse<String> answer = paid("/weather/paris");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("21");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/other?x=1 | /weather/other?x=1",
        "%s/other | /weather/other",
        "%s | /weather",
        "%s?x=1 | /weather?x=1",
        "%s.example/other | %s.example/other",
        "other | other",
        "?x=1 | ?x=1",
        "#part | #part",
        "./other | ./other",
        "//files.example/a | //files.example/a",
        "https://files.example/a | https://files.example/a",
      })
  void aRedirectOfAServerAtItsRootLeadsWhereItSays(String location, String told) {
    restart(Map.of("gateway.routes.weather.target", target.base().toString()));
    String base = target.base().toString();
    target.says(
        "/public/a",
        RouteTarget.answer(302, "Location: " + location.replace("%s", base) + "\n", ""));

    assertThat(host.http().get("/weather/public/a").headers().firstValue("Location"))
        .contains(told.replace("%s", base));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/Weather/paris", "/WEATHER/search", "/Weather"})
  void anotherSpellingOfARoutesPathIsNoCheaperRoute(String path) {
    restart(
        Map.of(
            "gateway.routes.all.path", "/",
            "gateway.routes.all.target", target.base() + "/",
            "gateway.routes.all.price", "0.001"));

    assertThat(host.http().get(path).statusCode()).isEqualTo(404);
    assertThat(host.http().get("/weatherman").statusCode()).isEqualTo(402);
    assertThat(target.seen()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "host",
        "Connection",
        "Content-Length",
        "Expect",
        "Transfer-Encoding",
        "Upgrade",
        "TE",
        "X-Payer",
        "x_payer",
        "X-Request-Id",
        "X-Forwarded-For"
      })
  void aHeaderThatARouteCannotSetForbidsTheStart(String name) {
    String setting = "gateway.routes.weather.header." + name;

    assertThatThrownBy(() -> host(Map.of(setting, "5")).close())
        .hasMessageContaining(setting)
        .hasMessageContaining("sets itself");
  }
}

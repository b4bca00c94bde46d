package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which web pages may use sandbox money on a loopback address, as the requests of browsers that
 * other sites drive. Raw sockets, because a client would write another {@code Host}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SandboxPagesTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String ORIGINS = "gateway.sandbox.allowed-origins";
  private static final String HOSTS = "gateway.http.hosts";

  private GatewayHost host;

  @BeforeAll
  void open() {
    host = new GatewayHost(Map.of());
  }

  @AfterAll
  void close() {
    host.close();
  }

  private static String get(GatewayHost asked, String target, String... headers) {
    return asked
        .http()
        .raw(
            "GET "
                + target
                + " HTTP/1.1\r\nConnection: close\r\n"
                + String.join("\r\n", headers)
                + "\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1:8402",
        "127.8.4.2:1",
        "localhost",
        "LOCALHOST:8402",
        "localhost.:8402",
        "gateway.localhost:3000",
        "[::1]:8402",
        "[0:0:0:0:0:0:0:1]"
      })
  void thisMachinesOwnNamesAreServed(String name) {
    assertThat(get(host, READ, "Host: " + name)).startsWith("HTTP/1.1 402");
    assertThat(get(host, "/health/live", "Host: " + name)).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8402",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evillocalhost",
        "0.0.0.0:8402",
        "192.168.1.5:8402",
        "[2001:db8::1]:8402",
        "128.0.0.1",
        "999.999.999.999",
        "2130706433"
      })
  void aNameThatWasReboundToThisMachineIsRefused(String name) {
    for (String target : new String[] {READ, "/", "/health/live", "/openapi.json", "/v1/nothing"}) {
      String answer = get(host, target, "Host: " + name);
      assertThat(answer).as(target).startsWith("HTTP/1.1 403").contains(HOSTS);
      assertThat(answer).containsPattern("\\{\"error\":\"[^\"]+\"}");
      assertThat(answer).doesNotContainIgnoringCase("Access-Control-Allow", name);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example",
        "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1",
        "GET http://evil.example/v1/models HTTP/1.0",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example",
        "GET / HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1"
      })
  void noWayToNameAHostLeadsIn(String head) {
    assertThat(host.http().raw(head + "\r\nConnection: close\r\n\r\n"))
        .matches("(?s)HTTP/1\\.[01] (400|403) .*");
  }

  @Test
  void aClientOfOldThatNamesNoHostIsNoPageAndIsServed() {
    assertThat(host.http().raw("GET " + READ + " HTTP/1.0\r\n\r\n")).contains(" 402 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:3000",
        "https://localhost",
        "http://127.0.0.1:5173",
        "http://[::1]:8080",
        "http://shop.localhost:3000",
        "HTTP://LOCALHOST:3000"
      })
  void pagesOfThisMachineMayPay(String origin) {
    String answer = get(host, READ, "Host: localhost", "Origin: " + origin);

    assertThat(answer)
        .startsWith("HTTP/1.1 402")
        .contains("Access-Control-Allow-Origin: " + origin, "Access-Control-Expose-Headers:")
        .containsPattern("(?i)\r\nVary: [^\r]*Origin");
    assertThat(preflight(host, origin)).startsWith("HTTP/1.1 204").contains("PAYMENT-SIGNATURE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "http://localhost.evil.example:3000",
        "http://evil.example:8402",
        "http://0.0.0.0:3000",
        "null",
        "file://",
        "chrome-extension://abcdefghijklmnop",
        "no uri",
        "http://localhost@evil.example"
      })
  void pagesOfOtherOriginsAreRefused(String origin) {
    for (String target : new String[] {READ, "/v1/models", "/health/ready", "/nothing"}) {
      String answer = get(host, target, "Host: 127.0.0.1", "Origin: " + origin);
      assertThat(answer).as(target).startsWith("HTTP/1.1 403").contains(ORIGINS);
      assertThat(answer).doesNotContainIgnoringCase("Access-Control-Allow-Origin");
    }
    assertThat(preflight(host, origin))
        .startsWith("HTTP/1.1 403")
        .doesNotContain("Access-Control-Allow");
  }

  private static String preflight(GatewayHost asked, String origin) {
    return asked
        .http()
        .raw(
            "OPTIONS "
                + READ
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: "
                + origin
                + "\r\nAccess-Control-Request-Method: GET\r\n\r\n");
  }

  @Test
  void aFormOfAnotherSiteIsRefusedBeforeItReachesAnything() {
    String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
    for (String target : new String[] {"/mcp", "/v1/marketplace/cryptodata/onchain/sql"}) {
      String answer =
          host.http()
              .raw(
                  "POST "
                      + target
                      + " HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n"
                      + "Content-Type: text/plain\r\nConnection: close\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body);
      assertThat(answer).as(target).startsWith("HTTP/1.1 403");
    }
    assertThat(host.vendor().asked()).isEmpty();
  }

  @Test
  void whatAnotherSiteEmbedsIsRefusedAndAnAddressThatIsVisitedIsNot() {
    String[] image = {
      "Host: 127.0.0.1",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: no-cors",
      "Sec-Fetch-Dest: image"
    };
    String[] frame = {
      "Host: 127.0.0.1",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: iframe"
    };
    String[] ownImage = {
      "Host: 127.0.0.1",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: no-cors",
      "Sec-Fetch-Dest: image",
      "Referer: http://localhost:3000/shop"
    };
    String[] visit = {
      "Host: 127.0.0.1",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: navigate",
      "Sec-Fetch-Dest: document",
      "Referer: https://docs.example/"
    };
    String[] typed = {"Host: 127.0.0.1", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"};

    assertThat(get(host, "/docs/icon.svg", image)).startsWith("HTTP/1.1 403").contains(ORIGINS);
    assertThat(get(host, "/docs", frame)).startsWith("HTTP/1.1 403");
    assertThat(get(host, "/docs/icon.svg", ownImage)).startsWith("HTTP/1.1 200");
    assertThat(get(host, "/docs", visit)).startsWith("HTTP/1.1 200");
    assertThat(get(host, "/docs", typed)).startsWith("HTTP/1.1 200");
  }

  @Test
  void settingsNameFurtherHostsAndOrigins() {
    Map<String, String> settings =
        Map.of(HOSTS, "gateway.test, 192.168.1.5", ORIGINS, "https://shop.test,null");
    try (GatewayHost wider = new GatewayHost(settings)) {
      assertThat(get(wider, READ, "Host: Gateway.Test:9000")).startsWith("HTTP/1.1 402");
      assertThat(get(wider, READ, "Host: 192.168.1.5")).startsWith("HTTP/1.1 402");
      assertThat(get(wider, READ, "Host: other.test")).startsWith("HTTP/1.1 403");
      for (String origin : new String[] {"https://shop.test", "null", "http://localhost"}) {
        assertThat(get(wider, READ, "Host: localhost", "Origin: " + origin))
            .startsWith("HTTP/1.1 402")
            .contains("Access-Control-Allow-Origin: " + origin);
      }
      assertThat(get(wider, READ, "Host: localhost", "Origin: https://shop.test:444"))
          .startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void anOperatorMayOpenItToEveryPage() {
    try (GatewayHost open = new GatewayHost(Map.of(ORIGINS, "*"))) {
      assertThat(get(open, READ, "Host: a.example", "Origin: https://b.example"))
          .startsWith("HTTP/1.1 402")
          .contains("Access-Control-Allow-Origin: *");
    }
  }

  @Test
  void realMoneyIsTakenFromEveryPage() {
    try (GatewayHost real =
        new GatewayHost(
            Map.of(
                "gateway.payments.mode", "remote",
                "gateway.payments.pay-to", "0x00000000000000000000000000000000000000aa",
                "gateway.facilitator.urls", "http://127.0.0.1:1",
                "gateway.language.upstreams.messages", "http://127.0.0.1:1"))) {
      assertThat(get(real, "/v1/models", "Host: a.example", "Origin: https://b.example"))
          .startsWith("HTTP/1.1 200")
          .contains("Access-Control-Allow-Origin: *");
      assertThat(preflight(real, "https://b.example"))
          .startsWith("HTTP/1.1 204")
          .contains("Access-Control-Allow-Origin: *");
    }
  }

  @Test
  void aProxyThatIsTrustedDoesNotHideTheNameThatWasCalled() {
    try (GatewayHost behind =
        new GatewayHost(Map.of("gateway.http.trusted-proxies", "127.0.0.1"))) {
      assertThat(get(behind, READ, "Host: 127.0.0.1", "X-Forwarded-Host: evil.example"))
          .startsWith("HTTP/1.1 403");
      assertThat(get(behind, READ, "Host: evil.example", "X-Forwarded-Host: localhost"))
          .startsWith("HTTP/1.1 403");
      assertThat(get(behind, READ, "Host: 127.0.0.1", "X-Forwarded-Host: gateway.localhost"))
          .startsWith("HTTP/1.1 402");
    }
  }
}

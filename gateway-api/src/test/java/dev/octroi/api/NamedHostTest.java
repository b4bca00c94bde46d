package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.x402.PaymentRequired;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose word is taken for the host that documents and challenges name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:decision.base_url")
class NamedHostTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private GatewayHost host;
  private GatewayHost named;

  @BeforeAll
  void open() {
    // What a caller names is believed with any money alike; `*` lets every name in.
    host = new GatewayHost(Map.of("gateway.sandbox.allowed-origins", "*"));
    named =
        new GatewayHost(
            Map.of(
                "gateway.http.hosts", "api.example, 203.0.113.7",
                "gateway.sandbox.allowed-origins", "*"));
  }

  @AfterAll
  void close() {
    named.close();
    host.close();
  }

  private static String get(GatewayHost asked, String target, String name) {
    return asked
        .http()
        .raw("GET " + target + " HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/.well-known/x402",
        "/llms.txt",
        "/discovery/resources",
        "/discovery/resources?type=mcp",
        "/openapi.json",
        "/docs",
        "/",
        READ
      })
  void aHostThatIsNoneOfOursStandsInNoAnswer(String target) {
    for (String name : new String[] {"evil.example", "api.example.evil.example:443"}) {
      String answer = get(host, target, name);
      assertThat(answer).doesNotContain("evil.example");
      assertThat(challenged(answer)).doesNotContain("evil.example");
    }
  }

  @Test
  void theConnectorsOwnAddressIsToldInstead() {
    assertThat(get(host, "/.well-known/x402", "evil.example"))
        .contains("\"" + host.http().base() + "/llms.txt\"");
    assertThat(challenged(get(host, READ, "evil.example"))).isEqualTo(host.http().base() + READ);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:9000", "127.0.0.1", "gateway.localhost"})
  void thisMachineIsToldAsItWasCalled(String name) {
    assertThat(challenged(get(host, READ, name))).isEqualTo("http://" + name + READ);
  }

  @Test
  void aHostThatIsListedIsToldAsItWasCalled() {
    assertThat(challenged(get(named, READ, "api.example"))).isEqualTo("http://api.example" + READ);
    assertThat(get(named, "/llms.txt", "API.example:8443"))
        .contains("(http://API.example:8443/discovery/resources)");
    assertThat(challenged(get(named, READ, "203.0.113.7:81")))
        .isEqualTo("http://203.0.113.7:81" + READ);
    assertThat(challenged(get(named, READ, "www.api.example")))
        .isEqualTo(named.http().base() + READ);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/.well-known/x402", "/llms.txt", "/discovery/resources"})
  void noCacheKeepsADocumentThatNamesItsHost(String target) {
    assertThat(get(host, target, "localhost")).containsIgnoringCase("Cache-Control: no-store");
  }

  @Test
  void ofAddressesThatProxiesPassOnOnlyTheirOwnAreBelieved() {
    Map<String, String> settings =
        Map.of(
            "gateway.http.trusted-proxies", "127.0.0.1,10.0.0.0/8",
            "gateway.sandbox.allowed-origins", "*");
    try (GatewayHost behind = new GatewayHost(settings)) {
      // What a caller sent stands before what the proxies added.
      assertThat(forwarded(behind, "203.0.113.9", "evil.example, api.example"))
          .isEqualTo("http://api.example" + READ);
      assertThat(forwarded(behind, "203.0.113.9, 10.1.1.1", "evil.example, api.example, inner"))
          .isEqualTo("http://api.example" + READ);
      assertThat(forwarded(behind, "203.0.113.9, 10.1.1.1", "api.example"))
          .isEqualTo("http://api.example" + READ);
      // A proxy that writes one of the two headers passes the caller's other one.
      assertThat(forwarded(behind, "203.0.113.9", "api.example\r\nForwarded: host=evil.example"))
          .doesNotContain("evil");
    }
  }

  private static String forwarded(GatewayHost behind, String addresses, String hosts) {
    return challenged(
        behind
            .http()
            .raw(
                "GET "
                    + READ
                    + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Forwarded-For: "
                    + addresses
                    + "\r\nX-Forwarded-Host: "
                    + hosts
                    + "\r\n\r\n"));
  }

  /** The address that a challenge names; empty where there is none. */
  private static String challenged(String answer) {
    Matcher header = Pattern.compile("(?i)\r\nPAYMENT-REQUIRED: ([^\r]+)").matcher(answer);
    return header.find() ? PaymentRequired.read(header.group(1)).resource().url() : "";
  }
}

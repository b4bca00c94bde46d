package dev.octroi.payments.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.HostNaming;
import dev.octroi.payments.jaxrs.TestRequest;
import java.net.URI;
import java.util.function.UnaryOperator;
import org.glassfish.jersey.server.ContainerRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceUrlTest {

  private static final String[] FORWARDED = {
    "X-Forwarded-Proto", "https", "X-Forwarded-Host", "evil.example, api.example.com:444, inner"
  };

  private static ResourceUrl calledDirectly() {
    return behindProxies(0);
  }

  private static ResourceUrl behindProxies(int trusted) {
    return new ResourceUrl(
        null, "", request -> trusted, HostNaming.AS_CALLED, UnaryOperator.identity());
  }

  private static ResourceUrl published(String address) {
    return new ResourceUrl(
        URI.create(address), "", request -> 1, HostNaming.AS_CALLED, UnaryOperator.identity());
  }

  @Test
  @Tag("spec:decision.base_url")
  void withoutAnySettingItIsWhatTheContainerSaw() {
    assertThat(calledDirectly().of(TestRequest.get("/read?pair=a%2Fb", FORWARDED)))
        .isEqualTo("http://10.0.0.7:8402/shop/api/read?pair=a%2Fb");
  }

  @Test
  @Tag("spec:decision.base_url")
  void trustedForwardedHeadersNameSchemeAndHost() {
    assertThat(behindProxies(2).of(TestRequest.get("/read", FORWARDED)))
        .isEqualTo("https://api.example.com:444/shop/api/read");
  }

  @ParameterizedTest
  @CsvSource({
    "https://proxy.example.com/shop/api/read?pair=BTC-USDT, true",
    "http://10.0.0.7:8402/shop/api/read, true",
    "http://10.0.0.7:8402, true",
    "http://10.0.0.7:8402/, true",
    "http://10.0.0.7:8402/shop/api/write, false",
    "http://10.0.0.7:8402/shop/api/read/, false",
    "http://10.0.0.7:8402/shop/api/%72ead, true",
    "http://10.0.0.7:8402/shop/api/%2Fread, false",
    "http://10.0.0.7:8402/shop/read, false",
    "http://10.0.0.7:8402/read, false",
    "/shop/api/read, true",
    "read, false",
    "urn:read, false",
    "not an address, false"
  })
  void aPaymentConcernsTheRequestWhosePathItNames(String paidFor, boolean agrees) {
    ResourceUrl url = calledDirectly();

    assertThat(url.agrees(paidFor, TestRequest.get("/read?pair=ETH-USDT"))).isEqualTo(agrees);
  }

  @ParameterizedTest
  @CsvSource({
    "/na%C3%AFve, http://10.0.0.7/shop/api/na%c3%afve, true",
    "/na%C3%AFve, http://10.0.0.7/shop/api/naïve, true",
    "/~user, http://10.0.0.7/shop/api/%7Euser, true",
    "/a%20b, http://10.0.0.7/shop/api/a%20b, true",
    "/a%20b, http://10.0.0.7/shop/api/a+b, false",
    "/a/b, http://10.0.0.7/shop/api/a%2Fb, false",
    "/a%2Fb, http://10.0.0.7/shop/api/a%2fb, true",
    "/a, http://10.0.0.7/shop/api/A, false"
  })
  void spellingsOfOnePathAreOnePath(String called, String paidFor, boolean agrees) {
    assertThat(calledDirectly().agrees(paidFor, TestRequest.get(called))).isEqualTo(agrees);
  }

  @ParameterizedTest
  @CsvSource({
    "http://10.0.0.7:8402/shop/api/alias/x, true",
    "http://10.0.0.7:8402/shop/api/canonical/x, true",
    "http://10.0.0.7:8402/shop/api/other/x, false",
    "http://10.0.0.7:8402/alias/x, false"
  })
  void anAliasIsThePathThatItStandsFor(String paidFor, boolean agrees) {
    ResourceUrl urls =
        new ResourceUrl(
            null,
            "",
            request -> 0,
            HostNaming.AS_CALLED,
            path -> path.replaceFirst("^/alias/", "/canonical/"));

    assertThat(urls.agrees(paidFor, TestRequest.get("/canonical/x"))).isEqualTo(agrees);
  }

  @Test
  void theAddressIsTheOneThatWasAskedForWhateverFiltersMakeOfIt() {
    ContainerRequest received = TestRequest.request("/alias/x?a=1%2C2");
    Exchange request = TestRequest.received(received);
    received.setRequestUri(received.getBaseUri(), received.getBaseUri().resolve("canonical/x?b=1"));

    assertThat(calledDirectly().of(request))
        .isEqualTo("http://10.0.0.7:8402/shop/api/alias/x?a=1%2C2");
    assertThat(calledDirectly().agrees("http://10.0.0.7/shop/api/alias/x", request)).isTrue();
    assertThat(calledDirectly().agrees("http://10.0.0.7/shop/api/canonical/x", request)).isTrue();
    assertThat(calledDirectly().agrees("http://10.0.0.7/shop/api/alias/y", request)).isFalse();
  }

  @Test
  void aHostThatIsNoneOfOursIsNotNamed() {
    ResourceUrl urls =
        new ResourceUrl(
            null,
            "",
            request -> 0,
            (request, named) -> named.startsWith("ours.") ? named : "10.0.0.7:8402",
            UnaryOperator.identity());

    assertThat(urls.of(TestRequest.get("/read", "Host", "ours.example")))
        .isEqualTo("http://ours.example/shop/api/read");
    assertThat(urls.of(TestRequest.get("/read", "Host", "evil.example")))
        .isEqualTo("http://10.0.0.7:8402/shop/api/read");
    assertThat(urls.of(TestRequest.get("/read", "Host", "evil/../x")))
        .isEqualTo("http://10.0.0.7:8402/shop/api/read");
  }

  @Test
  void whereTwoForwardedHeadersDifferNeitherIsBelieved() {
    assertThat(
            behindProxies(1)
                .of(
                    TestRequest.get(
                        "/read", "X-Forwarded-Host", "a.example", "Forwarded", "host=b.example")))
        .isEqualTo("http://10.0.0.7:8402/shop/api/read");
  }

  @ParameterizedTest
  @CsvSource({
    "https://example.com/gateway/read, true",
    "https://EXAMPLE.com/gateway/read?a=1, true",
    "https://proxy.example/gateway/read, true",
    "http://10.0.0.7:8402/shop/api/read, true",
    "https://example.com/shop/api/read, false",
    "https://proxy.example/shop/api/read, false",
    "https://example.com/read, false"
  })
  void besideThePublicAddressOnlyTheOneThatWasCalledIsGood(String paidFor, boolean agrees) {
    ResourceUrl urls = published("https://example.com/gateway/");

    assertThat(urls.agrees(paidFor, TestRequest.get("/read", "Host", "10.0.0.7:8402")))
        .isEqualTo(agrees);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "proto=https;host=api.example.com | https://api.example.com/shop/api/read",
        "for=1.2.3.4; Host=\"[::1]:80\";Proto=http | http://[::1]:80/shop/api/read",
        "host=first.example, host=second.example | http://second.example/shop/api/read",
        "proto=javascript;host=evil/../x | http://10.0.0.7:8402/shop/api/read",
        "for=1.2.3.4 | http://10.0.0.7:8402/shop/api/read"
      })
  void theStandardHeaderIsReadWithCare(String forwarded, String expected) {
    assertThat(behindProxies(1).of(TestRequest.get("/read", "Forwarded", forwarded)))
        .isEqualTo(expected);
  }

  @Test
  @Tag("spec:decision.base_url")
  void aPublicAddressStandsForTheApplications() {
    ResourceUrl urls = published("https://example.com/gateway/");

    assertThat(urls.of(TestRequest.get("/read?a=1", FORWARDED)))
        .isEqualTo("https://example.com/gateway/read?a=1");
  }

  @Test
  void aVeryLongQueryIsLeftOut() {
    assertThat(calledDirectly().of(TestRequest.get("/read?q=" + "a".repeat(3000))))
        .isEqualTo("http://10.0.0.7:8402/shop/api/read");
  }
}

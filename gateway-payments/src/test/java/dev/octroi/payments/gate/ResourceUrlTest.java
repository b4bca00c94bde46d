package dev.octroi.payments.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceUrlTest {

  private static final String[] FORWARDED = {
    "X-Forwarded-Proto", "https", "X-Forwarded-Host", "api.example.com:444, inner"
  };

  @Test
  @Tag("spec:decision.base_url")
  void withoutAnySettingItIsWhatTheContainerSaw() {
    assertThat(
            new ResourceUrl(null, request -> false)
                .of(TestRequest.get("/read?pair=a%2Fb", FORWARDED)))
        .isEqualTo("http://10.0.0.7:8402/shop/api/read?pair=a%2Fb");
  }

  @Test
  @Tag("spec:decision.base_url")
  void trustedForwardedHeadersNameSchemeAndHost() {
    assertThat(new ResourceUrl(null, request -> true).of(TestRequest.get("/read", FORWARDED)))
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
    "http://10.0.0.7:8402/shop/api/%72ead, false",
    "not an address, false"
  })
  void aPaymentConcernsTheRequestWhosePathItNames(String paidFor, boolean agrees) {
    ResourceUrl url = new ResourceUrl(null, request -> false);

    assertThat(url.agrees(paidFor, TestRequest.get("/read?pair=ETH-USDT"))).isEqualTo(agrees);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "proto=https;host=api.example.com | https://api.example.com/shop/api/read",
        "for=1.2.3.4; Host=\"[::1]:80\";Proto=http | http://[::1]:80/shop/api/read",
        "host=first.example, host=second.example | http://first.example/shop/api/read",
        "proto=javascript;host=evil/../x | http://10.0.0.7:8402/shop/api/read",
        "for=1.2.3.4 | http://10.0.0.7:8402/shop/api/read"
      })
  void theStandardHeaderIsReadWithCare(String forwarded, String expected) {
    assertThat(
            new ResourceUrl(null, request -> true)
                .of(TestRequest.get("/read", "Forwarded", forwarded)))
        .isEqualTo(expected);
  }

  @Test
  @Tag("spec:decision.base_url")
  void aPublicAddressStandsForTheApplications() {
    ResourceUrl urls = new ResourceUrl(URI.create("https://example.com/gateway/"), request -> true);

    assertThat(urls.of(TestRequest.get("/read?a=1", FORWARDED)))
        .isEqualTo("https://example.com/gateway/read?a=1");
  }

  @Test
  void aVeryLongQueryIsLeftOut() {
    assertThat(
            new ResourceUrl(null, request -> false)
                .of(TestRequest.get("/read?q=" + "a".repeat(3000))))
        .isEqualTo("http://10.0.0.7:8402/shop/api/read");
  }
}

package dev.octroi.services.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebAddressTest {

  @ParameterizedTest
  @CsvSource({
    "https://a.example, https://a.example/",
    "HTTP://A.Example:8080/Path?q=1#part, http://a.example:8080/Path?q=1",
    "https://a.example/ä, https://a.example/%C3%A4",
    "https://bücher.example/, https://xn--bcher-kva.example/",
    "https://[2a00::1]/x, https://[2a00::1]/x"
  })
  void anAddressHasOneForm(String text, String form) {
    assertThat(WebAddress.of(text).orElseThrow().uri()).hasToString(form);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a.example",
        "//a.example/",
        "ftp://a.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "http:a.example",
        "http://",
        "http:///x",
        "http://user@a.example/",
        "http://user:password@a.example/",
        "http://a.example:0/",
        "http://a.example:65536/",
        "http://a.example:x/",
        "http://a b.example/",
        "http://a.example/ b",
        "http://a.example/\r\nHost: b.example",
        "http://127.1/",
        "http://0x7f.0.0.1/",
        "http://127.0.0.1./",
        "http://a_b.example/"
      })
  @Tag("spec:error.websearch.invalid_url")
  void whatIsNoAddressOfThePublicWebIsNone(String text) {
    assertThat(WebAddress.of(text)).isEmpty();
  }

  @Test
  void anAddressHasAtMost2048Characters() {
    String base = "http://a.example/";
    String longest = base + "x".repeat(2048 - base.length());
    assertThat(WebAddress.of(longest)).isPresent();
    assertThat(WebAddress.of(longest + "x")).isEmpty();
  }
}

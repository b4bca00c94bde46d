package dev.octroi.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptHtmlTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "text/html, */*;q=0.1",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "application/json;q=0.5, text/html"
      })
  void aBrowserWantsAPage(String accept) {
    assertThat(AcceptHtml.isPreferred(accept)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/json",
        "application/json, text/html",
        "text/html;q=0.5, */*",
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
        "text/html;q=0",
        ""
      })
  void aProgramWantsJson(String accept) {
    assertThat(AcceptHtml.isPreferred(accept)).isFalse();
  }

  @Test
  void whoSaysNothingWantsJson() {
    assertThat(AcceptHtml.isPreferred(null)).isFalse();
  }
}

package dev.octroi.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.http.Compression.AcceptEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptEncodingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"gzip", "GZIP", "x-gzip", "br, gzip;q=0.5", "*", "deflate, *;q=0.1", "gzip;q=1.0"})
  void gzipIsUsedWhereItIsWelcome(String header) {
    assertThat(AcceptEncoding.prefersGzip(header)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "br",
        "identity",
        "gzip;q=0",
        "*, gzip;q=0",
        "gzip;q=0.2, identity;q=0.9",
        "gzip;q=nonsense",
        "*;q=0"
      })
  void gzipIsNotUsedWhereItIsNot(String header) {
    assertThat(AcceptEncoding.prefersGzip(header)).isFalse();
  }

  @Test
  void noEncodingWasAskedFor() {
    assertThat(AcceptEncoding.prefersGzip(null)).isFalse();
  }
}

package dev.octroi.payments.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceiptsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        " | private",
        "max-age=60 | private, max-age=60",
        "public, max-age=60, s-maxage=90 | private, max-age=60",
        "public | private",
        "no-store | no-store",
        "Private, max-age=5 | private, max-age=5",
        "private=\"set-cookie, public\", max-age=5 | private, max-age=5",
        "no-cache=\"private\", max-age=5 | private, no-cache=\"private\", max-age=5",
        "max-age=5, private=\"unclosed | private, max-age=5, unclosed"
      })
  @Tag("spec:x402.cache")
  void aPaidAnswerIsNobodyElses(String stated, String expected) {
    assertThat(Receipts.caching(stated)).isEqualTo(expected);
  }
}

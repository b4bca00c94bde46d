package dev.octroi.api.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.path.PathAliases.LenientPath;
import dev.octroi.api.path.PlainPath.PathFault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainPathTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1/marketplace/cryptodata/exchange/price",
        "/v1/marketplace/prediction/markets/compare/us%20election",
        "/v1/marketplace/prediction/markets/compare/na%C3%AFve",
        "/v1/a/~user:1@2!$&'()*+,=",
        "/v1/a/%7Euser",
        "/v1/a/100%25"
      })
  void pathsThatEveryServerReadsAlikePass(String path) {
    assertThat(PlainPath.fault(path, "q=a%20b&c=%E2%82%AC")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/marketplace%2Fcryptodata, ESCAPE",
    "/v1/marketplace%2fcryptodata, ESCAPE",
    "/v1/marketplace%5Ccryptodata, ESCAPE",
    "/v1/%6Darketplace, ESCAPE",
    "/v1/a%3Bb, ESCAPE",
    "/v1/a%00, ESCAPE",
    "/v1/a%0d%0aX:1, ESCAPE",
    "/v1/a%7F, ESCAPE",
    "/v1/%C0%AF, ESCAPE",
    "/v1/%E0%80%AF, ESCAPE",
    "/v1/%ED%A0%80, ESCAPE",
    "/v1/%FF, ESCAPE",
    "/v1/%2e%2e/a, ESCAPE",
    "/v1/../a, DOTS",
    "/v1/./a, DOTS",
    "/v1/a;b=c, SEGMENT",
    "/v1/a\\b, SEGMENT",
    "/v1/a%, SEGMENT",
    "/v1/a%2, SEGMENT",
    "/v1/aé, SEGMENT",
    "/v1//a, EMPTY_SEGMENT",
    "/v1/a/, EMPTY_SEGMENT",
    "/v1//..//a, DOTS",
    "v1, SEGMENT"
  })
  void pathsThatCanBeReadInTwoWaysAreRefused(String path, PathFault fault) {
    assertThat(PlainPath.fault(path, null)).contains(fault);
  }

  @Test
  void aBrokenQueryIsRefused() {
    assertThat(PlainPath.fault("/", "q=%zz")).contains(PathFault.QUERY);
    assertThat(PlainPath.fault("/", "q=%C0%AF")).contains(PathFault.QUERY);
  }

  @Test
  void noLengthIsTooMuchToLookAt() {
    String plain = "a".repeat(1 << 20);
    String escaped = "%2C".repeat(1 << 18);
    assertThat(PlainPath.fault("/" + plain, plain)).isEmpty();
    assertThat(PlainPath.fault("/" + escaped, escaped)).isEmpty();
    assertThat(PlainPath.fault("/", escaped + "%2")).contains(PathFault.QUERY);
  }

  @ParameterizedTest
  @CsvSource({
    "/V1/Marketplace//CryptoData/x, /v1/marketplace/cryptodata/x",
    "/a/../v1;x=1/marketplace%2Fcryptodata, /v1/marketplace/cryptodata",
    "/v1%252Fmarketplace\\cryptodata, /v1/marketplace/cryptodata",
    "/%2e%2e/v1/./x/, /v1/x"
  })
  void theMostCarelessReadingIsFound(String path, String reading) {
    assertThat(LenientPath.of(path)).isEqualTo(reading);
  }
}

package dev.octroi.services.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowMatcherTest {

  private record Row(String path) implements Read {

    @Override
    public List<Parameter> parameters() {
      return List.of();
    }

    @Override
    public BigDecimal price() {
      return BigDecimal.ONE;
    }

    @Override
    public Duration freshness() {
      return Duration.ZERO;
    }

    @Override
    public ReadSource source() {
      return ReadSource.direct(path);
    }

    @Override
    public String name() {
      return path;
    }
  }

  private final RowMatcher<Row> matcher =
      new RowMatcher<>(
          List.of(
              new Row("/trades/:id"),
              new Row("/trades/live"),
              new Row("/wallet/:wallet/markets"),
              new Row("/wallet/pnl/:wallet"),
              new Row("/markets")));

  @ParameterizedTest
  @CsvSource({
    "/trades/live, /trades/live",
    "/trades/lively, /trades/:id",
    "/wallet/pnl/0x1, /wallet/pnl/:wallet",
    "/wallet/0x1/markets, /wallet/:wallet/markets",
    "/wallet/pnl/markets, /wallet/pnl/:wallet",
    "/markets, /markets"
  })
  void aLiteralSegmentBeatsAParameter(String path, String row) {
    assertThat(matcher.match(path).orElseThrow().row().path()).isEqualTo(row);
  }

  @Test
  void pathParametersAreDecoded() {
    assertThat(matcher.match("/trades/a%20b%C3%A9+").orElseThrow().path())
        .isEqualTo(Map.of("id", "a bé+"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "markets",
        "/",
        "/Markets",
        "/markets/",
        "//markets",
        "/m%61rkets",
        "/trades/",
        "/trades/a%2Fb",
        "/trades/a%5Cb",
        "/trades/a;b=c",
        "/trades/a%3Bb",
        "/trades/..",
        "/trades/%2e%2E",
        "/trades/.",
        "/trades/a%0d%0ab",
        "/trades/a%00",
        "/trades/%c0%af",
        "/trades/%e9",
        "/trades/%zz",
        "/trades/%+1",
        "/trades/a%4",
        "/trades/é"
      })
  void aTrickyOrUnknownPathNamesNothing(String path) {
    assertThat(matcher.match(path)).isEmpty();
  }

  @Test
  void anEndlessSegmentNamesNothing() {
    assertThat(matcher.match("/trades/" + "a".repeat(513))).isEmpty();
  }

  @Test
  void twoRowsForTheSamePathAreRefused() {
    List<Row> rows = List.of(new Row("/trades/:id"), new Row("/trades/:address"));
    assertThatThrownBy(() -> new RowMatcher<>(rows))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/trades/:id");
  }
}

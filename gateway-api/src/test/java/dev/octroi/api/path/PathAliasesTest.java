package dev.octroi.api.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.group.Groups;
import dev.octroi.api.setup.BuiltInGroups;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathAliasesTest {

  private static final PathAliases ALIASES =
      new PathAliases(
          new Groups(BuiltInGroups.ALL),
          Map.of("markets", "prediction", "coins", "cryptodata"),
          Map.of("venue-a", "agora, forum", "exchange-a", "bourse"));

  @ParameterizedTest
  @Tag("spec:versioning.1")
  @CsvSource({
    "/v1/prediction/markets, /v1/marketplace/prediction/markets",
    "/api/v1/prediction/markets, /v1/marketplace/prediction/markets",
    "/api/v1/marketplace/cryptodata/market/etf, /v1/marketplace/cryptodata/market/etf",
    "/v1/markets/venue-b/markets, /v1/marketplace/prediction/venue-b/markets",
    "/v1/marketplace/coins/market/etf, /v1/marketplace/cryptodata/market/etf",
    "/v1/prediction/agora/markets, /v1/marketplace/prediction/venue-a/markets",
    "/v1/prediction/forum/markets, /v1/marketplace/prediction/venue-a/markets",
    "/v1/prediction/bourse/ticks/X, /v1/marketplace/prediction/exchange-a/ticks/X",
    "/v1/coins/prediction-market/agora/trades,"
        + " /v1/marketplace/cryptodata/prediction-market/venue-a/trades",
    "/v1/coins/search/agora, /v1/marketplace/cryptodata/search/venue-a"
  })
  @Tag("spec:decision.service_aliases")
  @Tag("spec:decision.venue_words")
  void anAliasBecomesTheCanonicalPath(String alias, String canonical) {
    assertThat(ALIASES.canonical(alias)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/marketplace/prediction/markets/compare/agora",
    "/v1/predictions/markets",
    "/v1/marketplace/prediction/venue-a/markets",
    "/api/api/v1/prediction",
    "/apiv1/prediction",
    "/agora/markets",
    "/"
  })
  void everyOtherPathStaysAsItIs(String path) {
    assertThat(ALIASES.canonical(path)).isEqualTo(path);
  }
}

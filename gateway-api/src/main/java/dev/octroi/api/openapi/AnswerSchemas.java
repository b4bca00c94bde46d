package dev.octroi.api.openapi;

import dev.octroi.services.read.Read;
import java.util.Map;

/** Names the schemas of the answers of rows: the records that the specification states. */
final class AnswerSchemas {

  private static final String UPSTREAM = "UpstreamAnswer";

  private static final Map<String, String> STATED =
      Map.ofEntries(
          Map.entry("CRYPTODATA.EXCHANGE_PRICE", "ExchangeTickers"),
          Map.entry("CRYPTODATA.MARKET_FEAR_GREED", "FearAndGreed"),
          Map.entry("CRYPTODATA.WALLET_DETAIL", "WalletDetail"),
          Map.entry("PREDICTION.VENUE_A_MARKETS", "VenueAMarkets"),
          Map.entry("PREDICTION.VENUE_B_MARKETS", "VenueBMarkets"),
          Map.entry("PREDICTION.VENUE_A_WALLET", "WalletSummary"),
          Map.entry("PREDICTION.MARKETS_SEARCH", "MarketSearch"),
          Map.entry("PREDICTION.MARKETS_ARBITRAGE", "Arbitrage"),
          Map.entry("PREDICTION.VENUE_A_LEADERBOARD", "Leaderboard"));

  private AnswerSchemas() {}

  static String of(Chapter chapter, Read row) {
    return STATED.getOrDefault(chapter.name() + "." + row.name(), UPSTREAM);
  }
}

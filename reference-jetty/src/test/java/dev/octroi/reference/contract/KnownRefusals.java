package dev.octroi.reference.contract;

import java.util.Map;

/** What the vendors' contracts still refuse of the gateway's requests, and who mends it. */
final class KnownRefusals {

  /** By the beginning of the line that is refused. */
  static final Map<String, String> ALL =
      Map.ofEntries(
          Map.entry(
              "cryptodata MISSING GET /search/polymarket: at least one of q, tags, category must be given",
              "mended by reads"),
          Map.entry(
              "cryptodata UNKNOWN GET /prediction-market/kalshi/markets: category",
              "mended by reads"),
          Map.entry(
              "cryptodata UNKNOWN GET /prediction-market/polymarket/markets: category",
              "mended by reads"),
          Map.entry("cryptodata UNKNOWN GET /token/dex-trades: interval", "mended by reads"),
          Map.entry("cryptodata UNKNOWN GET /token/transfers: interval", "mended by reads"),
          Map.entry(
              "prediction MISSING GET /polymarket/wallet/volume-chart/{wallet}: end_time",
              "mended by reads"),
          Map.entry(
              "prediction MISSING GET /polymarket/wallet/volume-chart/{wallet}: start_time",
              "mended by reads"),
          Map.entry(
              "prediction TYPE GET /polymarket/market/{condition_id}/smart-money: min_trades",
              "mended by reads"),
          Map.entry("prediction UNKNOWN GET /kalshi/markets: offset", "mended by reads"),
          Map.entry(
              "prediction UNKNOWN GET /polymarket/market/{condition_id}/top-holders: offset",
              "mended by reads"),
          Map.entry("prediction VALUE GET /markets/search: venue", "mended by reads"),
          Map.entry(
              "prediction VALUE GET /polymarket/markets/smart-activity: sort_by",
              "mended by reads"),
          Map.entry(
              "websearch VALUE POST /search: category must be one of",
              "mended by the connector of web search"),
          Map.entry("images VALUE POST /v1/images/generations: background", "mended by media"));

  private KnownRefusals() {}
}

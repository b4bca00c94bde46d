package dev.octroi.services.cryptodata;

import static dev.octroi.services.read.Parameter.limit;
import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.Read;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The GET endpoints of the crypto-data group in the specification's order: 79 rows, which with its
 * two POSTs are the 81 that it lists. Identifiers are required; defaults and bounds of the others
 * are the upstream's, and a default stands too where the upstream insists on what the specification
 * leaves optional. The upstream's paths are the specification's.
 */
public enum CryptoDataRead implements Read {
  EXCHANGE_MARKETS("/exchange/markets"),
  EXCHANGE_PRICE("/exchange/price", pair(), optional("exchange")),
  EXCHANGE_PERP("/exchange/perp", pair()),
  EXCHANGE_DEPTH("/exchange/depth", pair(), optional("exchange")),
  EXCHANGE_KLINES(
      "/exchange/klines",
      pair(),
      optional("interval")
          .oneOf(
              "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w",
              "1M")
          .withDefault("1h"),
      limit(100, 1000)),
  EXCHANGE_FUNDING_HISTORY("/exchange/funding-history", pair()),
  EXCHANGE_LONG_SHORT_RATIO("/exchange/long-short-ratio", pair()),

  MARKET_RANKING(
      "/market/ranking",
      limit(20, 100),
      optional("category")
          .oneOf(
              "MEME",
              "AI",
              "AI_AGENTS",
              "L1",
              "L2",
              "DEFI",
              "GAMING",
              "STABLECOIN",
              "RWA",
              "DEPIN",
              "SOL_ECO",
              "BASE_ECO",
              "LST")),
  MARKET_FEAR_GREED("/market/fear-greed"),
  MARKET_FUTURES("/market/futures"),
  MARKET_PRICE(
      "/market/price",
      required("symbol"),
      optional("interval")
          .upstream("time_range")
          .oneOf("1d", "7d", "14d", "30d", "90d", "180d", "365d", "max")
          .withDefault("30d")),
  MARKET_ETF("/market/etf"),
  MARKET_OPTIONS(
      "/market/options",
      required("symbol").oneOf("BTC", "ETH", "SOL", "XRP", "BNB", "DOGE", "ADA", "AVAX")),
  MARKET_LIQUIDATION_EXCHANGE_LIST("/market/liquidation/exchange-list"),
  MARKET_LIQUIDATION_ORDER("/market/liquidation/order", limit(20, 100)),
  MARKET_LIQUIDATION_CHART("/market/liquidation/chart", required("symbol")),
  MARKET_ONCHAIN_INDICATOR(
      "/market/onchain-indicator",
      required("symbol").oneOf("BTC", "ETH"),
      // The specification's spellings beside the upstream's, which the connector makes of them.
      optional("metric")
          .oneOf(
              "NVT",
              "SOPR",
              "MVRV",
              "NUPL",
              "nvt",
              "sopr",
              "mvrv",
              "nupl",
              "puell-multiple",
              "nvm",
              "nvt-golden-cross",
              "exchange-flows/inflow",
              "exchange-flows/outflow",
              "exchange-flows/netflow",
              "exchange-flows/reserve")
          .withDefault("mvrv")),
  MARKET_PRICE_INDICATOR(
      "/market/price-indicator",
      required("symbol"),
      optional("indicator")
          .oneOf(
              "RSI",
              "MACD",
              "Bollinger",
              "rsi",
              "macd",
              "bollinger",
              "ema",
              "sma",
              "bbands",
              "stoch",
              "adx",
              "atr",
              "cci",
              "obv",
              "vwap",
              "dmi",
              "ichimoku",
              "supertrend")
          .withDefault("rsi")),

  ONCHAIN_BRIDGE_RANKING("/onchain/bridge/ranking"),
  ONCHAIN_YIELD_RANKING("/onchain/yield/ranking"),
  ONCHAIN_GAS_PRICE("/onchain/gas-price", evmChain()),
  ONCHAIN_TX("/onchain/tx", required("hash"), evmChain()),
  ONCHAIN_SCHEMA("/onchain/schema"),

  WALLET_DETAIL("/wallet/detail", required("address")),
  WALLET_HISTORY("/wallet/history", required("address"), limit(20, 100)),
  WALLET_NET_WORTH("/wallet/net-worth", required("address")),
  WALLET_TRANSFERS("/wallet/transfers", required("address"), limit(20, 100)),
  WALLET_PROTOCOLS("/wallet/protocols", required("address")),
  WALLET_LABELS_BATCH("/wallet/labels/batch", required("addresses", Kind.LIST).between(1, 100)),

  SOCIAL_DETAIL("/social/detail", required("handle").upstream("q")),
  SOCIAL_RANKING("/social/ranking", limit(20, 100)),
  SOCIAL_SMART_FOLLOWERS_HISTORY(
      "/social/smart-followers/history", required("handle").upstream("q")),
  SOCIAL_MINDSHARE(
      "/social/mindshare",
      required("q"),
      optional("interval").oneOf("5m", "1h", "1d", "7d").withDefault("1d")),
  SOCIAL_TWEETS("/social/tweets", required("ids", Kind.LIST).between(1, 100)),
  SOCIAL_TWEET_REPLIES("/social/tweet/replies", required("tweet_id"), limit(20, 100)),
  SOCIAL_USER("/social/user", required("handle")),
  SOCIAL_USER_FOLLOWERS("/social/user/followers", required("handle"), limit(20, 100)),
  SOCIAL_USER_FOLLOWING("/social/user/following", required("handle"), limit(20, 100)),
  SOCIAL_USER_POSTS("/social/user/posts", required("handle"), limit(20, 100)),
  SOCIAL_USER_REPLIES("/social/user/replies", required("handle"), limit(20, 100)),

  TOKEN_TOKENOMICS("/token/tokenomics", required("symbol")),
  TOKEN_DEX_TRADES("/token/dex-trades", required("address"), optional("interval"), limit(20, 100)),
  TOKEN_HOLDERS(
      "/token/holders",
      required("address"),
      optional("chain")
          .oneOf(
              "ethereum", "polygon", "bsc", "solana", "avalanche", "arbitrum", "optimism", "base")
          .withDefault("ethereum"),
      limit(20, 100)),
  TOKEN_TRANSFERS("/token/transfers", required("address"), optional("interval"), limit(20, 100)),

  FUND_DETAIL("/fund/detail", slug()),
  FUND_PORTFOLIO("/fund/portfolio", slug()),
  FUND_RANKING(
      "/fund/ranking",
      optional("metric").oneOf("tier", "portfolio_count").withDefault("tier"),
      limit(20, 100),
      optional("offset", Kind.INTEGER).between(0, 1_000_000).withDefault("0")),

  PROJECT_DETAIL("/project/detail", slug()),
  PROJECT_DEFI_METRICS(
      "/project/defi/metrics",
      optional("metric")
          .oneOf("volume", "fee", "fees", "revenue", "tvl", "users")
          .withDefault("tvl")),
  PROJECT_DEFI_RANKING("/project/defi/ranking", limit(20, 100)),

  NEWS_FEED("/news/feed", optional("symbol").upstream("project"), limit(20, 50)),
  NEWS_DETAIL("/news/detail", required("id")),

  SEARCH_AIRDROP("/search/airdrop", required("q"), limit(20, 100)),
  SEARCH_EVENTS("/search/events", required("q"), limit(20, 100)),
  SEARCH_VENUE_B("/search/venue-b", required("q"), limit(20, 100)),
  SEARCH_VENUE_A("/search/venue-a", required("q"), limit(20, 100)),
  SEARCH_WEB("/search/web", required("q"), limit(20, 100)),
  SEARCH_PROJECT("/search/project", required("q"), limit(20, 100)),
  SEARCH_NEWS("/search/news", required("q"), limit(10, 100)),
  SEARCH_WALLET("/search/wallet", required("q"), limit(20, 100)),
  SEARCH_FUND("/search/fund", required("q"), limit(20, 100)),
  SEARCH_SOCIAL_PEOPLE("/search/social/people", required("q"), limit(20, 100)),
  SEARCH_SOCIAL_POSTS("/search/social/posts", required("q"), limit(20, 100)),
  WEB_FETCH("/web/fetch", required("url")),

  VENUE_A_TRADES(
      "/prediction-market/venue-a/trades",
      optional("ticker").upstream("condition_id"),
      limit(50, 500)),
  VENUE_A_MARKETS(
      "/prediction-market/venue-a/markets",
      optional("market_slug"),
      limit(20, 100),
      optional("category")),
  VENUE_A_EVENTS("/prediction-market/venue-a/events", optional("event_slug"), limit(20, 100)),
  VENUE_A_PRICES("/prediction-market/venue-a/prices", required("condition_id")),
  VENUE_A_VOLUMES("/prediction-market/venue-a/volumes", required("condition_id")),
  VENUE_A_OPEN_INTEREST("/prediction-market/venue-a/open-interest", required("condition_id")),
  VENUE_A_POSITIONS("/prediction-market/venue-a/positions", required("address")),
  VENUE_A_ACTIVITY("/prediction-market/venue-a/activity", required("address"), limit(20, 100)),
  VENUE_B_RANKING("/prediction-market/venue-b/ranking"),
  VENUE_B_MARKETS(
      "/prediction-market/venue-b/markets",
      optional("market_ticker"),
      limit(20, 100),
      optional("category")),
  VENUE_B_EVENTS("/prediction-market/venue-b/events", limit(20, 100)),
  VENUE_B_PRICES("/prediction-market/venue-b/prices", required("ticker")),
  VENUE_B_TRADES("/prediction-market/venue-b/trades", required("ticker"), limit(50, 500)),
  VENUE_B_VOLUMES("/prediction-market/venue-b/volumes", required("ticker")),
  VENUE_B_OPEN_INTEREST("/prediction-market/venue-b/open-interest", required("ticker"));

  /** Flat for every endpoint and method of the group (specification, crypto data). */
  public static final BigDecimal PRICE = new BigDecimal("0.0095");

  private static final Map<String, CryptoDataRead> BY_PATH =
      Arrays.stream(values()).collect(Collectors.toMap(Read::path, Function.identity()));

  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // List.of, of records
  private final List<Parameter> parameters;

  CryptoDataRead(String path, Parameter... parameters) {
    this.path = path;
    this.parameters = List.of(parameters);
  }

  /**
   * The row that a path names.
   *
   * @param path below the group's base, with its leading slash
   */
  public static Optional<CryptoDataRead> match(String path) {
    return Optional.ofNullable(BY_PATH.get(path));
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public List<Parameter> parameters() {
    return parameters;
  }

  @Override
  public BigDecimal price() {
    return PRICE;
  }

  /** None is stated for this group. */
  @Override
  public Duration freshness() {
    return Duration.ZERO;
  }

  @Override
  public boolean inContract() {
    return this != VENUE_A_ACTIVITY && this != VENUE_B_RANKING;
  }

  @Override
  public String upstreamPath() {
    return path;
  }

  private static Parameter pair() {
    return required("pair", Kind.PAIR);
  }

  private static Parameter slug() {
    return required("slug").upstream("q");
  }

  private static Parameter evmChain() {
    return optional("chain")
        .oneOf(
            "ethereum",
            "polygon",
            "bsc",
            "arbitrum",
            "optimism",
            "base",
            "avalanche",
            "fantom",
            "linea",
            "cyber")
        .withDefault("ethereum");
  }
}

package dev.octroi.services.cryptodata;

import static dev.octroi.services.read.Parameter.limit;
import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;
import static dev.octroi.services.read.ReadSource.composed;
import static dev.octroi.services.read.ReadSource.direct;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.ReadSource;
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
 * leaves optional.
 */
public enum CryptoDataRead implements Read {
  EXCHANGE_MARKETS("/exchange/markets"),
  EXCHANGE_PRICE("/exchange/price", pair(), exchange(VendorTargets.TICKER_EXCHANGES)),
  EXCHANGE_PERP("/exchange/perp", pair()),
  EXCHANGE_DEPTH("/exchange/depth", pair(), exchange(VendorTargets.BOOK_EXCHANGES)),
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
      // The specification's spellings beside the vendor's.
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
          .withDefault("mvrv")
          .spelled(Map.of("NVT", "nvt", "SOPR", "sopr", "MVRV", "mvrv", "NUPL", "nupl"))),
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
          .withDefault("rsi")
          .spelled(
              Map.of("RSI", "rsi", "MACD", "macd", "Bollinger", "bbands", "bollinger", "bbands"))),

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
  TOKEN_DEX_TRADES(
      direct("/token/dex-trades")
          .orComputed(
              1,
              "interval: of the latest trades those within it; the vendor takes no times",
              TokenTrades::within),
      "/token/dex-trades",
      required("address"),
      interval(),
      limit(20, 100)),
  TOKEN_HOLDERS(
      "/token/holders",
      required("address"),
      optional("chain")
          .oneOf(
              "ethereum", "polygon", "bsc", "solana", "avalanche", "arbitrum", "optimism", "base"),
      limit(20, 100)),
  TOKEN_TRANSFERS("/token/transfers", required("address"), interval(), limit(20, 100)),

  FUND_DETAIL("/fund/detail", slug()),
  FUND_PORTFOLIO("/fund/portfolio", slug()),
  FUND_RANKING(
      "/fund/ranking",
      optional("metric").oneOf("tier", "portfolio_count").withDefault("tier"),
      limit(20, 100),
      optional("offset", Kind.INTEGER).between(0, 1_000_000).withDefault("0")),

  PROJECT_DETAIL("/project/detail", required("slug").upstream("q")),
  PROJECT_DEFI_METRICS(
      "/project/defi/metrics",
      optional("metric")
          .oneOf("volume", "fee", "fees", "revenue", "tvl", "users")
          .withDefault("tvl")),
  PROJECT_DEFI_RANKING("/project/defi/ranking", limit(20, 100)),

  NEWS_FEED("/news/feed", optional("symbol").upstream("project"), limit(20, 50)),
  NEWS_DETAIL("/news/detail", required("id")),

  SEARCH_AIRDROP("/search/airdrop", query(100), limit(20, 100)),
  SEARCH_EVENTS("/search/events", required("q"), limit(20, 100)),
  SEARCH_VENUE_B("/search/venue-b", query(200), limit(20, 100)),
  SEARCH_VENUE_A("/search/venue-a", query(200), limit(20, 100)),
  SEARCH_WEB("/search/web", required("q"), limit(20, 100)),
  SEARCH_PROJECT("/search/project", query(100), limit(20, 100)),
  SEARCH_NEWS("/search/news", required("q"), limit(10, 100)),
  SEARCH_WALLET("/search/wallet", required("q"), limit(20, 100)),
  SEARCH_FUND("/search/fund", query(100), limit(20, 100)),
  SEARCH_SOCIAL_PEOPLE("/search/social/people", required("q"), limit(20, 100)),
  SEARCH_SOCIAL_POSTS("/search/social/posts", required("q"), limit(20, 100)),
  WEB_FETCH("/web/fetch", required("url")),

  VENUE_A_TRADES(
      "/prediction-market/venue-a/trades",
      optional("ticker").upstream("condition_id"),
      limit(50, 500)),
  // The vendor answers these two for one slug only; its search lists them.
  VENUE_A_MARKETS(
      direct("/prediction-market/venue-a/markets")
          .orAt(
              VendorTargets.MARKET_SEARCH,
              "without a slug, active markets by their volume of a week"),
      "/prediction-market/venue-a/markets",
      optional("market_slug"),
      limit(20, 100),
      category()),
  VENUE_A_EVENTS(
      direct("/prediction-market/venue-a/events")
          .orAt(
              VendorTargets.EVENT_SEARCH,
              "without a slug, active events of the tags Crypto, Politics, Sports, Science and Pop"
                  + " Culture by their volume: the vendor's search of events wants a word, a tag or"
                  + " a category"),
      "/prediction-market/venue-a/events",
      optional("event_slug"),
      limit(20, 100)),
  VENUE_A_PRICES("/prediction-market/venue-a/prices", required("condition_id")),
  VENUE_A_VOLUMES("/prediction-market/venue-a/volumes", required("condition_id")),
  VENUE_A_OPEN_INTEREST("/prediction-market/venue-a/open-interest", required("condition_id")),
  VENUE_A_POSITIONS("/prediction-market/venue-a/positions", required("address")),
  VENUE_A_ACTIVITY(
      composed(
              "/prediction-market/venue-a/trades",
              "the wallet's trades, splits, merges and redemptions")
          .with("type", "all"),
      "/prediction-market/venue-a/activity",
      required("address"),
      limit(20, 100)),
  VENUE_B_RANKING(
      composed(VendorTargets.MARKET_SEARCH, "active markets of venue B by their volume of a week")
          .with("sort_by", "volume_7d")
          .with("order", "desc"),
      "/prediction-market/venue-b/ranking"),
  VENUE_B_MARKETS(
      direct("/prediction-market/venue-b/markets")
          .orAt(
              VendorTargets.MARKET_SEARCH,
              "with a category, its active markets by their volume of a week"),
      "/prediction-market/venue-b/markets",
      optional("market_ticker"),
      limit(20, 100),
      category()),
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

  @SuppressWarnings("ImmutableEnumChecker") // a record of records and functions
  private final ReadSource source;

  @SuppressWarnings("ImmutableEnumChecker") // List.of, of records
  private final List<Parameter> parameters;

  CryptoDataRead(String path, Parameter... parameters) {
    this(direct(path), path, parameters);
  }

  CryptoDataRead(ReadSource source, String path, Parameter... parameters) {
    this.source = source;
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
  public ReadSource source() {
    return source;
  }

  private static Parameter pair() {
    return required("pair", Kind.PAIR);
  }

  private static Parameter slug() {
    return required("slug").upstream("q").between(1, 100);
  }

  private static Parameter query(int most) {
    return required("q").between(1, most);
  }

  private static Parameter exchange(String names) {
    return optional(VendorTargets.EXCHANGE).oneOf(names.split(" "));
  }

  /** How far back the caller wants to see; the vendor has times instead. */
  private static Parameter interval() {
    return optional("interval").oneOf(TokenTrades.INTERVALS);
  }

  private static Parameter category() {
    return optional("category")
        .oneOf("crypto", "culture", "economics", "financials", "politics", "stem", "sports");
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

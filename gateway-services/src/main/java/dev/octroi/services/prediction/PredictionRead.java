package dev.octroi.services.prediction;

import static dev.octroi.services.prediction.PredictionParameters.*;
import static dev.octroi.services.prediction.PredictionRead.Price.ANALYTICS;
import static dev.octroi.services.prediction.PredictionRead.Price.PREMIUM;
import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.Read;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The GET endpoints of the prediction group in the specification's order: the 57 of its tables, the
 * further paths (less two that spell an earlier row's parameter differently), and the four of its
 * price list. Prices are its pricing table.
 *
 * <p>A parameter is required where it is an identifier or where the vendor has no answer without
 * it. Page sizes are the specification's; a candle or tick series is not a page and keeps the
 * vendor's bounds.
 */
public enum PredictionRead implements Read {
  VENUE_A_MARKETS(
      "/venue-a/markets",
      limit(),
      offset(),
      optional("category")
          .oneOf("politics", "crypto", "sports", "science", "culture", "business", "tech")
          .upstream("tags"),
      optional("sort").oneOf("volume", "liquidity", "newest", "ending_soon").withDefault("volume"),
      // The union of the two sets that rule 1 names; the decision is to take both.
      status().oneOf("open", "closed", "active", "resolved", "all").withDefault("open"),
      optional("search"),
      optional("event_slug"),
      optional("market_slug"),
      fraction("min_price"),
      fraction("max_price"),
      amount("min_volume"),
      amount("min_open_interest")),
  VENUE_A_MARKETS_KEYSET("/venue-a/markets/keyset", limit(), cursor()),
  VENUE_A_EVENTS(
      "/venue-a/events",
      status(),
      limit(),
      offset(),
      optional("category"),
      optional("search"),
      optional("slug"),
      optional("tag"),
      optional("sort")),
  VENUE_A_EVENTS_KEYSET("/venue-a/events/keyset", limit(), cursor()),
  VENUE_A_CRYPTO_UPDOWN(
      "/venue-a/crypto-updown",
      optional("asset"),
      optional("timeframe"),
      status(),
      seconds(optional("end_after", Kind.TIME)),
      seconds(optional("end_before", Kind.TIME)),
      optional("sort").oneOf("asc", "desc"),
      limit(),
      offset()),
  VENUE_A_MARKET_PRICE(
      "/venue-a/market-price/:token_id",
      required("token_id"),
      seconds(optional("at_time", Kind.TIME))),
  VENUE_A_CANDLESTICKS(
      "/venue-a/candlesticks/:condition_id",
      required("condition_id"),
      start(),
      end(),
      optional("interval", Kind.INTEGER).oneOf("1", "60", "1440")),
  VENUE_A_TOKEN_CANDLESTICKS(
      "/venue-a/candlesticks/token/:token_id",
      required("token_id"),
      start(),
      end(),
      optional("interval", Kind.INTEGER).oneOf("1", "60", "1440")),
  VENUE_A_VOLUME_CHART(
      "/venue-a/volume-chart/:condition_id",
      required("condition_id"),
      startRequired(),
      endRequired(),
      optional("granularity").oneOf("hour", "day", "week")),
  VENUE_A_ORDERBOOKS(
      "/venue-a/orderbooks",
      required("token_id"),
      startRequired(),
      endRequired(),
      limit(),
      cursor()),
  VENUE_A_TRADES(
      "/venue-a/trades",
      required("condition_id"),
      optional("market_slug"),
      optional("token_id"),
      optional("wallet", Kind.EVM_ADDRESS),
      start(),
      end(),
      amount("min_total"),
      limit(),
      order(),
      cursor()),
  VENUE_A_ACTIVITY(
      "/venue-a/activity",
      evm("wallet"),
      start(),
      end(),
      optional("market_slug"),
      optional("condition_id"),
      optional("sort_by").oneOf("timestamp", "type"),
      limit(),
      order(),
      cursor()),
  VENUE_A_MARKET_VOLUME(
      "/venue-a/markets/:token_id/volume",
      required("token_id"),
      optional("granularity"),
      start(),
      end()),
  VENUE_A_MARKET_OPEN_INTEREST(
      "/venue-a/markets/:condition_id/open_interest",
      required("condition_id"),
      optional("granularity"),
      start(),
      end()),
  VENUE_A_POSITIONS(
      "/venue-a/positions",
      optional("wallet", Kind.EVM_ADDRESS),
      optional("condition_id"),
      limit(),
      cursor()),
  VENUE_A_LEADERBOARD(
      "/venue-a/leaderboard",
      optional("period").oneOf("24h", "7d", "30d", "all").withDefault("30d").upstream("window"),
      Parameter.limit(25, 100),
      sortBy(),
      order(),
      number("min_realized_pnl"),
      number("max_realized_pnl"),
      amount("min_volume"),
      count("min_trades"),
      number("min_roi"),
      fraction("min_win_rate"),
      cursor()),
  VENUE_A_MARKET_LEADERBOARD(
      "/venue-a/leaderboard/market/:condition_id",
      required("condition_id"),
      window(),
      sortBy(),
      order(),
      count("min_trades"),
      amount("min_volume"),
      limit(),
      cursor()),
  VENUE_A_COHORTS_STATS("/venue-a/cohorts/stats", window(), count("min_trades")),
  VENUE_A_TOP_HOLDERS(
      "/venue-a/market/:condition_id/top-holders",
      required("condition_id"),
      optional("side").oneOf("yes", "no"),
      amount("min_shares"),
      limit(),
      offset()),
  VENUE_A_SMART_MONEY(
      "/venue-a/market/:condition_id/smart-money",
      required("condition_id"),
      criterion("min_realized_pnl"),
      criterion("min_total_pnl"),
      criterion("min_roi"),
      criterion("min_trades"),
      criterion("min_volume"),
      window(),
      fraction("min_win_rate"),
      amount("min_profit_factor")),
  VENUE_A_SMART_ACTIVITY(
      "/venue-a/markets/smart-activity",
      window(),
      sortBy(),
      order(),
      number("min_realized_pnl"),
      number("min_roi"),
      fraction("min_win_rate"),
      amount("min_profit_factor"),
      count("min_trades"),
      amount("min_volume"),
      limit(),
      cursor()),
  VENUE_A_WALLET(ANALYTICS, "/venue-a/wallet/:wallet", evm("wallet")),
  VENUE_A_WALLET_MARKETS(
      ANALYTICS,
      "/venue-a/wallet/:wallet/markets",
      evm("wallet"),
      window(),
      sortBy(),
      order(),
      count("min_trades"),
      limit(),
      cursor()),
  VENUE_A_WALLET_SIMILAR(
      ANALYTICS,
      "/venue-a/wallet/:wallet/similar",
      evm("wallet"),
      window(),
      fraction("min_overlap_pct"),
      count("min_overlap_markets"),
      limit(),
      cursor()),
  VENUE_A_WALLET_PNL(
      ANALYTICS,
      "/venue-a/wallet/pnl/:wallet",
      evm("wallet"),
      granularity(),
      start(),
      end(),
      optional("condition_id")),
  VENUE_A_WALLET_POSITIONS(
      ANALYTICS,
      "/venue-a/wallet/positions/:wallet",
      evm("wallet"),
      optional("include_closed", Kind.BOOLEAN),
      amount("min_shares"),
      optional("market_slug"),
      optional("condition_id"),
      sortBy(),
      order(),
      limit(),
      cursor()),
  VENUE_A_WALLET_VOLUME_CHART(
      ANALYTICS,
      "/venue-a/wallet/volume-chart/:wallet",
      evm("wallet"),
      optional("granularity"),
      start(),
      end()),
  // The price list's 0.005 is for /venue-a/wallet/*; "wallets" is another segment.
  VENUE_A_WALLETS_PROFILES(
      "/venue-a/wallets/profiles", required("addresses", Kind.LIST).between(1, 20)),
  VENUE_A_WALLETS_FILTER(
      "/venue-a/wallets/filter",
      required("markets"),
      optional("market_logic").oneOf("and", "or"),
      window(),
      sortBy(),
      order(),
      number("min_realized_pnl"),
      amount("min_volume"),
      count("min_trades"),
      number("min_roi"),
      fraction("min_win_rate"),
      limit(),
      cursor()),

  SPORTS_CATEGORIES("/sports/categories"),
  SPORTS_MARKETS("/sports/markets", optional("category"), optional("league"), limit(), cursor()),
  SPORTS_GAME("/sports/markets/:game_id", required("game_id")),
  SPORTS_OUTCOME("/sports/outcomes/:predexon_id", required("predexon_id")),

  MATCHING_MARKETS(
      PREMIUM,
      "/matching-markets",
      optional("venue_a_condition_id"),
      optional("venue_a_market_slug"),
      optional("venue_a_market_id"),
      optional("venue_b_market_ticker"),
      optional("venue_d_slug"),
      optional("predict_market_id"),
      optional("predict_condition_id"),
      optional("predict_token_id"),
      optional("opinion_market_id"),
      optional("opinion_condition_id"),
      optional("opinion_token_id"),
      optional("match_type").oneOf("exact", "related", "all")),
  MATCHING_MARKETS_PAIRS("/matching-markets/pairs"),
  MARKETS_SEARCH(
      PREMIUM,
      "/markets/search",
      required("q"),
      optional("providers", Kind.LIST)
          .oneOf("venue-a", "venue-b", "venue-c", "venue-d")
          .upstream("venue"),
      Parameter.limit(20, 50),
      status()),
  MARKETS("/markets", status(), limit(), cursor()),
  MARKETS_LISTINGS("/markets/listings", status(), limit(), cursor()),
  OUTCOME("/outcomes/:predexon_id", required("predexon_id")),

  // Rule 2: parameters pass unchanged, so the listed values of category and status are not
  // enforced.
  VENUE_B_MARKETS(
      "/venue-b/markets",
      limit(),
      offset(),
      optional("category"),
      status().withDefault("open"),
      optional("series_ticker"),
      cursor()),
  VENUE_B_TRADES(
      "/venue-b/trades",
      required("ticker"),
      optional("taker_side").oneOf("yes", "no"),
      start(),
      end(),
      count("min_count"),
      limit(),
      order(),
      cursor()),
  VENUE_B_ORDERBOOKS(
      "/venue-b/orderbooks", required("ticker"), startRequired(), endRequired(), limit(), cursor()),

  EXCHANGE_A_CANDLES(
      ANALYTICS,
      "/exchange-a/candles/:symbol",
      required("symbol"),
      optional("interval").oneOf("1s", "1m", "5m", "15m", "1h", "4h", "1d").withDefault("1m"),
      start(),
      end(),
      optional("limit", Kind.INTEGER).between(1, 1500)),
  EXCHANGE_A_TICKS(
      ANALYTICS,
      "/exchange-a/ticks/:symbol",
      required("symbol"),
      startRequired(),
      endRequired(),
      optional("limit", Kind.INTEGER).between(1, 10_000),
      cursor()),

  VENUE_C_TRADES(
      PREMIUM,
      "/venue-c/trades",
      base58("wallet"),
      optional("market_ticker"),
      optional("outcome_mint"),
      optional("trade_type").oneOf("BUY_FILL", "SELL_FILL", "REDEEM"),
      start(),
      end(),
      limit(),
      order(),
      cursor()),
  VENUE_C_WALLET_POSITIONS(
      ANALYTICS,
      "/venue-c/wallet/positions/:wallet",
      base58("wallet"),
      status(),
      optional("outcome_mint"),
      optional("market_ticker"),
      sortBy(),
      order(),
      limit(),
      cursor()),
  VENUE_C_WALLET_PNL(
      ANALYTICS, "/venue-c/wallet/pnl/:wallet", base58("wallet"), granularity(), start(), end()),

  VENUE_A_WALLET_IDENTITY(ANALYTICS, "/venue-a/wallet/identity/:wallet", evm("wallet")),
  VENUE_A_WALLET_CLUSTER(ANALYTICS, "/venue-a/wallet/:wallet/cluster", evm("wallet")),

  // The vendor insists on a state and has no default; resolved is the one that every market
  // reaches.
  VENUE_A_ORACLE_MARKETS(
      "/venue-a/oracle/markets", optional("state").withDefault("resolved"), limit(), cursor()),
  VENUE_A_ORACLE_MARKET("/venue-a/oracle/market/:condition_id", required("condition_id")),

  VENUE_D_MARKETS("/venue-d/markets", status(), limit(), cursor()),
  VENUE_D_ORDERBOOKS(
      "/venue-d/orderbooks",
      required("market_slug"),
      startRequired(),
      endRequired(),
      limit(),
      cursor()),
  VENUE_E_MARKETS("/venue-e/markets", status(), limit(), cursor()),
  VENUE_E_ORDERBOOKS(
      "/venue-e/orderbooks",
      required("market_id"),
      startRequired(),
      endRequired(),
      limit(),
      cursor()),
  VENUE_F_MARKETS("/venue-f/markets", status(), limit(), cursor()),
  VENUE_F_ORDERBOOKS(
      "/venue-f/orderbooks",
      required("market_id"),
      startRequired(),
      endRequired(),
      limit(),
      cursor()),

  // The further paths. /venue-a/candlesticks/:id and /venue-a/wallet/:address are rows above.
  VENUE_A_MARKET("/venue-a/market/:id", required("id")),
  VENUE_A_EVENT("/venue-a/event/:slug", required("slug")),
  VENUE_A_CATEGORIES("/venue-a/categories"),
  VENUE_A_PRICING("/venue-a/pricing/:id", required("id")),
  VENUE_A_PRICING_HISTORY("/venue-a/pricing/history/:id", required("id")),
  VENUE_A_VOLUME("/venue-a/volume/:id", required("id")),
  VENUE_A_VOLUME_AGGREGATE("/venue-a/volume/aggregate"),
  VENUE_A_ORDERBOOK("/venue-a/orderbook/:id", required("id")),
  VENUE_A_MARKET_TRADES("/venue-a/trades/:id", required("id"), limit(), cursor()),
  VENUE_A_TRADES_LIVE("/venue-a/trades/live", limit()),
  VENUE_A_ADDRESS_POSITIONS("/venue-a/positions/:address", evm("address"), limit(), cursor()),
  VENUE_A_POSITIONS_HISTORY(
      "/venue-a/positions/history/:address", evm("address"), limit(), cursor()),
  VENUE_A_PNL("/venue-a/pnl/:address", evm("address")),
  VENUE_A_LEADERBOARD_VOLUME("/venue-a/leaderboard/volume", limit(), cursor()),
  VENUE_A_ADDRESS_ACTIVITY("/venue-a/activity/:address", evm("address"), limit(), cursor()),
  VENUE_A_REWARDS("/venue-a/rewards/:address", evm("address")),
  VENUE_A_RELATED("/venue-a/related/:id", required("id"), limit()),
  VENUE_A_COMMENTS("/venue-a/comments/:id", required("id"), limit(), cursor()),
  VENUE_A_RESOLUTION("/venue-a/resolution/:id", required("id")),
  VENUE_A_LIQUIDITY("/venue-a/liquidity/:id", required("id")),
  VENUE_A_STATS("/venue-a/stats"),
  VENUE_B_MARKET("/venue-b/market/:ticker", required("ticker")),
  VENUE_B_EVENTS("/venue-b/events", limit(), cursor()),
  VENUE_C_MARKETS("/venue-c/markets", limit(), cursor()),
  VENUE_C_MARKET("/venue-c/market/:id", required("id")),
  VENUE_C_ORDERBOOK("/venue-c/orderbook/:id", required("id")),
  EXCHANGE_A_LONG_SHORT(ANALYTICS, "/exchange-a/long-short"),
  EXCHANGE_A_OPEN_INTEREST(ANALYTICS, "/exchange-a/open-interest"),
  MARKETS_TRENDING("/markets/trending", limit()),
  MARKETS_NEW("/markets/new", limit()),
  MARKETS_RESOLVING_SOON("/markets/resolving-soon", limit()),
  MARKETS_HIGHEST_VOLUME("/markets/highest-volume", limit()),
  MARKETS_COMPARE(ANALYTICS, "/markets/compare/:topic", required("topic")),
  MARKETS_CATEGORIES("/markets/categories"),
  MARKETS_ARBITRAGE(ANALYTICS, "/markets/arbitrage", limit()),
  SPORTS_EVENTS("/sports/events", limit(), cursor()),
  SPORTS_LEAGUES("/sports/leagues"),
  SPORTS_LIVE("/sports/live", limit()),
  VENUE_D_MARKET("/venue-d/market/:id", required("id")),
  VENUE_E_MARKET("/venue-e/market/:id", required("id")),
  VENUE_F_MARKET("/venue-f/market/:id", required("id")),
  ORACLE_ASSERTIONS("/oracle/assertions", limit(), cursor()),
  ORACLE_DISPUTES("/oracle/disputes", limit(), cursor()),
  // Not below /venue-a/wallet/, so these three are "most GET endpoints" of the price list.
  WALLET_IDENTITY("/wallet/identity/:address", evm("address")),
  WALLET_PORTFOLIO("/wallet/portfolio/:address", evm("address")),
  WALLET_HISTORY("/wallet/history/:address", evm("address"), limit(), cursor()),

  PAIRS(ANALYTICS, "/pairs"),
  ARBITRAGE(ANALYTICS, "/arbitrage"),
  CORRELATION(ANALYTICS, "/correlation"),
  COMPARE(ANALYTICS, "/compare");

  /** The classes of the specification's pricing table, in dollars per call. */
  enum Price {
    STANDARD("0.001"),
    ANALYTICS("0.005"),
    PREMIUM("0.0095");

    private final BigDecimal dollars;

    Price(String dollars) {
      this.dollars = new BigDecimal(dollars);
    }
  }

  /** The further paths of the specification, which no public contract of the vendor has. */
  private static final Set<PredictionRead> BEYOND_CONTRACT = EnumSet.range(VENUE_A_MARKET, COMPARE);

  private static final Duration REFRESH = Duration.ofSeconds(5);
  private static final Duration SPORTS_LAG = Duration.ofSeconds(60);
  private static final Duration LEADERBOARD_REFRESH = Duration.ofMinutes(15);

  private final Price price;
  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of, of records
  private final List<Parameter> parameters;

  PredictionRead(String path, Parameter... parameters) {
    this(Price.STANDARD, path, parameters);
  }

  PredictionRead(Price price, String path, Parameter... parameters) {
    this.price = price;
    this.path = path;
    this.parameters = List.of(parameters);
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
    return price.dollars;
  }

  /** Specification, limits: 5 s, sports 60 s, and 15 min for {@code /venue-a/leaderboard}. */
  @Override
  public Duration freshness() {
    if (this == VENUE_A_LEADERBOARD) {
      return LEADERBOARD_REFRESH;
    }
    return path.startsWith("/sports/") ? SPORTS_LAG : REFRESH;
  }

  @Override
  public boolean inContract() {
    return !BEYOND_CONTRACT.contains(this);
  }

  @Override
  public String upstreamPath() {
    return path.replaceAll(":(\\w+)", "{$1}");
  }
}

package dev.octroi.services.prediction;

import static dev.octroi.services.prediction.PredictionParameters.*;
import static dev.octroi.services.prediction.PredictionRead.Price.ANALYTICS;
import static dev.octroi.services.prediction.PredictionRead.Price.PREMIUM;
import static dev.octroi.services.prediction.PredictionSources.*;
import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;
import static dev.octroi.services.read.ReadSource.composed;
import static dev.octroi.services.read.ReadSource.computed;
import static dev.octroi.services.read.ReadSource.direct;
import static dev.octroi.services.read.ReadSource.notOffered;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.ReadSource;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

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
      direct("/venue-a/markets")
          .orComputed(
              5,
              "sort=liquidity: the whole list, where it has at most 500 markets, sorted here",
              MarketLists::byLiquidity),
      "/venue-a/markets",
      limit(),
      offset(),
      optional("category")
          .oneOf("politics", "crypto", "sports", "science", "culture", "business", "tech")
          .upstream("tags"),
      optional("sort")
          .oneOf("volume", "liquidity", "newest", "ending_soon")
          .withDefault("volume")
          .spelled(
              Map.of(
                  "newest", "created",
                  "ending_soon", "expiration_asc",
                  "liquidity", "created_asc")),
      // Two sets of words for the same: rule 1 names both, and the decision is to take both.
      optional("status")
          .oneOf("open", "closed", "active", "resolved", "all")
          .withDefault("open")
          .spelled(Map.of("active", "open", "resolved", "closed", "all", "")),
      search(),
      optional("event_slug"),
      optional("market_slug"),
      fraction("min_price"),
      fraction("max_price"),
      amount("min_volume"),
      amount("min_open_interest")),
  VENUE_A_MARKETS_KEYSET("/venue-a/markets/keyset", status(), search(), limit(), cursor()),
  VENUE_A_EVENTS(
      "/venue-a/events",
      status(),
      limit(),
      offset(),
      optional("category"),
      search(),
      optional("slug"),
      optional("tag"),
      eventSort()),
  VENUE_A_EVENTS_KEYSET(
      "/venue-a/events/keyset", status(), search(), eventSort(), limit(), cursor()),
  VENUE_A_CRYPTO_UPDOWN(
      "/venue-a/crypto-updown",
      optional("asset").oneOf("btc", "eth", "sol", "xrp"),
      optional("timeframe").oneOf("15m", "1h", "4h", "daily"),
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
      "/venue-a/candlesticks/:condition_id", required("condition_id"), start(), end(), minutes()),
  VENUE_A_TOKEN_CANDLESTICKS(
      "/venue-a/candlesticks/token/:token_id", required("token_id"), start(), end(), minutes()),
  VENUE_A_VOLUME_CHART(
      direct("/venue-a/volume-chart/{condition_id}").noting(WEEK),
      "/venue-a/volume-chart/:condition_id",
      required("condition_id"),
      start(),
      end(),
      chartGranularity()),
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
      "/venue-a/markets/:token_id/volume", required("token_id"), granularity(), start(), end()),
  VENUE_A_MARKET_OPEN_INTEREST(
      "/venue-a/markets/:condition_id/open_interest",
      required("condition_id"),
      granularity(),
      start(),
      end()),
  VENUE_A_POSITIONS(
      "/venue-a/positions",
      optional("wallet", Kind.EVM_ADDRESS),
      optional("condition_id"),
      optional("token_id"),
      order(),
      limit(),
      cursor()),
  VENUE_A_LEADERBOARD(
      "/venue-a/leaderboard",
      period(),
      Parameter.limit(25, 100),
      // The vendor ranks by realised profit; total_pnl is the specification's word for it.
      optional("sort_by")
          .oneOf(
              "total_pnl", "realized_pnl", "volume", "roi", "profit_factor", "win_rate", "trades")
          .spelled(Map.of("total_pnl", "realized_pnl")),
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
      count("min_trades"),
      optional("include_count", Kind.BOOLEAN),
      limit(),
      cursor(),
      optional("offset", Kind.INTEGER).refused("pagination_key turns the pages of this list")),
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
      direct("/venue-a/markets/smart-activity")
          .noting("without a criterion, wallets that have gained 1,000 dollars and more are smart"),
      "/venue-a/markets/smart-activity",
      window(),
      optional("sort_by")
          .oneOf("smart_volume", "smart_wallet_count", "smart_realized_pnl", "avg_smart_roi"),
      order(),
      number("min_realized_pnl"),
      number("min_roi"),
      fraction("min_win_rate"),
      amount("min_profit_factor"),
      count("min_trades"),
      amount("min_volume"),
      limit(),
      cursor()),
  VENUE_A_WALLET(
      ANALYTICS,
      computed(
          2,
          "the wallet's lifetime figures, and its 100 largest open positions",
          WalletRecords::summary,
          "/venue-a/wallet/{wallet}",
          "/venue-a/wallet/positions/{wallet}"),
      "/venue-a/wallet/:wallet",
      evm("wallet")),
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
      daily(),
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
      optional("sort_by")
          .oneOf(
              "value",
              "unrealized_pnl",
              "realized_pnl",
              "cost",
              "avg_price",
              "current_price",
              "entry_date"),
      order(),
      limit(),
      cursor()),
  VENUE_A_WALLET_VOLUME_CHART(
      ANALYTICS,
      direct("/venue-a/wallet/volume-chart/{wallet}").noting(WEEK),
      "/venue-a/wallet/volume-chart/:wallet",
      evm("wallet"),
      chartGranularity(),
      start(),
      end()),
  // The price list's 0.005 is for /venue-a/wallet/*; "wallets" is another segment.
  VENUE_A_WALLETS_PROFILES(
      "/venue-a/wallets/profiles", required("addresses", Kind.LIST).between(1, 20)),
  VENUE_A_WALLETS_FILTER(
      "/venue-a/wallets/filter",
      required("markets", Kind.LIST).between(1, 10),
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
  SPORTS_MARKETS(
      "/sports/markets",
      optional("category")
          .upstream("sport")
          .oneOf("sports", "basketball", "soccer", "hockey", "baseball")
          .spelled(Map.of("sports", "")),
      optional("league"),
      status(),
      gameDate("game_date"),
      gameDate("game_date_from"),
      gameDate("game_date_to"),
      gameSort(),
      limit(),
      cursor()),
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
      query("q"),
      // The vendor does not search venue C, which the specification lists too.
      optional("providers", Kind.LIST).oneOf("venue-a", "venue-b", "venue-d").upstream("venue"),
      Parameter.limit(20, 50),
      status()),
  MARKETS(
      "/markets",
      optional("status").oneOf("open", "closed", "resolved", "all"),
      optional("search").between(3, 200),
      limit(),
      cursor()),
  MARKETS_LISTINGS("/markets/listings", status(), limit(), cursor()),
  OUTCOME("/outcomes/:predexon_id", required("predexon_id")),

  VENUE_B_MARKETS(
      direct("/venue-b/markets")
          .orComputed(
              MarketLists.MOST_PAGES,
              "offset: the vendor turns pages by a cursor, so the markets before are skipped here;"
                  + " status=settled: the closed ones that have a result, pages may be short",
              MarketLists::ofVenueB),
      "/venue-b/markets",
      limit(),
      optional("offset", Kind.INTEGER).withDefault("0").between(0, MarketLists.MOST_SKIPPED),
      optional("category")
          .oneOf("economics", "politics", "weather", "tech", "finance", "sports")
          .refused("the vendor's markets of this venue have no category"),
      // The vendor lists what is settled among the closed.
      optional("status")
          .oneOf("open", "closed", "settled")
          .withDefault("open")
          .spelled(Map.of("settled", "closed")),
      optional("series_ticker"),
      search(),
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
      symbol(),
      optional("interval").oneOf("1s", "1m", "5m", "15m", "1h", "4h", "1d").withDefault("1m"),
      start(),
      end(),
      optional("limit", Kind.INTEGER).between(1, 1500)),
  EXCHANGE_A_TICKS(
      ANALYTICS,
      "/exchange-a/ticks/:symbol",
      symbol(),
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
      optional("sort_by").oneOf("total_qty_bought", "total_cost_basis", "realized_pnl"),
      order(),
      limit(),
      cursor()),
  VENUE_C_WALLET_PNL(
      ANALYTICS, "/venue-c/wallet/pnl/:wallet", base58("wallet"), daily(), start(), end()),

  VENUE_A_WALLET_IDENTITY(ANALYTICS, "/venue-a/wallet/identity/:wallet", evm("wallet")),
  VENUE_A_WALLET_CLUSTER(ANALYTICS, "/venue-a/wallet/:wallet/cluster", evm("wallet")),

  // The vendor insists on a state and has no default; resolved is the one that every market
  // reaches.
  VENUE_A_ORACLE_MARKETS(
      "/venue-a/oracle/markets",
      optional("state")
          .oneOf("pending", "proposed", "disputed", "reset", "resolved")
          .withDefault("resolved"),
      limit(),
      cursor()),
  VENUE_A_ORACLE_MARKET("/venue-a/oracle/market/:condition_id", required("condition_id")),

  VENUE_D_MARKETS("/venue-d/markets", status(), search(), limit(), cursor()),
  VENUE_D_ORDERBOOKS(
      "/venue-d/orderbooks",
      required("market_slug"),
      startRequired(),
      endRequired(),
      limit(),
      cursor()),
  VENUE_E_MARKETS("/venue-e/markets", status(), search(), limit(), cursor()),
  VENUE_E_ORDERBOOKS(
      "/venue-e/orderbooks",
      required("market_id", Kind.INTEGER),
      startRequired(),
      endRequired(),
      limit(),
      cursor()),
  VENUE_F_MARKETS("/venue-f/markets", status(), search(), limit(), cursor()),
  VENUE_F_ORDERBOOKS(
      "/venue-f/orderbooks",
      required("market_id", Kind.INTEGER),
      startRequired(),
      endRequired(),
      limit(),
      cursor()),

  // The further paths. /venue-a/candlesticks/:id and /venue-a/wallet/:address are rows above.
  VENUE_A_MARKET(
      marketOfA("the market of that condition").taking(Projections.one("markets", "condition_id")),
      "/venue-a/market/:id",
      id("condition_id")),
  VENUE_A_EVENT(
      composed("/venue-a/events", "the event of that slug")
          .with("limit", "1")
          .taking(Projections.one("events", "slug")),
      "/venue-a/event/:slug",
      required("slug")),
  VENUE_A_CATEGORIES(
      computed(
          Counts.CATEGORIES.size(),
          "how many open markets each category of the specification has",
          Counts::categories,
          "/venue-a/markets"),
      "/venue-a/categories"),
  VENUE_A_PRICING(notOffered(NO_BOOK), "/venue-a/pricing/:id", required("id")),
  VENUE_A_PRICING_HISTORY(
      composed("/venue-a/candlesticks/{condition_id}", "the closing price of each candle")
          .taking(Projections::priceHistory),
      "/venue-a/pricing/history/:id",
      id("condition_id"),
      start(),
      end(),
      minutes()),
  VENUE_A_VOLUME(
      marketOfA("the market's volumes").taking(Projections::volumes),
      "/venue-a/volume/:id",
      id("condition_id")),
  VENUE_A_VOLUME_AGGREGATE(
      notOffered("the vendor has no volume of a whole venue"), "/venue-a/volume/aggregate"),
  VENUE_A_ORDERBOOK(notOffered(NO_BOOK), "/venue-a/orderbook/:id", required("id")),
  VENUE_A_MARKET_TRADES(
      composed("/venue-a/trades", "the trades of that condition"),
      "/venue-a/trades/:id",
      id("condition_id"),
      start(),
      end(),
      amount("min_total"),
      limit(),
      order(),
      cursor()),
  VENUE_A_TRADES_LIVE(
      notOffered("the vendor lists the trades of one market or of one wallet"),
      "/venue-a/trades/live",
      limit()),
  VENUE_A_ADDRESS_POSITIONS(
      composed("/venue-a/wallet/positions/{wallet}", "the wallet's open positions")
          .with("include_closed", "false"),
      "/venue-a/positions/:address",
      address(),
      limit(),
      cursor()),
  VENUE_A_POSITIONS_HISTORY(
      composed(
              "/venue-a/wallet/positions/{wallet}",
              "the wallet's positions, closed ones too, the latest first")
          .with("include_closed", "true")
          .with("sort_by", "entry_date")
          .with("order", "desc"),
      "/venue-a/positions/history/:address",
      address(),
      limit(),
      cursor()),
  VENUE_A_PNL(
      composed("/venue-a/wallet/pnl/{wallet}", "the wallet's profit over time"),
      "/venue-a/pnl/:address",
      address(),
      daily(),
      start(),
      end()),
  VENUE_A_LEADERBOARD_VOLUME(
      composed("/venue-a/leaderboard", "the leaderboard by volume")
          .with("sort_by", "volume")
          .with("order", "desc"),
      "/venue-a/leaderboard/volume",
      period(),
      limit(),
      cursor()),
  VENUE_A_ADDRESS_ACTIVITY(
      composed("/venue-a/activity", "the wallet's activity"),
      "/venue-a/activity/:address",
      address(),
      start(),
      end(),
      limit(),
      order(),
      cursor()),
  VENUE_A_REWARDS(
      notOffered("the vendor has no rewards"), "/venue-a/rewards/:address", evm("address")),
  VENUE_A_RELATED(
      computed(
          3, "the other markets of the market's event", MarketLists::related, "/venue-a/markets"),
      "/venue-a/related/:id",
      id("condition_id"),
      limit()),
  VENUE_A_COMMENTS(
      notOffered("the vendor has no comments"),
      "/venue-a/comments/:id",
      required("id"),
      limit(),
      cursor()),
  VENUE_A_RESOLUTION(
      marketOfA("the market's state and winning side").taking(Projections::resolution),
      "/venue-a/resolution/:id",
      id("condition_id")),
  VENUE_A_LIQUIDITY(
      marketOfA("the market's liquidity").taking(Projections::liquidity),
      "/venue-a/liquidity/:id",
      id("condition_id")),
  VENUE_A_STATS(
      computed(
          4,
          "how many markets and events there are, open and closed",
          Counts::stats,
          "/venue-a/markets",
          "/venue-a/events"),
      "/venue-a/stats"),
  VENUE_B_MARKET(
      composed("/venue-b/markets", "the market of that ticker")
          .with("limit", "1")
          .taking(Projections.one("markets", "ticker")),
      "/venue-b/market/:ticker",
      required("ticker")),
  VENUE_B_EVENTS(
      notOffered("the vendor lists markets of this venue, not events"),
      "/venue-b/events",
      limit(),
      cursor()),
  VENUE_C_MARKETS(notOffered(WALLETS_ONLY), "/venue-c/markets", limit(), cursor()),
  VENUE_C_MARKET(notOffered(WALLETS_ONLY), "/venue-c/market/:id", required("id")),
  VENUE_C_ORDERBOOK(notOffered(WALLETS_ONLY), "/venue-c/orderbook/:id", required("id")),
  EXCHANGE_A_LONG_SHORT(ANALYTICS, notOffered(PRICES_ONLY), "/exchange-a/long-short"),
  EXCHANGE_A_OPEN_INTEREST(ANALYTICS, notOffered(PRICES_ONLY), "/exchange-a/open-interest"),
  MARKETS_TRENDING(
      openMarkets("volume_1d", "open markets of venue A by their volume of a day"),
      "/markets/trending",
      limit(),
      offset()),
  MARKETS_NEW(
      openMarkets("created", "open markets of venue A, the newest first"),
      "/markets/new",
      limit(),
      offset()),
  MARKETS_RESOLVING_SOON(
      openMarkets("expiration_asc", "open markets of venue A whose end is ahead, the next first"),
      "/markets/resolving-soon",
      limit(),
      offset()),
  MARKETS_HIGHEST_VOLUME(
      openMarkets("volume", "open markets of venue A by their volume"),
      "/markets/highest-volume",
      limit(),
      offset()),
  MARKETS_COMPARE(
      ANALYTICS,
      composed(
              "/markets/search",
              "what the search finds, by venue; truncated says whether there may be more than 100")
          .with("limit", Integer.toString(ProviderRecords.MOST_HITS)),
      "/markets/compare/:topic",
      query("topic").upstream("q"),
      status()),
  MARKETS_CATEGORIES(
      notOffered("the vendor has no categories of all venues"), "/markets/categories"),
  MARKETS_ARBITRAGE(
      ANALYTICS,
      pairs("matched pairs whose prices differ", PairedMarkets::arbitrageRecord),
      "/markets/arbitrage",
      limit(),
      cursor()),
  SPORTS_EVENTS(
      composed("/sports/games", "the games"),
      "/sports/events",
      sport(),
      optional("league"),
      status(),
      gameDate("game_date"),
      gameDate("game_date_from"),
      gameDate("game_date_to"),
      gameSort(),
      limit(),
      cursor()),
  SPORTS_LEAGUES(
      composed("/sports/categories", "the leagues of all categories").taking(Projections::leagues),
      "/sports/leagues"),
  SPORTS_LIVE(
      "/sports/live",
      optional("live_only", Kind.BOOLEAN).withDefault("true"),
      sport(),
      optional("league"),
      gameDate("game_date"),
      limit(),
      cursor()),
  VENUE_D_MARKET(
      composed("/venue-d/markets", "the market of that slug")
          .with("limit", "1")
          .taking(Projections.one("markets", "market_slug")),
      "/venue-d/market/:id",
      id("market_slug")),
  VENUE_E_MARKET(
      composed("/venue-e/markets", "the market of that number")
          .with("limit", "1")
          .taking(Projections.one("markets", "market_id")),
      "/venue-e/market/:id",
      required("id", Kind.INTEGER).upstream("market_id")),
  VENUE_F_MARKET(
      composed("/venue-f/markets", "the market of that number")
          .with("limit", "1")
          .taking(Projections.one("markets", "market_id")),
      "/venue-f/market/:id",
      required("id", Kind.INTEGER).upstream("market_id")),
  ORACLE_ASSERTIONS(
      composed("/venue-a/oracle/markets", "markets with a proposed outcome")
          .with("state", "proposed"),
      "/oracle/assertions",
      limit(),
      cursor()),
  ORACLE_DISPUTES(
      composed("/venue-a/oracle/markets", "markets with a disputed outcome")
          .with("state", "disputed"),
      "/oracle/disputes",
      limit(),
      cursor()),
  // Not below /venue-a/wallet/, so these three are "most GET endpoints" of the price list.
  WALLET_IDENTITY(
      composed("/venue-a/wallet/identity/{wallet}", "the identity at venue A"),
      "/wallet/identity/:address",
      address()),
  WALLET_PORTFOLIO(
      composed("/venue-a/wallet/positions/{wallet}", "open positions at venue A and their sum")
          .with("include_closed", "false")
          .with("sort_by", "value")
          .with("order", "desc")
          .taking(Projections::portfolio),
      "/wallet/portfolio/:address",
      address(),
      limit(),
      cursor()),
  WALLET_HISTORY(
      composed("/venue-a/trades", "the wallet's trades at venue A, the latest first")
          .with("order", "desc"),
      "/wallet/history/:address",
      address(),
      start(),
      end(),
      limit(),
      cursor()),

  PAIRS(
      ANALYTICS,
      pairs("matched pairs with the prices of both sides", PairedMarkets::pairs),
      "/pairs",
      limit(),
      cursor()),
  ARBITRAGE(
      ANALYTICS,
      pairs("matched pairs whose prices differ, and what to buy where", PairedMarkets::arbitrage),
      "/arbitrage",
      limit(),
      cursor()),
  CORRELATION(
      ANALYTICS,
      computed(
          PairedMarkets.TRADE_PAGES + 2,
          "Pearson's coefficient of both sides' prices at the end of each candle of venue A;"
              + " without markets, of the most similar pair",
          PairedMarkets::correlation,
          "/matching-markets/pairs",
          "/venue-a/candlesticks/{condition_id}",
          "/venue-b/trades"),
      "/correlation",
      optional("venue_a_condition_id"),
      optional("venue_b_market_ticker"),
      start(),
      end(),
      optional("interval", Kind.INTEGER).oneOf("60", "1440").withDefault("60")),
  COMPARE(
      ANALYTICS,
      computed(
          3,
          "both markets and the difference of their prices; without markets, of the most similar"
              + " pair",
          PairedMarkets::compare,
          "/matching-markets/pairs",
          "/venue-a/markets",
          "/venue-b/markets"),
      "/compare",
      optional("venue_a_condition_id"),
      optional("venue_b_market_ticker"));

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

  private static final Duration REFRESH = Duration.ofSeconds(5);
  private static final Duration SPORTS_LAG = Duration.ofSeconds(60);
  private static final Duration LEADERBOARD_REFRESH = Duration.ofMinutes(15);

  private final Price price;
  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // a record of records and functions
  private final ReadSource source;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of, of records
  private final List<Parameter> parameters;

  PredictionRead(String path, Parameter... parameters) {
    this(Price.STANDARD, path, parameters);
  }

  PredictionRead(Price price, String path, Parameter... parameters) {
    this(price, direct(template(path)), path, parameters);
  }

  PredictionRead(ReadSource source, String path, Parameter... parameters) {
    this(Price.STANDARD, source, path, parameters);
  }

  PredictionRead(Price price, ReadSource source, String path, Parameter... parameters) {
    this.price = price;
    this.path = path;
    this.source = source.isOffered() ? source : source.at(template(path));
    this.parameters = List.of(parameters);
  }

  private static String template(String path) {
    return path.replaceAll(":(\\w+)", "{$1}");
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
  public ReadSource source() {
    return source;
  }
}

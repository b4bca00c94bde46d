package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Drift;
import dev.octroi.reference.sandbox.Figures;
import dev.octroi.reference.sandbox.Seeded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an exchange shows now: its pairs, tickers, order books and perpetual contracts. */
record ExchangeQuotes(World world) implements Family {

  private static final List<String> EXCHANGES =
      Contract.STATED.allowed("GET /exchange/price", "exchange");

  private static final long FUNDING_EVERY = 8 * Spans.HOUR;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /exchange/markets", this::markets,
        "GET /exchange/price", this::price,
        "GET /exchange/depth", this::depth,
        "GET /exchange/perp", this::perpetual);
  }

  private Map<String, @Nullable Object> markets(Ask ask) {
    List<String> exchanges = ask.maybe("exchange").map(List::of).orElse(EXCHANGES);
    return Answers.plain(
        exchanges.stream()
            .flatMap(this::pairs)
            .filter(pair -> ask.maybe("type").map(type -> matches(pair, type)).orElse(true))
            .filter(pair -> ask.maybe("base").map(pair.base().symbol()::equals).orElse(true))
            .filter(pair -> ask.maybe("quote").map(pair.quote().symbol()::equals).orElse(true))
            .filter(pair -> ask.maybe("search").map(text -> found(pair, text)).orElse(true))
            .limit(ask.whole("limit"))
            .map(this::market)
            .toList());
  }

  private Stream<Pair> pairs(String exchange) {
    return Pair.QUOTES.stream()
        .map(Token::of)
        .flatMap(
            quote ->
                Token.ALL.stream()
                    .filter(
                        base -> !base.equals(quote) && !base.categories().contains("STABLECOIN"))
                    .map(
                        base ->
                            new Pair(exchange, base.symbol() + "/" + quote.symbol(), base, quote)));
  }

  private static boolean matches(Pair pair, String type) {
    return switch (type) {
      case "spot" -> true;
      case "swap", "perp", "perpetual" -> pair.quote().symbol().equals("USDT");
      default -> false;
    };
  }

  private static boolean found(Pair pair, String text) {
    return pair.text().contains(text.toUpperCase(Locale.ROOT));
  }

  private Map<String, @Nullable Object> market(Pair pair) {
    Seeded seeded = Seeded.of("fees", pair.exchange());
    double maker = seeded.uniform(0.0002, 0.001, 4);
    return Fields.of(
        "active", true,
        "base", pair.base().symbol(),
        "exchange", pair.exchange(),
        "maker_fee", maker,
        "pair", pair.text(),
        "quote", pair.quote().symbol(),
        "taker_fee", Figures.round(maker * 1.5, 5),
        "type", "spot");
  }

  private Map<String, @Nullable Object> price(Ask ask) {
    Pair pair = Pair.of(ask);
    long now = world.now();
    double last = pair.price(now);
    double volume =
        Prices.volume24hUsd(pair.base(), now) / Prices.usd(pair.base(), now) * share(pair);
    Map<String, @Nullable Object> ticker =
        Fields.of(
            "ask", Prices.significant(last * (1 + pair.halfSpread())),
            "bid", Prices.significant(last * (1 - pair.halfSpread())),
            "change_24h_pct", Figures.round((last / pair.price(now - Spans.DAY) - 1) * 100, 2),
            "exchange", pair.exchange(),
            "high_24h", Prices.significant(dayExtreme(pair, now, 1)),
            "last", Prices.significant(last),
            "low_24h", Prices.significant(dayExtreme(pair, now, -1)),
            "pair", pair.text(),
            "timestamp", now,
            "volume_24h_base", Figures.round(volume, 4));
    return Answers.plain(List.of(ticker));
  }

  /** The part of all trading that happens on this exchange in this pair. */
  private static double share(Pair pair) {
    return Seeded.of("share", pair.exchange(), pair.quote().symbol()).uniform(0.02, 0.15);
  }

  private static double dayExtreme(Pair pair, long now, int sign) {
    double most = -Double.MAX_VALUE;
    for (int hour = 0; hour < 24; hour++) {
      long to = now - hour * Spans.HOUR;
      most = Math.max(most, sign * pair.extreme(to - Spans.HOUR, to, sign));
    }
    return sign * most;
  }

  private Map<String, @Nullable Object> depth(Ask ask) {
    Pair pair = Pair.of(ask);
    double middle = pair.price(world.now());
    List<Map<String, @Nullable Object>> bids = side(pair, middle, -1, ask.whole("limit"));
    List<Map<String, @Nullable Object>> asks = side(pair, middle, 1, ask.whole("limit"));
    double best = Fields.number(bids.get(0), "price");
    double spread = Fields.number(asks.get(0), "price") - best;
    double mid = best + spread / 2;
    return Answers.plain(
        List.of(
            Fields.of(
                "ask_depth", total(asks),
                "asks", asks,
                "bid_depth", total(bids),
                "bids", bids,
                "exchange", pair.exchange(),
                "mid_price", Prices.significant(mid),
                "pair", pair.text(),
                "spread", Prices.significant(spread),
                "spread_pct", Figures.round(spread / mid * 100, 6))));
  }

  private List<Map<String, @Nullable Object>> side(Pair pair, double middle, int sign, int limit) {
    Seeded seeded = Seeded.of("book", pair.exchange(), pair.text(), sign, world.now());
    double distance = pair.halfSpread();
    List<Map<String, @Nullable Object>> levels = new ArrayList<>();
    for (int level = 0; level < limit; level++) {
      double price = Prices.significant(middle * (1 + sign * distance));
      double amount = seeded.skewed(500, 90_000, 2) / Prices.usd(pair.base(), world.now());
      levels.add(Fields.of("amount", Prices.significant(amount), "price", price));
      distance += seeded.uniform(0.00002, 0.0002);
    }
    return levels;
  }

  /** The value of all levels in the quote currency. */
  private static double total(List<Map<String, @Nullable Object>> levels) {
    double sum =
        levels.stream()
            .mapToDouble(level -> Fields.number(level, "price") * Fields.number(level, "amount"))
            .sum();
    return Figures.round(sum, 2);
  }

  private Map<String, @Nullable Object> perpetual(Ask ask) {
    Pair pair = Pair.of(ask);
    List<String> fields = ask.list("fields");
    return Answers.plain(
        Fields.of(
            "exchange",
            pair.exchange(),
            "funding",
            fields.contains("funding") ? funding(pair) : null,
            "open_interest",
            fields.contains("oi") ? openInterest(pair) : null,
            "pair",
            pair.text()));
  }

  private Map<String, @Nullable Object> funding(Pair pair) {
    long now = world.now();
    double rate = fundingRate(pair, now);
    double index = Prices.raw(pair.base(), now) / Prices.raw(pair.quote(), now);
    return Fields.of(
        "exchange", pair.exchange(),
        "funding_interval_hours", 8,
        "funding_rate", rate,
        "funding_rate_1h", Figures.round(rate / 8, 8),
        "funding_rate_8h", rate,
        "funding_rate_annualized", Figures.round(rate * 3 * 365, 6),
        "funding_rate_raw", rate,
        "index_price", Prices.significant(index),
        "interval", "8h",
        "mark_price", Prices.significant(pair.price(now)),
        "next_funding",
            Instant.ofEpochSecond(Spans.floor(now, FUNDING_EVERY) + FUNDING_EVERY).toString(),
        "pair", pair.text());
  }

  /** The rate that was set at the start of the funding period of a time. */
  static double fundingRate(Pair pair, long second) {
    Drift drift = new Drift("funding:" + pair.exchange() + pair.base().symbol());
    return Figures.round(0.0001 + 0.0004 * drift.at(Spans.floor(second, FUNDING_EVERY)), 6);
  }

  private Map<String, @Nullable Object> openInterest(Pair pair) {
    long now = world.now();
    double usd =
        new Drift("interest:" + pair.exchange() + pair.base().symbol())
            .level(Prices.marketCap(pair.base(), now) * 0.004, 0.3, now);
    return Fields.of(
        "exchange", pair.exchange(),
        "open_interest_amount", Prices.significant(usd / Prices.usd(pair.base(), now)),
        "open_interest_usd", Figures.round(usd, 2),
        "pair", pair.text(),
        "timestamp", now);
  }
}

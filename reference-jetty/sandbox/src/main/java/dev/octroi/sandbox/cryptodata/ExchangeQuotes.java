package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What an exchange shows now: its pairs, tickers, order books and perpetual contracts. */
record ExchangeQuotes(World world) implements Family {

  private static final List<String> EXCHANGES =
      CryptoDataVendor.CONTRACT.words("GET /exchange/price", "exchange");

  private static final long FUNDING_EVERY = 8 * Spans.HOUR;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /exchange/markets", this::markets,
        "GET /exchange/price", this::price,
        "GET /exchange/depth", this::depth,
        "GET /exchange/perp", this::perpetual);
  }

  private Fields markets(Ask ask) {
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

  private Fields market(Pair pair) {
    Seeded seeded = Seeded.of("fees", pair.exchange());
    double maker = seeded.uniform(0.0002, 0.001, 4);
    return Fields.of("active", true)
        .and("base", pair.base().symbol())
        .and("exchange", pair.exchange())
        .and("maker_fee", maker)
        .and("pair", pair.text())
        .and("quote", pair.quote().symbol())
        .and("taker_fee", Figures.round(maker * 1.5, 5))
        .and("type", "spot");
  }

  private Fields price(Ask ask) {
    Pair pair = Pair.of(ask);
    long now = world.now();
    double last = pair.price(now);
    double volume =
        Prices.volume24hUsd(pair.base(), now) / Prices.usd(pair.base(), now) * share(pair);
    Fields ticker =
        Fields.of("ask", Prices.significant(last * (1 + pair.halfSpread())))
            .and("bid", Prices.significant(last * (1 - pair.halfSpread())))
            .and("change_24h_pct", Figures.round((last / pair.price(now - Spans.DAY) - 1) * 100, 2))
            .and("exchange", pair.exchange())
            .and("high_24h", Prices.significant(dayExtreme(pair, now, 1)))
            .and("last", Prices.significant(last))
            .and("low_24h", Prices.significant(dayExtreme(pair, now, -1)))
            .and("pair", pair.text())
            .and("timestamp", now)
            .and("volume_24h_base", Figures.round(volume, 4));
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

  private Fields depth(Ask ask) {
    Pair pair = Pair.of(ask);
    double middle = pair.price(world.now());
    List<Fields> bids = side(pair, middle, -1, ask.whole("limit"));
    List<Fields> asks = side(pair, middle, 1, ask.whole("limit"));
    double best = bids.get(0).number("price");
    double spread = asks.get(0).number("price") - best;
    double mid = best + spread / 2;
    return Answers.plain(
        List.of(
            Fields.of("ask_depth", total(asks))
                .and("asks", asks)
                .and("bid_depth", total(bids))
                .and("bids", bids)
                .and("exchange", pair.exchange())
                .and("mid_price", Prices.significant(mid))
                .and("pair", pair.text())
                .and("spread", Prices.significant(spread))
                .and("spread_pct", Figures.round(spread / mid * 100, 6))));
  }

  private List<Fields> side(Pair pair, double middle, int sign, int limit) {
    Seeded seeded = Seeded.of("book", pair.exchange(), pair.text(), sign, world.now());
    double distance = pair.halfSpread();
    List<Fields> levels = new ArrayList<>();
    for (int level = 0; level < limit; level++) {
      double price = Prices.significant(middle * (1 + sign * distance));
      double amount = seeded.skewed(500, 90_000, 2) / Prices.usd(pair.base(), world.now());
      levels.add(Fields.of("amount", Prices.significant(amount)).and("price", price));
      distance += seeded.uniform(0.00002, 0.0002);
    }
    return levels;
  }

  /** The value of all levels in the quote currency. */
  private static double total(List<Fields> levels) {
    double sum =
        levels.stream().mapToDouble(level -> level.number("price") * level.number("amount")).sum();
    return Figures.round(sum, 2);
  }

  private Fields perpetual(Ask ask) {
    Pair pair = Pair.of(ask);
    List<String> fields = ask.list("fields");
    return Answers.plain(
        Fields.of("exchange", pair.exchange())
            .and("funding", fields.contains("funding") ? funding(pair) : null)
            .and("open_interest", fields.contains("oi") ? openInterest(pair) : null)
            .and("pair", pair.text()));
  }

  private Fields funding(Pair pair) {
    long now = world.now();
    double rate = fundingRate(pair, now);
    double index = Prices.raw(pair.base(), now) / Prices.raw(pair.quote(), now);
    return Fields.of("exchange", pair.exchange())
        .and("funding_interval_hours", 8)
        .and("funding_rate", rate)
        .and("funding_rate_1h", Figures.round(rate / 8, 8))
        .and("funding_rate_8h", rate)
        .and("funding_rate_annualized", Figures.round(rate * 3 * 365, 6))
        .and("funding_rate_raw", rate)
        .and("index_price", Prices.significant(index))
        .and("interval", "8h")
        .and("mark_price", Prices.significant(pair.price(now)))
        .and(
            "next_funding",
            Instant.ofEpochSecond(Spans.floor(now, FUNDING_EVERY) + FUNDING_EVERY).toString())
        .and("pair", pair.text());
  }

  /** The rate that was set at the start of the funding period of a time. */
  static double fundingRate(Pair pair, long second) {
    Drift drift = new Drift("funding:" + pair.exchange() + pair.base().symbol());
    return Figures.round(0.0001 + 0.0004 * drift.at(Spans.floor(second, FUNDING_EVERY)), 6);
  }

  private Fields openInterest(Pair pair) {
    long now = world.now();
    double usd =
        new Drift("interest:" + pair.exchange() + pair.base().symbol())
            .level(Prices.marketCap(pair.base(), now) * 0.004, 0.3, now);
    return Fields.of("exchange", pair.exchange())
        .and("open_interest_amount", Prices.significant(usd / Prices.usd(pair.base(), now)))
        .and("open_interest_usd", Figures.round(usd, 2))
        .and("pair", pair.text())
        .and("timestamp", now);
  }
}

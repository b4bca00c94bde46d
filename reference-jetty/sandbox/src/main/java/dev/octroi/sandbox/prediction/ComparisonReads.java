package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What the same outcome costs at several venues. */
final class ComparisonReads {

  private static final long HOUR = 3_600;
  private static final int HOURS = 168;
  private static final int MOST_CORRELATED = 12;

  private ComparisonReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/markets/arbitrage", ask -> arbitrage(ask, 0))
        .get("/arbitrage", ask -> arbitrage(ask, ask.number("min_spread", 0.005)))
        .get("/markets/compare/:topic", ask -> compare(ask, ask.id("topic")))
        .get("/compare", ComparisonReads::byVenue)
        .get("/correlation", ComparisonReads::correlation);
  }

  private static double price(Market market, Venue venue, Instant now) {
    return Prices.of(market, venue, true, now.getEpochSecond());
  }

  private static double spread(Market market, Instant now) {
    return Numbers.rounded(Math.abs(price(market, Venue.A, now) - price(market, Venue.B, now)), 3);
  }

  /** The market at venues A and B with its prices there. */
  static Row sides(Market market, Instant now) {
    Row row = new Row();
    for (Venue venue : List.of(Venue.A, Venue.B)) {
      double yes = price(market, venue, now);
      row.with(
          venue.upper(),
          MatchingReads.names(market, venue)
              .with("yes_price", yes)
              .with("no_price", Numbers.rounded(1 - yes, 3)));
    }
    return row.with("spread", spread(market, now));
  }

  private static Row arbitrage(Ask ask, double least) {
    List<Row> rows =
        MatchingReads.paired(ask, true).stream()
            .filter(market -> spread(market, ask.now()) >= least)
            .sorted(
                Comparator.comparingDouble((Market m) -> spread(m, ask.now()))
                    .reversed()
                    .thenComparing(Market::index))
            .map(market -> opportunity(market, ask.now()))
            .toList();
    Row before = Row.of("min_spread", least);
    return Page.byOffset(ask, before, "opportunities", rows, 20, 100);
  }

  private static Row opportunity(Market market, Instant now) {
    boolean cheaperAtA = price(market, Venue.A, now) <= price(market, Venue.B, now);
    Venue yes = cheaperAtA ? Venue.A : Venue.B;
    Venue no = cheaperAtA ? Venue.B : Venue.A;
    double cost = price(market, yes, now) + 1 - price(market, no, now);
    return Row.of("topic", market.title())
        .and(sides(market, now))
        .with("buy_yes_at", yes.word())
        .with("buy_no_at", no.word())
        .with("cost", Numbers.rounded(cost, 3))
        .with("similarity", MatchingReads.similarity(market));
  }

  private static Row compare(Ask ask, String topic) {
    String words = topic.replace('-', ' ').toLowerCase(Locale.ROOT);
    List<Row> rows =
        ask.universe().markets().stream()
            .filter(market -> !market.closed(ask.now()) && market.venues().size() > 1)
            .filter(market -> SearchReads.fits(words, market))
            .map(market -> compared(market, ask.now()))
            .toList();
    Row before = Row.of("topic", topic, "count", rows.size());
    return Page.byOffset(ask, before, "comparisons", rows, 20, 100);
  }

  /** The comparison of a topic, with how many markets of it each venue has. */
  private static Row byVenue(Ask ask) {
    String topic = ask.text("topic", ask.text("q", ""));
    List<Row> venues = new ArrayList<>();
    for (Venue venue : Venue.TRADING) {
      long count =
          ask.universe().markets(venue).stream()
              .filter(market -> !market.closed(ask.now()) && SearchReads.fits(topic, market))
              .count();
      venues.add(Row.of("venue", venue.word(), "markets", count));
    }
    return Row.of("venues", venues).and(compare(ask, topic));
  }

  private static Row compared(Market market, Instant now) {
    List<Row> venues =
        market.venues().stream()
            .sorted()
            .map(venue -> SearchReads.hit(market, venue, now))
            .toList();
    double high = venues.stream().mapToDouble(row -> row.number("price")).max().orElse(0);
    double low = venues.stream().mapToDouble(row -> row.number("price")).min().orElse(0);
    return Row.of("predexon_id", market.yes().outcomeId(), "title", market.title())
        .with("venues", venues)
        .with("spread", Numbers.rounded(high - low, 3));
  }

  private static Row correlation(Ask ask) {
    List<Market> markets =
        ask.list("condition_id").isEmpty()
            ? MatchingReads.paired(ask, true)
            : ask.list("condition_id").stream().map(ask::traded).toList();
    List<Market> first = markets.subList(0, Math.min(MOST_CORRELATED, markets.size()));
    List<Row> rows =
        first.stream()
            .flatMap(
                a ->
                    first.stream()
                        .filter(b -> b.index() > a.index())
                        .map(b -> pair(a, b, ask.now())))
            .sorted(Comparator.comparingDouble((Row row) -> -Math.abs(row.number("correlation"))))
            .toList();
    return Page.byOffset(ask, Row.of("window", "7d"), "correlations", rows, 20, 100);
  }

  private static Row pair(Market first, Market second, Instant now) {
    return Row.of("first", MatchingReads.names(first, Venue.A))
        .with("second", MatchingReads.names(second, Venue.A))
        .with("correlation", correlation(hourly(first, now), hourly(second, now)))
        .with("samples", HOURS);
  }

  private static double[] hourly(Market market, Instant now) {
    long last = now.getEpochSecond() / HOUR * HOUR;
    return Stream.iterate(last - (HOURS - 1) * HOUR, time -> time + HOUR)
        .limit(HOURS)
        .mapToDouble(time -> Prices.of(market, Venue.A, true, time))
        .toArray();
  }

  private static double correlation(double[] first, double[] second) {
    double meanOfFirst = Arrays.stream(first).average().orElse(0);
    double meanOfSecond = Arrays.stream(second).average().orElse(0);
    double together = 0;
    double squareOfFirst = 0;
    double squareOfSecond = 0;
    for (int i = 0; i < first.length; i++) {
      double a = first[i] - meanOfFirst;
      double b = second[i] - meanOfSecond;
      together += a * b;
      squareOfFirst += a * a;
      squareOfSecond += b * b;
    }
    return Numbers.quotient(together, Math.sqrt(squareOfFirst * squareOfSecond));
  }
}

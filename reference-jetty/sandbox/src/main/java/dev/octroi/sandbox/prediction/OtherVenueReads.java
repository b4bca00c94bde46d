package dev.octroi.sandbox.prediction;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Markets and books of venues D, E and F: the same reads, each with the venue's own shape. */
final class OtherVenueReads {

  private OtherVenueReads() {}

  static void addTo(Routes routes) {
    add(
        routes,
        Venue.D,
        "venue-d",
        "market_slug",
        OtherVenueShapes::marketOfD,
        OtherVenueShapes::bookOfD);
    add(
        routes,
        Venue.E,
        "venue-e",
        "market_id",
        OtherVenueShapes::marketOfE,
        OtherVenueShapes::bookOfE);
    add(
        routes,
        Venue.F,
        "venue-f",
        "market_id",
        OtherVenueShapes::marketOfF,
        OtherVenueShapes::bookOfF);
  }

  private static void add(
      Routes routes,
      Venue venue,
      String path,
      String id,
      BiFunction<Market, Ask, Row> market,
      Function<Book, Row> book) {
    routes
        .get("/" + path + "/markets", ask -> list(ask, venue, market))
        .get("/" + path + "/market/:id", ask -> market.apply(find(ask, venue, ask.id("id")), ask))
        .get(
            "/" + path + "/orderbooks",
            ask -> {
              String name = ask.required(id);
              Span window = BookReads.window(ask);
              Market found = find(ask, venue, name);
              boolean yes = !found.token(venue, false).equals(ask.text("token_id"));
              return BookReads.page(
                  ask, found, window, time -> book.apply(Book.of(found, venue, yes, time)));
            });
  }

  private static Row list(Ask ask, Venue venue, BiFunction<Market, Ask, Row> shape) {
    String status = ask.optionalChoice("status", "open", "closed");
    List<Row> rows =
        ask.universe().markets(venue).stream()
            .filter(market -> status == null || status.equals(market.status(ask.now())))
            .filter(market -> MarketReads.matches(ask.text("search", ""), market.title()))
            .filter(market -> ask.admits("market_slug", market.slug()))
            .filter(market -> ask.admits("market_id", String.valueOf(market.number(venue))))
            .filter(market -> ask.admits("condition_id", OtherVenueShapes.condition(market, venue)))
            .sorted(
                MarketReads.falling(m -> Volumes.total(m, ask.now())).thenComparing(Market::index))
            .map(market -> shape.apply(market, ask))
            .toList();
    return Page.byKey(ask, new Row(), "markets", rows, 20, 100);
  }

  /** By number, address name or condition. */
  private static Market find(Ask ask, Venue venue, String id) {
    return ask.universe().markets(venue).stream()
        .filter(
            market ->
                String.valueOf(market.number(venue)).equals(id)
                    || market.slug().equals(id)
                    || OtherVenueShapes.condition(market, venue).equals(id))
        .findFirst()
        .orElseThrow(() -> VendorRefusal.notFound("Market", id));
  }
}

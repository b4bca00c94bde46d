package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.List;

/** How venues D, E and F show their markets and books. */
final class OtherVenueShapes {

  private OtherVenueShapes() {}

  static String condition(Market market, Venue venue) {
    return Chance.hex("condition " + venue + market.slug(), 64);
  }

  private static double volume(Market market, Venue venue, Instant now) {
    return Numbers.usd(SearchReads.share(market, venue) * Volumes.total(market, now));
  }

  private static double recent(Market market, Venue venue, Instant now, int days) {
    return Numbers.usd(
        SearchReads.share(market, venue) * Volumes.last(market, now, days * 86_400L));
  }

  private static String updated(Instant now) {
    return Numbers.iso(now.getEpochSecond() / Prices.BUCKET * Prices.BUCKET);
  }

  private static String description(Market market) {
    return "Resolves " + market.yes().label() + " if so. Sandbox data.";
  }

  static Row marketOfD(Market market, Ask ask) {
    Instant now = ask.now();
    boolean closed = market.closed(now);
    Row collateral =
        Row.of("symbol", "USDC", "address", Chance.hex("collateral", 40), "decimals", 6);
    return Row.of("condition_id", condition(market, Venue.D))
        .with("market_id", market.number(Venue.D))
        .with("market_slug", market.slug())
        .with("title", market.title())
        .with("description", description(market))
        .with("status", market.status(now))
        .with("trade_type", "clob")
        .with("outcomes", MarketReads.outcomes(market, Venue.D, now))
        .with("total_volume_usd", volume(market, Venue.D, now))
        .with("open_interest_usd", null)
        .with("liquidity_usd", Numbers.usd(0.2 * Volumes.liquidity(market, now)))
        .with("image_url", "")
        .with("categories", List.of(market.event().category()))
        .with("tags", market.event().tags())
        .with("collateral", collateral)
        .with("market_address", null)
        .with("exchange_address", Chance.hex("exchange", 40))
        .with("expired", closed)
        .with("winning_outcome", closed ? market.winner() : null)
        .with("payout_numerators", payouts(market, closed))
        .with("resolution_block", closed ? block(market) : null)
        .with("resolution_tx", closed ? resolution(market) : null)
        .with("expiration_time", Numbers.iso(market.end()))
        .with("created_time", Numbers.iso(market.created()))
        .with("updated_time", updated(now));
  }

  private static List<Integer> payouts(Market market, boolean closed) {
    if (!closed) {
      return List.of();
    }
    return market.comesTrue() ? List.of(1, 0) : List.of(0, 1);
  }

  private static long block(Market market) {
    return market.end().getEpochSecond() / 2 % 100_000_000;
  }

  private static String resolution(Market market) {
    return Chance.hex("resolution " + market.slug(), 64);
  }

  static Row marketOfE(Market market, Ask ask) {
    Instant now = ask.now();
    Event event = market.event();
    boolean closed = market.closed(now);
    return Row.of("market_id", market.number(Venue.E), "title", market.title())
        .with("slug", market.slug())
        .with("description", description(market))
        .with("status", market.status(now))
        .with("outcomes", MarketReads.outcomes(market, Venue.E, now))
        .with("total_volume_usd", volume(market, Venue.E, now))
        .with("volume_24h_usd", recent(market, Venue.E, now, 1))
        .with("volume_7d_usd", recent(market, Venue.E, now, 7))
        .with("condition_id", condition(market, Venue.E))
        .with("question_id", Chance.hex("question e " + market.slug(), 64))
        .with("result_token_id", closed ? market.token(Venue.E, market.comesTrue()) : null)
        .with("event_id", event.id())
        .with("event_slug", event.slug())
        .with("event_title", event.title())
        .with("labels", event.tags())
        .with("thumbnail_url", "")
        .with("chain_id", "56")
        .with("quote_token", Chance.hex("quote", 40))
        .with("collection", null)
        .with("created_time", Numbers.iso(market.created()))
        .with("cutoff_time", Numbers.iso(market.end()))
        .with("resolved_time", closed ? Numbers.iso(market.end()) : null);
  }

  static Row marketOfF(Market market, Ask ask) {
    Instant now = ask.now();
    boolean closed = market.closed(now);
    Book book = Book.of(market, Venue.F, true, now.getEpochSecond());
    return Row.of("market_id", market.number(Venue.F))
        .with("condition_id", condition(market, Venue.F))
        .with("title", market.title())
        .with("description", description(market))
        .with("status", market.status(now))
        .with("market_variant", "DEFAULT")
        .with("outcomes", MarketReads.outcomes(market, Venue.F, now))
        .with("best_bid", closed ? null : book.bid())
        .with("best_ask", closed ? null : book.ask())
        .with("bid_depth", closed ? 0 : book.bidDepth())
        .with("ask_depth", closed ? 0 : book.askDepth())
        .with("is_yield_bearing", false)
        .with("is_neg_risk", market.event().exclusive())
        .with("event_slug", market.event().slug())
        .with("image_url", "")
        .with("winning_outcome", closed ? market.winner() : null)
        .with("payout_numerators", payouts(market, closed))
        .with("resolution_block", closed ? block(market) : null)
        .with("resolution_tx", closed ? resolution(market) : null)
        .with("created_time", Numbers.iso(market.created()))
        .with("updated_time", updated(now));
  }

  static Row bookOfD(Book book) {
    double midpoint = Numbers.ratio((book.bid() + book.ask()) / 2);
    return Row.of("market_slug", book.market().slug())
        .with("token_id", book.market().token(Venue.D, book.yesSide()))
        .with("timestamp", book.second() * 1_000)
        .with("bids", book.bids(false))
        .with("asks", book.asks(false))
        .with("midpoint", midpoint)
        .with("adjusted_midpoint", midpoint);
  }

  static Row bookOfE(Book book) {
    return Row.of("market_id", book.market().number(Venue.E))
        .with("token_id", book.market().token(Venue.E, book.yesSide()))
        .and(levels(book));
  }

  static Row bookOfF(Book book) {
    return Row.of("market_id", book.market().number(Venue.F)).and(levels(book));
  }

  private static Row levels(Book book) {
    return Row.of("timestamp", book.second() * 1_000)
        .with("bids", book.bids(false))
        .with("asks", book.asks(false))
        .with("best_bid", book.bid())
        .with("best_ask", book.ask())
        .with("bid_depth", book.bidDepth())
        .with("ask_depth", book.askDepth());
  }
}

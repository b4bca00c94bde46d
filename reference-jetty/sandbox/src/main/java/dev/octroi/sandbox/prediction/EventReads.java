package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The events of venue A, and what is known about a whole market besides its trading. */
final class EventReads {

  private EventReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/events", ask -> Page.byOffset(ask, new Row(), "events", list(ask), 20, 100))
        .get(
            "/venue-a/events/keyset",
            ask -> Page.byKey(ask, new Row(), "events", list(ask), 20, 100))
        .get("/venue-a/event/:slug", EventReads::one)
        .get("/venue-a/categories", EventReads::categories)
        .get("/venue-a/comments/:id", EventReads::comments)
        .get("/venue-a/stats", EventReads::stats);
  }

  private static List<Row> list(Ask ask) {
    String status = ask.optionalChoice("status", "open", "closed");
    return ask.universe().events(Venue.A).stream()
        .filter(event -> !event.slug().equals("sandbox-archived"))
        .filter(event -> status == null || status.equals(event.status(ask.now())))
        .filter(event -> ask.admits("category", event.category()))
        .filter(event -> MarketReads.matches(ask.text("search", ""), event.title()))
        .filter(event -> ask.admits("id", event.id()) && ask.admits("slug", event.slug()))
        .filter(event -> event.tags().stream().anyMatch(tag -> ask.admits("tag", tag)))
        .sorted(order(ask))
        .map(event -> row(event, ask.now()))
        .toList();
  }

  private static Comparator<Event> order(Ask ask) {
    String sort =
        ask.choice(
            "sort",
            "created",
            "created_asc",
            "start_date",
            "start_date_asc",
            "end_date",
            "end_date_desc",
            "title",
            "relevance");
    Comparator<Event> order =
        switch (sort) {
          case "created_asc", "start_date_asc" -> Comparator.comparing(Event::created);
          case "end_date" -> Comparator.comparing(Event::end);
          case "end_date_desc" -> Comparator.comparing(Event::end).reversed();
          case "title" -> Comparator.comparing(Event::title);
          default -> Comparator.comparing(Event::created).reversed();
        };
    return order.thenComparing(Event::id);
  }

  static Row row(Event event, Instant now) {
    boolean closed = event.closed(now);
    List<Row> tags =
        event.tags().stream().map(t -> Row.of("id", tagId(t), "label", t, "slug", t)).toList();
    return Row.of("id", event.id(), "ticker", event.slug(), "slug", event.slug())
        .with("title", event.title())
        .with("description", "Sandbox event: " + event.title())
        .with("category", event.category())
        .with("tags", tags)
        .with("series", List.of(series(event)))
        .with("image_url", "https://example.com/events/" + event.slug() + ".png")
        .with("icon_url", "https://example.com/events/" + event.slug() + "-icon.png")
        .with("resolution_source", "sandbox")
        .with("start_date", Numbers.iso(event.created()))
        .with("end_date", Numbers.iso(event.end()))
        .with("creation_date", Numbers.iso(event.created()))
        .with("closed_time", closed ? Numbers.iso(event.end()) : null)
        .with("neg_risk", event.exclusive())
        .with(
            "neg_risk_market_id", event.exclusive() ? Chance.hex("neg " + event.slug(), 64) : null)
        .with("enable_order_book", true)
        .with("status", event.status(now));
  }

  private static Row series(Event event) {
    String slug = event.tags().get(1);
    return Row.of("id", tagId(event.series()), "slug", slug, "title", slug)
        .with("recurrence", "none");
  }

  private static String tagId(String tag) {
    return String.valueOf(100 + Chance.below(Chance.key(tag), 1, 9_000));
  }

  private static Row one(Ask ask) {
    String slug = ask.id("slug");
    List<Market> markets =
        ask.universe().markets(Venue.A).stream()
            .filter(market -> market.event().slug().equals(slug))
            .toList();
    if (markets.isEmpty()) {
      markets =
          ask.universe().bySlug(slug).filter(m -> m.event().slug().equals(slug)).stream().toList();
    }
    if (markets.isEmpty()) {
      throw VendorRefusal.notFound("Event", slug);
    }
    List<Row> rows = markets.stream().map(each -> MarketReads.row(each, ask.now())).toList();
    return row(markets.get(0).event(), ask.now()).with("markets", rows);
  }

  private static Row categories(Ask ask) {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Market market : ask.universe().markets(Venue.A)) {
      if (!market.closed(ask.now())) {
        Event event = market.event();
        Row row = rows.computeIfAbsent(event.category(), c -> Row.of("category", c, "markets", 0));
        row.with("markets", (int) row.number("markets") + 1)
            .with("volume_1d", sum(row, "volume_1d", Volumes.last(market, ask.now(), 86_400)));
      }
    }
    return Row.of("categories", rows.values());
  }

  private static double sum(Row row, String name, double more) {
    return Numbers.usd(row.number(name) + more);
  }

  private static Row comments(Ask ask) {
    Market market = ask.market(ask.id("id"));
    List<Wallet> wallets = ask.universe().ledger().wallets();
    long key = market.key();
    List<Row> comments =
        IntStream.range(0, 6 + Chance.below(key, 50, 30))
            .mapToObj(
                i -> comment(market, i, wallets.get(Chance.below(key, 60 + i, 60)), ask.now()))
            .toList();
    Row before = Row.of("condition_id", market.conditionId());
    return Page.byKey(ask, before, "comments", comments, 20, 100);
  }

  private static Row comment(Market market, int number, Wallet author, Instant now) {
    long hour = now.getEpochSecond() / 3_600;
    boolean yes = Chance.unit(market.key(), 90 + number) < market.chance();
    return Row.of("id", Chance.hex("comment " + market.slug() + number, 24).substring(2))
        .with("user", author.address())
        .with("display_name", Identity.name(author))
        .with("body", (yes ? "Holding " : "Against it, holding ") + market.side(yes).label())
        .with("likes", Chance.below(market.key(), 130 + number, 40))
        .with("timestamp", (hour - 5L * number) * 3_600);
  }

  private static Row stats(Ask ask) {
    List<Market> markets = ask.universe().markets(Venue.A);
    Instant now = ask.now();
    long open = markets.stream().filter(market -> !market.closed(now)).count();
    double day = markets.stream().mapToDouble(m -> Volumes.last(m, now, 86_400)).sum();
    double interest =
        markets.stream().mapToDouble(m -> Volumes.openInterest(m, now.getEpochSecond())).sum();
    return Row.of("markets", markets.size(), "open_markets", open)
        .with("closed_markets", markets.size() - open)
        .with("events", ask.universe().events(Venue.A).size())
        .with("traders", ask.universe().ledger().wallets().size())
        .with("volume_1d", Numbers.usd(day))
        .with(
            "total_volume_usd",
            Numbers.usd(markets.stream().mapToDouble(m -> Volumes.total(m, now)).sum()))
        .with("open_interest_usd", Numbers.usd(interest))
        .with("computed_at", now.getEpochSecond());
  }
}

package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Drift;
import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A market of a prediction venue.
 *
 * @param event the venue's word for the event: slug or ticker
 * @param key the venue's word for the market: slug or ticker
 * @param probability around which its price moves
 * @param volume traded so far
 */
record Market(
    String event,
    String eventTitle,
    String category,
    String subcategory,
    String key,
    String title,
    double probability,
    double volume) {

  static final List<Market> VENUE_A = Table.rows("venue-a.txt", Market::row);
  static final List<Market> VENUE_B = Table.rows("venue-b.txt", Market::row);

  private static Market row(String[] cells) {
    return new Market(
        cells[0],
        cells[1],
        cells[2],
        cells[3],
        cells[4],
        cells[5],
        Double.parseDouble(cells[6]),
        Double.parseDouble(cells[7]));
  }

  /** The market that a text names by key or condition; a magic value stands for the first. */
  static Market of(List<Market> venue, String text) {
    return named(
        venue, text, market -> List.of(market.key, market.conditionId(), market.token("Yes")));
  }

  /** A market of the event that a text names. */
  static Market ofEvent(List<Market> venue, String text) {
    return named(venue, text, market -> List.of(market.event));
  }

  private static Market named(
      List<Market> venue, String text, Function<Market, List<String>> names) {
    if (Magic.in(text).isPresent()) {
      return venue.get(0);
    }
    return venue.stream()
        .filter(market -> names.apply(market).stream().anyMatch(text::equalsIgnoreCase))
        .findFirst()
        .orElseThrow(() -> Refusal.notFound("Market"));
  }

  String conditionId() {
    return Seeded.of("condition", key).transactionHash();
  }

  /** The number of one side's token. */
  String token(String side) {
    return Seeded.of("outcome", key, side).digits(77);
  }

  /** The price of yes at a time: whole cents from 0.01 to 0.99; no is the rest of a dollar. */
  double yes(long second) {
    double odds = Math.log(probability / (1 - probability));
    double moved = odds + 1.2 * new Drift("market:" + key).at(second);
    double price = Figures.round(1 / (1 + Math.exp(-moved)), 2);
    return Math.max(0.01, Math.min(0.99, price));
  }

  double no(long second) {
    return Figures.round(1 - yes(second), 2);
  }

  /** What was traded in a span, in the unit of {@link #volume}. */
  double traded(long second, long span) {
    double daily = new Drift("traded:" + key).level(volume / 240, 1.2, second);
    return Figures.round(daily * span / Spans.DAY, 2);
  }

  double openInterest(long second) {
    return Figures.round(new Drift("interest:" + key).level(volume * 0.2, 0.3, second), 2);
  }

  boolean matches(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return eventTitle.toLowerCase(Locale.ROOT).contains(wanted)
        || title.toLowerCase(Locale.ROOT).contains(wanted)
        || subcategory.contains(wanted)
        || Magic.in(text).isPresent();
  }

  long start() {
    return Seeded.of("start", event).whole(1_760_000_000L, 1_770_000_000L);
  }

  long end() {
    return Seeded.of("end", event).whole(1_798_700_000L, 1_830_000_000L);
  }

  String image() {
    return "https://images.example/events/" + Seeded.of("picture", event).hex(8) + ".png";
  }
}

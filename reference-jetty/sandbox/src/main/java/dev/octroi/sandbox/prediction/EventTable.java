package dev.octroi.sandbox.prediction;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the events of the universe from {@code events.txt}. */
final class EventTable {

  private EventTable() {}

  static List<Market> markets(Instant anchor) {
    List<Market> markets = new ArrayList<>();
    int number = 0;
    for (String line : lines()) {
      if (!line.startsWith("#")) {
        String[] cells = line.split("\\|");
        addEvent(markets, cells, event(cells, number++, anchor));
      }
    }
    markets.add(archived(anchor, markets.size()));
    return markets;
  }

  private static List<String> lines() {
    try (InputStream table = EventTable.class.getResourceAsStream("events.txt")) {
      if (table == null) {
        throw new IllegalStateException("events.txt is not beside its class");
      }
      return new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Event event(String[] cells, int number, Instant anchor) {
    String slug = cells[4];
    Instant end = anchor.plus(Duration.ofDays(Long.parseLong(cells[1]))).plusSeconds(43_200);
    Instant created = anchor.minus(Duration.ofDays(40 + Chance.below(Chance.key(slug), 1, 160)));
    String series = "KX" + cells[3];
    return new Event(
        String.valueOf(18_000 + number),
        slug,
        cells[5],
        cells[2],
        series,
        series + "-01",
        created,
        end,
        exclusive(cells[7]));
  }

  /** Outcomes whose chances add up to nearly all rule each other out. */
  private static boolean exclusive(String outcomes) {
    int sum = 0;
    for (String outcome : outcomes.split(";")) {
      sum += Integer.parseInt(outcome.substring(outcome.lastIndexOf(':') + 1));
    }
    return sum > 90 && sum <= 100;
  }

  private static void addEvent(List<Market> markets, String[] cells, Event event) {
    Set<Venue> venues = EnumSet.noneOf(Venue.class);
    for (Venue venue : Venue.TRADING) {
      if (cells[0].indexOf(venue.letter()) >= 0) {
        venues.add(venue);
      }
    }
    for (String outcome : cells[7].split(";")) {
      int colon = outcome.lastIndexOf(':');
      String label = outcome.substring(0, colon);
      double chance = Integer.parseInt(outcome.substring(colon + 1)) / 100.0;
      String title = cells[6].replace("{}", label);
      markets.add(market(event, markets.size(), title, label, chance, venues));
    }
  }

  /** A market of ordinary claims: Yes and No. */
  static Market market(
      Event event, int index, String title, String label, double chance, Set<Venue> venues) {
    String slug = slug(title);
    String code = label.replaceAll("(?i)^the ", "").replaceAll("[^A-Za-z0-9.]", "");
    boolean surprise = Chance.unit(Chance.key(slug), 77) < 0.1;
    return new Market(
        event,
        index,
        slug,
        title,
        label,
        code.toUpperCase(Locale.ROOT),
        Chance.hex("condition " + slug, 64),
        side(slug, "Yes"),
        side(slug, "No"),
        chance,
        surprise != chance >= 0.5,
        Set.copyOf(venues));
  }

  private static Market.Side side(String slug, String label) {
    String name = slug + " " + label;
    return new Market.Side(label, Chance.token(name), Chance.outcomeId(name));
  }

  private static Market archived(Instant anchor, int index) {
    Instant end = anchor.minus(Duration.ofDays(300));
    Instant created = end.minus(Duration.ofDays(60));
    Event event =
        new Event(
            "17999",
            "sandbox-archived",
            "What happened long ago?",
            "culture",
            "KXARCHIVED",
            "KXARCHIVED-01",
            created,
            end,
            false);
    Market market =
        market(event, index, "Sandbox archived market?", "archived", 0.7, EnumSet.of(Venue.A));
    return new Market(
        event,
        index,
        market.slug(),
        market.title(),
        market.label(),
        market.code(),
        Market.ARCHIVED,
        market.yes(),
        market.no(),
        market.chance(),
        true,
        market.venues());
  }

  static String slug(String title) {
    String plain = title.toLowerCase(Locale.ROOT).replace(",", "").replaceAll("[^a-z0-9]+", "-");
    return plain.replaceAll("^-|-$", "");
  }
}

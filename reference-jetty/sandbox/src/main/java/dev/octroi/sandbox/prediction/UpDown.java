package dev.octroi.sandbox.prediction;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The markets on whether an asset rises in a window of time. There is a next one every few minutes,
 * so none is stored: their identifiers say which window they are, and the exchange's prices say how
 * they end.
 *
 * @param asset what rises or falls
 * @param frame length of the window
 * @param start beginning of the window in Unix seconds
 */
record UpDown(Exchange asset, Frame frame, long start) {

  private static final Pattern CONDITION = Pattern.compile("0x75([0-3])([0-3])([0-9a-f]{10}).{50}");
  private static final Pattern TOKEN = Pattern.compile("75([0-3])([0-3])(\\d{10})[12]\\d{60,70}");
  private static final Pattern SLUG = Pattern.compile("([a-z]+)-updown-(\\w+)-(\\d{1,12})");
  private static final List<Exchange> ASSETS = List.of(Exchange.values());
  private static final List<Frame> FRAMES = List.of(Frame.values());
  private static final int FIRST_INDEX = 1_000_000_000;

  /** The lengths of windows. */
  enum Frame {
    M15("15m", 900),
    H1("1h", 3_600),
    H4("4h", 14_400),
    DAILY("daily", 86_400);

    private final String word;
    private final long seconds;

    Frame(String word, long seconds) {
      this.word = word;
      this.seconds = seconds;
    }

    String word() {
      return word;
    }
  }

  long end() {
    return start + frame.seconds;
  }

  /** All windows from some time ago to the one that is open and the next. */
  static List<UpDown> around(Instant now, int past) {
    List<UpDown> windows = new ArrayList<>();
    for (Exchange asset : ASSETS) {
      for (Frame frame : FRAMES) {
        long open = now.getEpochSecond() - Math.floorMod(now.getEpochSecond(), frame.seconds);
        for (int back = -1; back <= past; back++) {
          windows.add(new UpDown(asset, frame, open - back * frame.seconds));
        }
      }
    }
    return windows;
  }

  /** The market that one of the names of this kind of market belongs to. */
  static Optional<Market> find(String id) {
    String lower = id.toLowerCase(Locale.ROOT);
    Matcher condition = CONDITION.matcher(lower);
    if (condition.matches()) {
      return decoded(condition, 16).filter(market -> market.conditionId().equals(lower));
    }
    Matcher token = TOKEN.matcher(id);
    if (token.matches()) {
      return decoded(token, 10)
          .filter(m -> m.yes().tokenId().equals(id) || m.no().tokenId().equals(id));
    }
    Matcher slug = SLUG.matcher(lower);
    return slug.matches() ? named(slug) : Optional.empty();
  }

  private static Optional<Market> decoded(Matcher parts, int radix) {
    Exchange asset = ASSETS.get(Integer.parseInt(parts.group(1)));
    Frame frame = FRAMES.get(Integer.parseInt(parts.group(2)));
    return Optional.of(new UpDown(asset, frame, Long.parseLong(parts.group(3), radix)).market());
  }

  private static Optional<Market> named(Matcher slug) {
    long start = Long.parseLong(slug.group(3));
    for (Exchange asset : ASSETS) {
      for (Frame frame : FRAMES) {
        if (asset.asset().equals(slug.group(1))
            && frame.word.equals(slug.group(2))
            && start % frame.seconds == 0) {
          return Optional.of(new UpDown(asset, frame, start).market());
        }
      }
    }
    return Optional.empty();
  }

  String slug() {
    return asset.asset() + "-updown-" + frame.word + "-" + start;
  }

  Market market() {
    String slug = slug();
    String window = "" + ASSETS.indexOf(asset) + FRAMES.indexOf(frame);
    String condition =
        "0x75"
            + window
            + String.format(Locale.ROOT, "%010x", start)
            + Chance.hex(slug, 50).substring(2);
    int index =
        FIRST_INDEX
            + (4 * ASSETS.indexOf(asset) + FRAMES.indexOf(frame)) * 40_000_000
            + (int) (start / 60);
    return new Market(
        event(slug),
        index,
        slug,
        asset.title() + " up or down, " + frame.word + " from " + Numbers.iso(start) + "?",
        "Up",
        "UP",
        condition,
        side(window, 1, "Up"),
        side(window, 2, "Down"),
        0.5,
        asset.price(end()) >= asset.price(start),
        Set.of(Venue.A));
  }

  private Market.Side side(String window, int number, String label) {
    String digits = new BigInteger(Chance.token(slug() + label)).toString().substring(0, 60);
    String token = "75" + window + String.format(Locale.ROOT, "%010d", start) + number + digits;
    return new Market.Side(label, token, Chance.outcomeId(slug() + label));
  }

  private Event event(String slug) {
    Instant begin = Instant.ofEpochSecond(start);
    return new Event(
        String.valueOf(start / 60),
        slug,
        asset.title() + " up or down",
        "crypto",
        "KX" + asset.asset().toUpperCase(Locale.ROOT) + "UPDOWN",
        slug.toUpperCase(Locale.ROOT),
        begin.minus(Duration.ofDays(1)),
        begin.plusSeconds(frame.seconds),
        true);
  }
}

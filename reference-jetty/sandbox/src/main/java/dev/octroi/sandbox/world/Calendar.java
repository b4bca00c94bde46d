package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.Values;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events of the venues. Those of the table come again every week, month, quarter or year, with
 * their deadline in their titles; games follow one another, so that one is always played; windows
 * in which a coin rises or falls open every few minutes. Each is found again by its number.
 */
final class Calendar {

  private static final long DAY = 86_400;

  /** How long what has ended is still listed. */
  private static final long KEPT_DAYS = 60;

  private static final Map<String, Integer> LEAD_DAYS =
      Map.of("week", 4, "month", 20, "quarter", 30, "year", 45);

  /** When what has a deadline of its own was listed. */
  private static final LocalDate EARLY = LocalDate.of(2025, 6, 1);

  private static final int OF_TABLE = 0;
  private static final int OF_GAME = 1;
  private static final int OF_WINDOW = 2;

  private static final int TEMPLATES = 128;
  private static final int OUTCOMES = 8;

  private static final List<Row> TABLE = Tables.rows("template", "events.txt");
  static final List<Row> LEAGUES = Tables.rows("league", "leagues.txt");

  /** A game follows another so soon. */
  private static final long GAME = 3 * 3_600;

  private static final int[][] MEETINGS = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};

  private static final List<String> COINS = List.of("BTC", "ETH", "SOL", "XRP");
  private static final List<String> FRAMES = List.of("15m", "1h", "4h", "daily");
  private static final long[] FRAME_SECONDS = {900, 3_600, 14_400, DAY};
  private static final Pattern WINDOW = Pattern.compile("([a-z]+)-updown-(\\w+)-(\\d{1,10})");
  private static final Pattern GAME_ID =
      Pattern.compile("[a-z0-9]+-[a-z]+-[a-z]+-(\\d{4}-\\d\\d-\\d\\d)(?:-([a-z]+))?");

  /** The event that never ends, as far as anyone can tell. */
  static final int LASTING = event(TABLE.get(1), end(TABLE.get(1), EARLY)).code();

  private static volatile Calendar latest = new Calendar(0);

  private final long day;
  private final List<Market> markets = new ArrayList<>();
  private final Map<String, Market> names = new HashMap<>();

  /** A league and two of its teams, each as {@code code:name}. */
  record Fixture(Row league, List<String> teams) {}

  private Calendar(long day) {
    this.day = day;
    if (day > 0) {
      LocalDate today = LocalDate.ofEpochDay(day);
      TABLE.forEach(template -> list(template, today));
      for (long slot = (day - 3) * DAY / GAME; slot < (day + 5) * DAY / GAME; slot++) {
        add(game(slot));
      }
    }
  }

  /** What is listed on the day of a time. */
  static Calendar of(long time) {
    Calendar known = latest;
    if (known.day != time / DAY) {
      known = new Calendar(time / DAY);
      latest = known;
    }
    return known;
  }

  private void list(Row template, LocalDate today) {
    LocalDate end = end(template, today);
    LocalDate previous = previous(template, end);
    LocalDate next = end(template, end.plusDays(1));
    Stream.of(previous, end, next)
        .distinct()
        .filter(each -> each.toEpochDay() >= day - KEPT_DAYS)
        .map(each -> event(template, each))
        .filter(event -> event.created() < (day + 1) * DAY)
        .forEach(this::add);
  }

  private void add(Event event) {
    for (Market market : markets(event)) {
      markets.add(market);
      names.put(market.slug(), market);
      names.put(market.ticker(), market);
    }
  }

  /** All markets that are listed at a time, the archived one excepted. */
  List<Market> markets(long time) {
    return markets.stream().filter(market -> market.event().created() <= time).toList();
  }

  /** The market of any of its identifiers but those of other venues; null if there is none. */
  static @Nullable Market find(String text, long time) {
    String name = text.toLowerCase(Locale.ROOT);
    if (name.equals(Market.ARCHIVED) || name.equals(Market.ARCHIVED_SLUG)) {
      return archived();
    }
    if (name.startsWith("0x")) {
      long code = sealed("condition", name.substring(2), 16, 32);
      return byCode(code < 0 ? sealed("question", name.substring(2), 16, 32) : code);
    }
    if (name.startsWith("px-")) {
      return bySide(sealed("outcome", name.substring(3), 36, Market.OUTCOME_BYTES));
    }
    if (name.matches("\\d{1,10}")) {
      return byCode(Long.parseLong(name));
    }
    if (name.matches("\\d{60,78}")) {
      return bySide(sealed("token", name, 10, Market.TOKEN_BYTES));
    }
    Calendar calendar = of(time);
    Market listed =
        calendar.names.getOrDefault(name, calendar.names.get(text.toUpperCase(Locale.ROOT)));
    return listed == null ? byName(name) : listed;
  }

  private static long sealed(String kind, String digits, int radix, int length) {
    byte[] bytes = Seal.bytes(digits, radix, length);
    return bytes == null ? -1 : Seal.number(kind, bytes);
  }

  private static @Nullable Market bySide(long number) {
    return number < 0 ? null : byCode(number / 2);
  }

  private static @Nullable Market byName(String name) {
    Matcher window = WINDOW.matcher(name);
    if (window.matches()) {
      int coin = COINS.indexOf(window.group(1).toUpperCase(Locale.ROOT));
      int frame = FRAMES.indexOf(window.group(2));
      long start = Long.parseLong(window.group(3));
      return coin < 0 || frame < 0 || start % FRAME_SECONDS[frame] != 0
          ? null
          : window(coin, frame, start);
    }
    Event game = gameOf(name);
    return game == null
        ? null
        : markets(game).stream().filter(each -> each.slug().equals(name)).findFirst().orElse(null);
  }

  /** The market of a number; null if there is none. */
  static @Nullable Market byCode(long code) {
    if (code < 0) {
      return null;
    }
    long number = code / 4;
    Event event =
        switch ((int) (code % 4)) {
          case OF_TABLE -> ofTable(number / OUTCOMES);
          case OF_GAME -> game(number / 2);
          case OF_WINDOW -> windowOf(number).event();
          default -> null;
        };
    return event == null
        ? null
        : markets(event).stream().filter(each -> each.code() == code).findFirst().orElse(null);
  }

  private static @Nullable Event ofTable(long number) {
    int place = (int) (number % TEMPLATES);
    if (place >= TABLE.size()) {
      return null;
    }
    LocalDate end = LocalDate.ofEpochDay(number / TEMPLATES);
    Row template = TABLE.get(place);
    return end(template, end).equals(end) ? event(template, end) : null;
  }

  /** The markets of an event, in the order of its outcomes. */
  static List<Market> markets(Event event) {
    return switch (event.code() % 4) {
      case OF_TABLE -> ofTable(event);
      case OF_GAME -> ofGame(event);
      default -> List.of(windowOf(event.code() / 4));
    };
  }

  // The table.

  private static String cell(Row template, String name) {
    return String.valueOf(template.get(name));
  }

  /** The end of the period that a day belongs to. */
  private static LocalDate end(Row template, LocalDate day) {
    return switch (cell(template, "ends")) {
      case "week" -> day.with(TemporalAdjusters.nextOrSame(DayOfWeek.FRIDAY));
      case "month" -> day.with(TemporalAdjusters.lastDayOfMonth());
      case "quarter" ->
          day.withDayOfMonth(1)
              .withMonth((day.getMonthValue() + 2) / 3 * 3)
              .with(TemporalAdjusters.lastDayOfMonth());
      case "year" -> day.with(TemporalAdjusters.lastDayOfYear());
      default -> LocalDate.parse(cell(template, "ends"));
    };
  }

  private static LocalDate previous(Row template, LocalDate end) {
    return switch (cell(template, "ends")) {
      case "week" -> end.minusWeeks(1);
      case "month" -> end.minusMonths(1).with(TemporalAdjusters.lastDayOfMonth());
      case "quarter" -> end.minusMonths(3).with(TemporalAdjusters.lastDayOfMonth());
      case "year" -> end.minusYears(1);
      default -> end;
    };
  }

  private static Event event(Row template, LocalDate end) {
    LocalDate before = previous(template, end);
    int lead = LEAD_DAYS.getOrDefault(cell(template, "ends"), 0);
    long created = (before.equals(end) ? EARLY : before.minusDays(lead)).toEpochDay() * DAY;
    long ends = (end.toEpochDay() + 1) * DAY - 1;
    String title = dated(cell(template, "title"), end);
    String series = "KX" + cell(template, "code");
    Set<Venue> venues = EnumSet.noneOf(Venue.class);
    cell(template, "venues").chars().forEach(letter -> venues.add(Venue.of("" + (char) letter)));
    return new Event(
        (int) ((end.toEpochDay() * TEMPLATES + Values.whole(template.get("index"))) * OUTCOMES * 4),
        title.equals("Sandbox archived") ? "sandbox-archived" : slug(title),
        title,
        cell(template, "category"),
        cell(template, "tag"),
        series,
        series + "-" + tickerDate(end),
        created + Chance.below(Chance.key("created", title), 0, (int) DAY),
        ends,
        ends,
        cell(template, "true").equals("one"),
        Set.copyOf(venues),
        null);
  }

  private static String dated(String text, LocalDate end) {
    return text.replace("{date}", format("MMMM d, yyyy", end))
        .replace("{month}", format("MMMM yyyy", end))
        .replace("{quarter}", "Q" + (end.getMonthValue() + 2) / 3 + " " + end.getYear())
        .replace("{year}", "" + end.getYear());
  }

  private static String format(String pattern, LocalDate date) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(date);
  }

  private static String tickerDate(LocalDate date) {
    return format("yyMMMdd", date).toUpperCase(Locale.ROOT);
  }

  private static String slug(String title) {
    return title
        .toLowerCase(Locale.ROOT)
        .replace(",", "")
        .replaceAll("[^a-z0-9]+", "-")
        .replaceAll("^-|-$", "");
  }

  private static Stream<String> outcomes(Row template) {
    return Arrays.stream(cell(template, "outcomes").split(";"));
  }

  /** The chance of an outcome; 0 for one on a coin's price. */
  private static int percent(String outcome) {
    int colon = outcome.lastIndexOf(':');
    return colon < 0 ? 0 : Integer.parseInt(outcome.substring(colon + 1));
  }

  private static List<Market> ofTable(Event event) {
    Row template = TABLE.get(event.code() / 4 / OUTCOMES % TEMPLATES);
    LocalDate end = LocalDate.ofEpochDay(event.end() / DAY);
    List<String> outcomes = outcomes(template).toList();
    // One number decides for all outcomes: steps come true up to one, and of rivals one wins.
    long key = Chance.key("event", event.slug());
    boolean each = cell(template, "true").equals("each");
    double shift = Chance.between(key, 2, -0.5, 0.5);
    double below = 0;
    List<Market> markets = new ArrayList<>();
    for (int at = 0; at < outcomes.size(); at++) {
      String label = outcomes.get(at).replaceAll(":\\d+$", "");
      double usual = percent(outcomes.get(at)) / 100.0;
      double chance = event.exclusive() ? usual : 1 / (1 + (1 / usual - 1) * Math.exp(shift));
      double decides = Chance.unit(key, each ? 3 + at : 1);
      boolean comesTrue = decides >= below && decides < below + chance;
      below += event.exclusive() ? chance : 0;
      String title = dated(cell(template, "question").replace("{}", label), end);
      long own = Chance.key("market", title);
      markets.add(
          new Market(
              event,
              event.code() + 4 * at,
              slug(title),
              title,
              label,
              mark(label),
              "Yes",
              "No",
              usual > 0
                  ? new Odds(own, chance, comesTrue, event.created(), event.end(), null, 0)
                  : Odds.above(own, event.created(), event.end(), coin(event), strike(label))));
    }
    return markets;
  }

  private static Asset coin(Event event) {
    return Asset.ALL.stream()
        .filter(asset -> event.tag().equals(asset.row().get("slug")))
        .findFirst()
        .orElseThrow();
  }

  private static double strike(String label) {
    return Double.parseDouble(label.replaceAll("[$,]", ""));
  }

  private static String mark(String label) {
    String plain = label.replaceAll("(?i)^the ", "").replaceAll("[^A-Za-z0-9.]", "");
    return (label.matches("\\$[\\d,.]+") ? "T" : "") + plain.toUpperCase(Locale.ROOT);
  }

  private static Market archived() {
    Row template = TABLE.get(0);
    return ofTable(event(template, end(template, EARLY))).get(0);
  }

  // Games.

  private static Event game(long slot) {
    Row league = LEAGUES.get(league(slot));
    int[] meet = MEETINGS[(int) (slot / LEAGUES.size() % MEETINGS.length)];
    List<String> teams =
        IntStream.of(meet)
            .mapToObj(team -> String.valueOf(Values.list(league.get("teams")).get(team)))
            .toList();
    LocalDate date = LocalDate.ofEpochDay(slot * GAME / DAY);
    String codes = code(teams.get(0)) + "-" + code(teams.get(1));
    String series = "KX" + cell(league, "code").toUpperCase(Locale.ROOT) + "GAME";
    return new Event(
        (int) (slot * 2 * 4 + OF_GAME),
        cell(league, "code") + "-" + codes + "-" + date,
        team(teams.get(0)) + " vs " + team(teams.get(1)),
        "sports",
        cell(league, "sport"),
        series,
        series + "-" + tickerDate(date) + codes.replace("-", "").toUpperCase(Locale.ROOT),
        slot * GAME - 7 * DAY,
        slot * GAME,
        slot * GAME + GAME - 1,
        true,
        EnumSet.of(Venue.A, Venue.B),
        new Fixture(league, teams));
  }

  /**
   * The leagues take turns. The last game of a day is none of ice hockey, which the lists have last
   * on each day: so none of them begins with it.
   */
  private static int league(long slot) {
    int turn = (int) (slot % LEAGUES.size());
    boolean isLast = (slot + 1) * GAME % DAY == 0;
    return isLast && cell(LEAGUES.get(turn), "code").equals("nhl") ? turn + 1 : turn;
  }

  private static String code(String team) {
    return team.split(":")[0];
  }

  private static String team(String team) {
    return team.split(":")[1];
  }

  private static List<Market> ofGame(Event event) {
    Fixture fixture = event.game();
    if (fixture == null) {
      return List.of();
    }
    long key = Chance.key("game", event.slug());
    double home = Values.round(Chance.between(key, 1, 0.3, 0.7), 2);
    boolean homeWins = Chance.unit(key, 2) < home;
    String date = format("MMMM d, yyyy", LocalDate.ofEpochDay(event.starts() / DAY));
    List<Market> markets = new ArrayList<>();
    for (int side = 0; side < 2; side++) {
      String own = fixture.teams().get(side);
      String other = fixture.teams().get(1 - side);
      String slug = event.slug() + "-" + code(own);
      markets.add(
          new Market(
              event,
              event.code() + 4 * side,
              slug,
              "Will " + team(own) + " beat " + team(other) + " on " + date + "?",
              team(own),
              code(own).toUpperCase(Locale.ROOT),
              "Yes",
              "No",
              new Odds(
                  Chance.key("market", slug),
                  side == 0 ? home : 1 - home,
                  side == 0 == homeWins,
                  event.starts(),
                  event.end(),
                  null,
                  0)));
    }
    return markets;
  }

  /** The game of an id, or of the slug of one of its markets; null if there is none. */
  static @Nullable Event gameOf(String id) {
    Matcher parts = GAME_ID.matcher(id);
    if (!parts.matches()) {
      return null;
    }
    long first;
    try {
      first = LocalDate.parse(parts.group(1)).toEpochDay() * DAY / GAME;
    } catch (java.time.DateTimeException none) {
      return null;
    }
    for (long slot = first; slot < first + DAY / GAME; slot++) {
      Event game = game(slot);
      if (id.startsWith(game.slug())) {
        return game;
      }
    }
    return null;
  }

  // Windows in which a coin rises or falls.

  /** The windows of every coin and length from some time ago to the one that comes next. */
  static List<Market> windows(long time, int past) {
    List<Market> windows = new ArrayList<>();
    for (int coin = 0; coin < COINS.size(); coin++) {
      for (int frame = 0; frame < FRAMES.size(); frame++) {
        long open = Math.floorDiv(time, FRAME_SECONDS[frame]);
        for (int back = -1; back <= past; back++) {
          windows.add(window(coin, frame, (open - back) * FRAME_SECONDS[frame]));
        }
      }
    }
    return windows;
  }

  private static Market windowOf(long number) {
    int which = (int) (number % 16);
    return window(which / 4, which % 4, number / 16 * 900);
  }

  private static Market window(int coin, int frame, long start) {
    Asset asset = Asset.of(COINS.get(coin));
    long end = start + FRAME_SECONDS[frame];
    String slug = asset.symbol().toLowerCase(Locale.ROOT) + "-updown-" + FRAMES.get(frame);
    int code = (int) ((start / 900 * 16 + coin * 4L + frame) * 4 + OF_WINDOW);
    String name = String.valueOf(asset.row().get("name"));
    Event event =
        new Event(
            code,
            slug + "-" + start,
            name + " up or down",
            "crypto",
            FRAMES.get(frame),
            "KX" + asset.symbol() + "UPDOWN",
            slug.toUpperCase(Locale.ROOT) + "-" + start,
            start - DAY,
            start,
            end,
            true,
            EnumSet.of(Venue.A),
            null);
    Pair pair = Pair.of("binance", asset, Asset.of("USDT"));
    return new Market(
        event,
        code,
        event.slug(),
        name + " up or down, " + FRAMES.get(frame) + " from " + Instant.ofEpochSecond(start) + "?",
        asset.symbol(),
        "UP",
        "Up",
        "Down",
        new Odds(
            Chance.key(event.slug()),
            0.5,
            pair.price(end) >= pair.price(start),
            start,
            end,
            asset,
            asset.raw(start)));
  }
}

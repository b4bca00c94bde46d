package dev.octroi.services.prediction;

import static dev.octroi.services.read.UpstreamJson.at;
import static dev.octroi.services.read.UpstreamJson.each;
import static dev.octroi.services.read.UpstreamJson.list;
import static dev.octroi.services.read.UpstreamJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Connector;
import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.Reads.CacheFigures;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamReads;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.VenueWords;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reads of the prediction group. Takes rows of {@link PredictionRead} only. Thread-safe. */
public final class PredictionReads implements Reads {

  /** The fields of a wallet's positions when the vendor has never seen it hold any. */
  private static final byte[] NO_POSITIONS =
      "{\"positions\":[]}".getBytes(StandardCharsets.US_ASCII);

  /** The summary shows open positions, as many as one page holds, the largest first. */
  private static final Map<String, List<String>> OPEN_POSITIONS =
      Map.of(
          "include_closed", List.of("false"),
          "sort_by", List.of("value"),
          "order", List.of("desc"),
          "limit", List.of("100"));

  private final Reads reads;
  private final VenueAliases aliases;
  private final PredictionSettings settings;

  public PredictionReads(
      UpstreamClient client, PredictionSettings settings, CacheSettings cacheSettings) {
    var words = client.settings().words();
    this.reads = new UpstreamReads(client, new PredictionConnector(settings, words), cacheSettings);
    this.aliases = new VenueAliases(words);
    this.settings = settings;
  }

  @Override
  public Answer read(
      Read row, Map<String, String> path, Map<String, List<String>> query, Deadline deadline) {
    PredictionRead read = (PredictionRead) row;
    Answer answer = reads.read(read, path, aliases.neutral(read, query), deadline);
    boolean summary = read == PredictionRead.VENUE_A_WALLET && settings.statedRecords();
    return summary && answer.status() == 200 ? summary(answer, path, deadline) : answer;
  }

  @Override
  public CacheFigures cacheFigures() {
    return reads.cacheFigures();
  }

  /** The wallet summary is stated as one record and kept by the vendor as two reads. */
  private Answer summary(Answer wallet, Map<String, String> path, Deadline deadline) {
    Answer positions =
        reads.read(PredictionRead.VENUE_A_WALLET_POSITIONS, path, OPEN_POSITIONS, deadline);
    if (positions.status() != 200 && positions.status() != 404) {
      return positions;
    }
    byte[] held = positions.status() == 200 ? positions.body() : NO_POSITIONS;
    return Answer.json(
        200,
        UpstreamJson.bytes(
            WalletRecords.summary(UpstreamJson.object(wallet.body()), UpstreamJson.object(held))));
  }

  /** Turns the configured real names of venues in a caller's query into the neutral words. */
  private static final class VenueAliases {

    private static final List<String> VENUES =
        List.of("venue-a", "venue-b", "venue-c", "venue-d", "venue-e", "venue-f");

    private final VenueWords words;

    VenueAliases(VenueWords words) {
      this.words = words;
    }

    /** The query under the names that the row lists, with neutral providers. */
    Map<String, List<String>> neutral(PredictionRead row, Map<String, List<String>> query) {
      Set<String> listed =
          row.parameters().stream().map(Parameter::name).collect(Collectors.toSet());
      Map<String, List<String>> neutral = new LinkedHashMap<>();
      query.forEach(
          (name, values) -> {
            String known = neutralName(name, listed);
            neutral.merge(
                known,
                known.startsWith("providers")
                    ? values.stream().map(this::providers).toList()
                    : values,
                VenueAliases::both);
          });
      return neutral;
    }

    /** A name that stands for a listed one; every other name is the vendor's own. */
    private String neutralName(String name, Set<String> listed) {
      for (String venue : VENUES) {
        String real = words.real(venue) + "_";
        if (name.startsWith(real)) {
          String candidate = venue.replace('-', '_') + "_" + name.substring(real.length());
          if (listed.contains(candidate)) {
            return candidate;
          }
        }
      }
      return name;
    }

    private String providers(String value) {
      return Arrays.stream(value.split(",", -1))
          .map(String::strip)
          .map(words::neutral)
          .collect(Collectors.joining(","));
    }

    private static List<String> both(List<String> some, List<String> others) {
      return Stream.concat(some.stream(), others.stream()).toList();
    }
  }

  /** What is special about the prediction vendor. Takes rows of {@link PredictionRead} only. */
  static final class PredictionConnector implements Connector {

    private static final int ACCEPTED = 202;

    private final PredictionSettings settings;
    private final VendorTarget targets;
    private final ProviderRecords providers;

    PredictionConnector(PredictionSettings settings, VenueWords words) {
      this.settings = settings;
      this.targets = new VendorTarget(settings, words);
      this.providers = new ProviderRecords(words, settings.realNames());
    }

    @Override
    public UpstreamTarget target(Read row, Arguments arguments) {
      PredictionRead read = (PredictionRead) row;
      PredictionRules.check(read, arguments);
      return targets.of(read, arguments);
    }

    @Override
    public Answer success(Read row, Arguments arguments, UpstreamAnswer upstream) {
      if (upstream.status() == ACCEPTED) {
        return pending(upstream);
      }
      return settings.statedRecords()
          ? stated((PredictionRead) row, arguments, upstream)
          : passed(upstream);
    }

    private Answer stated(PredictionRead row, Arguments arguments, UpstreamAnswer upstream) {
      return switch (row) {
        case VENUE_A_MARKETS -> made(upstream, MarketRecords::venueA);
        case VENUE_B_MARKETS ->
            made(upstream, body -> MarketRecords.venueB(body, isFirstPage(arguments)));
        case VENUE_A_LEADERBOARD -> made(upstream, WalletRecords::leaderboard);
        case MARKETS_SEARCH -> made(upstream, providers::search);
        case MARKETS_ARBITRAGE -> made(upstream, providers::arbitrage);
        // The wallet summary takes a second read; PredictionReads makes it.
        default -> passed(upstream);
      };
    }

    @Override
    public Answer error(Read row, Arguments arguments, UpstreamAnswer upstream) {
      return VendorErrors.answer((PredictionRead) row, upstream);
    }

    /**
     * Work that the vendor has only begun, as with a wallet's cluster: nothing to charge for yet.
     */
    private static Answer pending(UpstreamAnswer upstream) {
      Map<String, String> wait =
          upstream
              .header("retry-after")
              .map(after -> Map.of("Retry-After", after))
              .orElse(Map.of());
      return new Answer(upstream.status(), upstream.mediaType(), upstream.body(), wait, false);
    }

    private static Answer passed(UpstreamAnswer upstream) {
      return new Answer(upstream.status(), upstream.mediaType(), upstream.body(), Map.of(), true);
    }

    private static Answer made(UpstreamAnswer upstream, Function<JsonNode, JsonNode> record) {
      JsonNode body = UpstreamJson.object(upstream.body());
      return Answer.json(upstream.status(), UpstreamJson.bytes(record.apply(body)));
    }

    private static boolean isFirstPage(Arguments arguments) {
      return !arguments.has("pagination_key")
          && arguments.value("offset").filter(offset -> !offset.equals("0")).isEmpty();
    }
  }

  /** The wallet summary and the leaderboard (specification, prediction records). */
  static final class WalletRecords {

    /** The vendor's windows as the specification's periods, where they differ. */
    private static final Map<String, String> PERIODS = Map.of("1d", "24h", "all_time", "all");

    private WalletRecords() {}

    /**
     * The wallet summary. The vendor splits it: its wallet has the lifetime figures, its open
     * positions are another read.
     *
     * @param wallet the vendor's wallet
     * @param positions the wallet's open positions
     */
    static JsonNode summary(JsonNode wallet, JsonNode positions) {
      var made = UpstreamJson.record();
      made.set("address", at(wallet, "user"));
      made.set("positions", each(list(positions, "positions"), WalletRecords::position));
      made.set("total_value", at(positions, "summary", "total_value_usd"));
      made.set("realized_pnl", at(wallet, "metrics", "all_time", "realized_pnl"));
      made.set("open_positions", at(wallet, "metrics", "all_time", "active_positions"));
      return made;
    }

    /**
     * {@code { traders, period }}, and the vendor's cursor to the next page.
     *
     * <p>The vendor's leaderboard knows the realised profit only, so that is {@code pnl}.
     */
    static JsonNode leaderboard(JsonNode vendor) {
      JsonNode window = at(vendor, "window");
      String period = PERIODS.getOrDefault(window.asText(), window.asText());
      var made = UpstreamJson.record();
      made.set("traders", each(list(vendor, "entries"), WalletRecords::trader));
      made.set("period", window.isTextual() ? text(period) : window);
      made.set("pagination_key", at(vendor, "pagination", "pagination_key"));
      return made;
    }

    private static JsonNode position(JsonNode entry) {
      JsonNode side = at(entry, "market", "side");
      var made = UpstreamJson.record();
      made.set("market_id", at(entry, "market", "condition_id"));
      made.set("question", at(entry, "market", "title"));
      made.set("side", side.isTextual() ? text(side.asText().toLowerCase(Locale.ROOT)) : side);
      made.set("shares", at(entry, "position", "shares"));
      made.set("avg_price", at(entry, "position", "avg_entry_price"));
      made.set("current_price", at(entry, "current", "price"));
      made.set("unrealized_pnl", at(entry, "pnl", "unrealized_usd"));
      return made;
    }

    private static JsonNode trader(JsonNode entry) {
      var made = UpstreamJson.record();
      made.set("address", at(entry, "user"));
      made.set("pnl", at(entry, "metrics", "realized_pnl"));
      made.set("volume", at(entry, "metrics", "volume"));
      made.set("win_rate", at(entry, "metrics", "win_rate"));
      made.set("trades", at(entry, "metrics", "trades"));
      return made;
    }
  }

  /**
   * How the prediction vendor is spoken to and what its answers become.
   *
   * @param millisecondVenues neutral words of the venues whose order book windows are milliseconds
   *     upstream; the specification's are Unix seconds everywhere
   * @param statedRecords whether the specification's records are made; false passes every body
   *     through (setting {@code records=upstream})
   * @param realNames whether provider fields keep the vendor's names of the venues instead of the
   *     neutral words
   */
  public record PredictionSettings(
      Set<String> millisecondVenues, boolean statedRecords, boolean realNames) {

    public PredictionSettings {
      millisecondVenues = Set.copyOf(millisecondVenues);
    }

    /** Stated records with neutral words; milliseconds for every venue's order books. */
    public static PredictionSettings standard() {
      return new PredictionSettings(
          Set.of("venue-a", "venue-b", "venue-d", "venue-e", "venue-f"), true, false);
    }
  }
}

package dev.octroi.services.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Connector;
import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.ReadSource.Computation;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.Reads.CacheFigures;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamReads;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.VenueWords;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reads of the prediction group. Takes rows of {@link PredictionRead} only. Thread-safe. */
public final class PredictionReads implements Reads {

  private final Reads reads;

  public PredictionReads(
      UpstreamClient client,
      PredictionSettings settings,
      CacheSettings cacheSettings,
      Clock clock) {
    this.reads =
        new UpstreamReads(
            client,
            new PredictionConnector(settings, client.settings().words()),
            cacheSettings,
            clock);
  }

  @Override
  public Answer read(
      Read row, Map<String, String> path, Map<String, List<String>> query, Deadline deadline) {
    return reads.read(row, path, query, deadline);
  }

  @Override
  public CacheFigures cacheFigures() {
    return reads.cacheFigures();
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
    Map<String, List<String>> neutral(Read row, Map<String, List<String>> query) {
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
    private final VenueAliases aliases;

    PredictionConnector(PredictionSettings settings, VenueWords words) {
      this.settings = settings;
      this.targets = new VendorTarget(settings, words);
      this.providers = new ProviderRecords(words, settings.realNames());
      this.aliases = new VenueAliases(words);
    }

    @Override
    public Map<String, List<String>> named(Read row, Map<String, List<String>> query) {
      return aliases.neutral(row, query);
    }

    @Override
    public UpstreamTarget target(Read row, Arguments arguments, Instant now) {
      PredictionRead read = (PredictionRead) row;
      PredictionRules.check(read, arguments, now);
      return targets.of(read, arguments, now);
    }

    @Override
    public void check(UpstreamTarget asked, UpstreamAnswer answer) {
      JsonNode said = UpstreamJson.object(answer.body());
      if (said.path("found").isBoolean() && !said.path("found").booleanValue()) {
        throw VendorErrors.notFound();
      }
      VendorContract.check(asked, said);
    }

    @Override
    public Optional<Computation> computation(Read row, Arguments arguments) {
      boolean needed =
          switch ((PredictionRead) row) {
            case VENUE_A_MARKETS -> arguments.value("sort").filter("liquidity"::equals).isPresent();
            case VENUE_B_MARKETS -> isAfterFirst(arguments) || MarketLists.isSettled(arguments);
            // The stated record is made of two reads, the vendor's is one of them.
            case VENUE_A_WALLET -> settings.statedRecords();
            default -> true;
          };
      return row.source().computation().filter(computation -> needed);
    }

    @Override
    public Answer success(Read row, Arguments arguments, UpstreamAnswer upstream) {
      if (upstream.status() == ACCEPTED) {
        return pending(upstream);
      }
      // What no record can be made of is no answer, whichever of the two is sold.
      Optional<JsonNode> stated =
          maker((PredictionRead) row, arguments)
              .map(maker -> maker.apply(UpstreamJson.object(upstream.body())));
      return Answer.json(
          upstream.status(),
          stated
              .filter(record -> settings.statedRecords())
              .map(UpstreamJson::bytes)
              .orElse(upstream.body()));
    }

    /** What makes the stated record; empty where that is the vendor's. */
    private Optional<Function<JsonNode, JsonNode>> maker(PredictionRead row, Arguments arguments) {
      return switch (row) {
        case VENUE_A_MARKETS -> Optional.of(MarketRecords::venueA);
        case VENUE_B_MARKETS ->
            Optional.of(body -> MarketRecords.venueB(body, isFirstPage(arguments)));
        case VENUE_A_LEADERBOARD, VENUE_A_LEADERBOARD_VOLUME ->
            Optional.of(WalletRecords::leaderboard);
        case MARKETS_SEARCH -> Optional.of(providers::search);
        case MARKETS_COMPARE -> Optional.of(body -> providers.compared(arguments, body));
        default -> Optional.empty();
      };
    }

    @Override
    public Answer error(Read row, Arguments arguments, UpstreamAnswer upstream) {
      return row == PredictionRead.MATCHING_MARKETS && VendorErrors.saysUnknown(upstream)
          ? Answer.json(200, UpstreamJson.bytes(noMatches()))
          : VendorErrors.answer((PredictionRead) row, upstream);
    }

    /** Rule 6: a market that is in no match is an empty result. */
    private static JsonNode noMatches() {
      ObjectNode none = UpstreamJson.record();
      none.putObject("matches");
      none.putObject("summary")
          .put("total_matches", 0)
          .put("exact_matches", 0)
          .put("related_matches", 0)
          .putArray("platforms");
      return none;
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
      return new Answer(upstream.status(), "application/json", upstream.body(), wait, false);
    }

    private static boolean isFirstPage(Arguments arguments) {
      return !arguments.has("pagination_key") && !isAfterFirst(arguments);
    }

    private static boolean isAfterFirst(Arguments arguments) {
      return arguments
          .value("offset")
          .map(Integer::valueOf)
          .filter(offset -> offset > 0)
          .isPresent();
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

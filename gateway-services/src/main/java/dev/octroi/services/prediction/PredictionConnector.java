package dev.octroi.services.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Answer;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Connector;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.VenueWords;
import java.util.Map;
import java.util.function.Function;

/** What is special about the prediction vendor. Takes rows of {@link PredictionRead} only. */
final class PredictionConnector implements Connector {

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

  /** Work that the vendor has only begun, as with a wallet's cluster: nothing to charge for yet. */
  private static Answer pending(UpstreamAnswer upstream) {
    Map<String, String> wait =
        upstream.header("retry-after").map(after -> Map.of("Retry-After", after)).orElse(Map.of());
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

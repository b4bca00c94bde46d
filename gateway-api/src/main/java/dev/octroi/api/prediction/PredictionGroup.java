package dev.octroi.api.prediction;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.prediction.PredictionResource.PredictionService;
import dev.octroi.api.prediction.PredictionResource.PredictionTariff;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.read.ConfiguredReads;
import dev.octroi.api.read.OfferedReads;
import dev.octroi.api.read.PostedJson;
import dev.octroi.api.read.ReadService;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.settings.VendorSettings.RecordForm;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.prediction.PredictionMethods;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.prediction.PredictionReads;
import dev.octroi.services.prediction.PredictionReads.PredictionSettings;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.VenueWords;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Prediction markets: reads over several venues, of one vendor. */
public final class PredictionGroup extends BuiltInGroup {

  static final String WORD = "prediction";
  static final String BASE = "/v1/marketplace/prediction";

  public PredictionGroup() {
    super(
        new Profile(
            WORD,
            "Prediction markets",
            "Markets, order books, wallets, leaderboards, sports and matching over several venues,"
                + " read only. Also served below `/v1/prediction`.",
            ErrorShape.NESTED,
            List.of(BASE),
            List.of(
                ErrorCode.INVALID_ADDRESS, ErrorCode.MARKET_NOT_FOUND, ErrorCode.MARKET_CLOSED)),
        PredictionResource.class);
  }

  @Override
  public List<String> aliases() {
    return List.of("/v1/prediction");
  }

  @Override
  public boolean namesVenues() {
    return true;
  }

  @Override
  public boolean passesErrors() {
    return true;
  }

  @Override
  public String answerSchema(Read read) {
    return switch ((PredictionRead) read) {
      case VENUE_A_MARKETS -> "VenueAMarkets";
      case VENUE_B_MARKETS -> "VenueBMarkets";
      case VENUE_A_WALLET -> "WalletSummary";
      case MARKETS_SEARCH -> "MarketSearch";
      case MARKETS_ARBITRAGE -> "Arbitrage";
      case VENUE_A_LEADERBOARD, VENUE_A_LEADERBOARD_VOLUME -> "Leaderboard";
      default -> super.answerSchema(read);
    };
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    OfferedReads<PredictionRead> offered =
        PredictionTariff.CONTRACT.with(settings.prediction().beyondContract());
    return new ConfiguredReads<>(
        this,
        List.of(PredictionRead.values()),
        List.of(SoldRow.post(this, "/venue-a/wallet/identities", ListPrices.IDENTITIES)),
        Upstream.vendor(
            WORD,
            WORD,
            settings.upstream().prediction(),
            new VenueWords(settings.venues()),
            Upstream::keyHeader),
        offered,
        (client, context) -> open(settings, offered, client, context));
  }

  private static OpenGroup open(
      GatewaySettings settings,
      OfferedReads<PredictionRead> offered,
      UpstreamClient client,
      GroupContext context) {
    VendorSettings terms = settings.upstream().prediction();
    Reads reads =
        new PredictionReads(
            client,
            new PredictionSettings(
                Set.copyOf(settings.prediction().millisecondVenues()),
                terms.records() == RecordForm.MAPPED,
                settings.prediction().realNames()),
            new CacheSettings(settings.cache().size().bytes(), Duration.ZERO),
            context.clock());
    ReadService<PredictionRead> served =
        new ReadService<>(offered, reads, terms.deadline(), context.deadlines());
    return OpenGroup.of(
            new PredictionService(
                served,
                new PredictionMethods(client),
                new PostedJson(settings.limits().jsonDepth(), context.deadlines())))
        .with(new PredictionTariff(offered))
        .withCache(reads::cacheFigures)
        .withReads(served::found);
  }
}

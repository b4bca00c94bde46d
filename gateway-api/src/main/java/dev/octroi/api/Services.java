package dev.octroi.api;

import dev.octroi.api.group.Group;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.settings.VendorSettings.RecordForm;
import dev.octroi.services.cryptodata.CryptoDataConnector;
import dev.octroi.services.cryptodata.CryptoDataMethods;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.cryptodata.ModelTranslator;
import dev.octroi.services.cryptodata.QuestionTranslator;
import dev.octroi.services.cryptodata.WordTranslator;
import dev.octroi.services.prediction.PredictionMethods;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.prediction.PredictionReads;
import dev.octroi.services.prediction.PredictionSettings;
import dev.octroi.services.read.CacheSettings;
import dev.octroi.services.read.UpstreamReads;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamHost;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VenueWords;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is sold, composed from the settings; owns the upstreams' connections.
 *
 * @param host what upstreams' clients run with
 */
record Services(
    ReadGroup<CryptoDataRead> cryptoDataReads,
    CryptoDataMethods cryptoDataMethods,
    ReadGroup<PredictionRead> predictionReads,
    PredictionMethods predictionMethods,
    WebServices web,
    LanguageAssembly language,
    ImageAssembly pictures,
    PhoneAssembly phone,
    MusicAssembly music,
    UpstreamClient cryptoData,
    UpstreamClient prediction,
    UpstreamHost host)
    implements AutoCloseable {

  private static final String VENDOR_KEY_HEADER = "x-api-key";

  static Services of(GatewaySettings settings, CallDeadlines deadlines, UpstreamHost host) {
    VendorSettings forCoins = settings.upstream().cryptodata();
    VendorSettings forMarkets = settings.upstream().prediction();
    VenueWords words = new VenueWords(settings.venues());
    UpstreamClient coins = client(Group.CRYPTODATA, forCoins, words, Credential::bearer, host);
    UpstreamClient markets = client(Group.PREDICTION, forMarkets, words, Services::keyHeader, host);
    CacheSettings cache = new CacheSettings(settings.cache().size().bytes(), Duration.ZERO);
    WebServices web = WebServices.of(settings, deadlines, host);
    LanguageAssembly language = LanguageAssembly.of(settings.language(), deadlines.clock(), host);
    boolean mapped = forCoins.records() == RecordForm.MAPPED;
    return new Services(
        new ReadGroup<>(
            Group.CRYPTODATA,
            CryptoDataTariff.ROWS,
            web.fetching(new UpstreamReads(coins, new CryptoDataConnector(mapped), cache)),
            forCoins.deadline(),
            deadlines),
        new CryptoDataMethods(coins, translator(settings, language, deadlines), mapped),
        new ReadGroup<>(
            Group.PREDICTION,
            PredictionTariff.ROWS,
            new PredictionReads(markets, markets(settings), cache),
            forMarkets.deadline(),
            deadlines),
        new PredictionMethods(markets),
        web,
        language,
        ImageAssembly.of(settings.images(), settings.web(), host),
        PhoneAssembly.of(settings, host),
        MusicAssembly.of(settings, deadlines.clock(), host),
        coins,
        markets,
        host);
  }

  /** The upstreams that are called, in the order of the groups; that of calls is opened later. */
  Stream<UpstreamClient> upstreams() {
    return clients().values().stream();
  }

  private static QuestionTranslator translator(
      GatewaySettings settings, LanguageAssembly language, CallDeadlines deadlines) {
    QuestionTranslator plain = new WordTranslator();
    return settings.cryptodata().isPlain()
        ? plain
        : new ModelTranslator(
            language.models(), settings.cryptodata().questionModel(), plain, deadlines.clock());
  }

  private static PredictionSettings markets(GatewaySettings settings) {
    return new PredictionSettings(
        Set.copyOf(settings.prediction().millisecondVenues()),
        settings.upstream().prediction().records() == RecordForm.MAPPED,
        settings.prediction().realNames());
  }

  static Credential keyHeader(String secret) {
    return Credential.header(VENDOR_KEY_HEADER, secret);
  }

  static UpstreamClient client(
      Group group,
      VendorSettings vendor,
      VenueWords words,
      CredentialForm form,
      UpstreamHost host) {
    String secret = vendor.credential().value();
    return new UpstreamClient(
        UpstreamSettings.of(group.word(), vendor.baseAddress().orElseThrow())
            .with(words)
            .with(secret.isEmpty() ? Credential.none() : form.of(secret))
            .withDeadline(vendor.deadline())
            .withMaxConnections(vendor.connections())
            .withRetries(vendor.retries()),
        host);
  }

  /** Who is called in these groups, by the prefix of the settings that say where. */
  Map<String, UpstreamClient> clients() {
    Map<String, UpstreamClient> clients = new LinkedHashMap<>();
    clients.put("gateway.upstream.cryptodata", cryptoData);
    clients.put("gateway.upstream.prediction", prediction);
    web.vendor().ifPresent(client -> clients.put("gateway.upstream.websearch", client));
    phone.clients().forEach((name, client) -> clients.put("gateway.upstream." + name, client));
    language.upstreams().forEach((name, it) -> clients.put("gateway.language." + name, it));
    pictures.upstreams().forEach((name, it) -> clients.put("gateway.images." + name, it));
    music.vendor().ifPresent(client -> clients.put("gateway.music", client));
    return clients;
  }

  @Override
  public void close() {
    cryptoData.close();
    prediction.close();
    web.close();
    language.close();
    pictures.close();
    phone.close();
    music.close();
  }

  /** Where a vendor wants its key. */
  @FunctionalInterface
  interface CredentialForm {
    Credential of(String secret);
  }
}

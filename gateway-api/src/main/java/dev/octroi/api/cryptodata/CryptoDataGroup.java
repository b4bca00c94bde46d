package dev.octroi.api.cryptodata;

import dev.octroi.api.cryptodata.CryptoDataResource.CryptoDataService;
import dev.octroi.api.cryptodata.CryptoDataResource.CryptoDataTariff;
import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.language.Models;
import dev.octroi.api.price.ListPrices;
import dev.octroi.api.read.ConfiguredReads;
import dev.octroi.api.read.OfferedReads;
import dev.octroi.api.read.PostedJson;
import dev.octroi.api.read.ReadService;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.VendorSettings;
import dev.octroi.api.settings.VendorSettings.RecordForm;
import dev.octroi.api.websearch.WebSearchGroup.WebPages;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.cryptodata.CryptoDataConnector;
import dev.octroi.services.cryptodata.CryptoDataMethods;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.cryptodata.ModelTranslator;
import dev.octroi.services.cryptodata.OwnWebFetch;
import dev.octroi.services.cryptodata.QuestionTranslator;
import dev.octroi.services.cryptodata.WordTranslator;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.UpstreamReads;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.VenueWords;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Crypto data: reads, and two on-chain methods, of one vendor. */
public final class CryptoDataGroup extends BuiltInGroup {

  static final String WORD = "cryptodata";
  static final String BASE = "/v1/marketplace/cryptodata";

  public CryptoDataGroup() {
    super(
        new Profile(
            WORD,
            "Crypto data",
            "Exchanges, markets, on-chain SQL, wallets, social media, tokens, funds, projects and"
                + " news. One price for every call.",
            ErrorShape.NESTED,
            List.of(BASE),
            List.of(
                ErrorCode.INVALID_PAIR,
                ErrorCode.SQL_SYNTAX_ERROR,
                ErrorCode.NOT_FOUND,
                ErrorCode.QUERY_TIMEOUT,
                ErrorCode.URL_UNREACHABLE)),
        CryptoDataResource.class);
  }

  @Override
  public boolean namesVenues() {
    return true;
  }

  @Override
  public String answerSchema(Read read) {
    return switch ((CryptoDataRead) read) {
      case EXCHANGE_PRICE -> "ExchangeTickers";
      case MARKET_FEAR_GREED -> "FearAndGreed";
      case WALLET_DETAIL -> "WalletDetail";
      default -> super.answerSchema(read);
    };
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    OfferedReads<CryptoDataRead> offered =
        CryptoDataTariff.CONTRACT.with(settings.cryptodata().beyondContract());
    return new ConfiguredReads<>(
        this,
        List.of(CryptoDataRead.values()),
        List.of(
            SoldRow.post(this, "/onchain/sql", ListPrices.ONCHAIN),
            SoldRow.post(this, "/onchain/query", ListPrices.ONCHAIN)),
        Upstream.vendor(
            WORD,
            WORD,
            settings.upstream().cryptodata(),
            new VenueWords(settings.venues()),
            Credential::bearer),
        offered,
        (client, context) -> open(settings, offered, client, context));
  }

  private static OpenGroup open(
      GatewaySettings settings,
      OfferedReads<CryptoDataRead> offered,
      UpstreamClient client,
      GroupContext context) {
    VendorSettings terms = settings.upstream().cryptodata();
    boolean mapped = terms.records() == RecordForm.MAPPED;
    CacheSettings cache = new CacheSettings(settings.cache().size().bytes(), Duration.ZERO);
    Reads vendors =
        new UpstreamReads(
            client,
            new CryptoDataConnector(mapped, client.settings().words()),
            cache,
            context.clock());
    Reads reads =
        settings.web().isOwn(true)
            ? new OwnWebFetch(vendors, WebPages.fetcher(settings.web(), context))
            : vendors;
    ReadService<CryptoDataRead> served =
        new ReadService<>(offered, reads, terms.deadline(), context.deadlines());
    return OpenGroup.of(
            new CryptoDataService(
                served,
                new CryptoDataMethods(client, translator(settings, context), mapped),
                new PostedJson(settings.limits().jsonDepth(), context.deadlines())))
        .with(new CryptoDataTariff(offered))
        .withCache(reads::cacheFigures)
        .withReads(served::found);
  }

  private static QuestionTranslator translator(GatewaySettings settings, GroupContext context) {
    QuestionTranslator plain = new WordTranslator(context.clock());
    return settings.cryptodata().isPlain()
        ? plain
        : new ModelTranslator(
            Models.of(settings.language(), context),
            settings.cryptodata().questionModel(),
            name -> Models.isCallable(settings.language(), name),
            plain,
            context.clock());
  }
}

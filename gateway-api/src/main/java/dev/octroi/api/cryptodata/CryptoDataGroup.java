package dev.octroi.api.cryptodata;

import dev.octroi.api.cryptodata.CryptoDataResource.CryptoDataService;
import dev.octroi.api.cryptodata.CryptoDataResource.CryptoDataTariff;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.language.Models;
import dev.octroi.api.price.ListPrices;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Crypto data: reads, and two on-chain methods, of one vendor. */
public final class CryptoDataGroup implements Group {

  static final String WORD = "cryptodata";
  static final String BASE = "/v1/marketplace/cryptodata";

  private static final Profile PROFILE =
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
              ErrorCode.URL_UNREACHABLE));

  @Override
  public Profile profile() {
    return PROFILE;
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
      default -> Group.super.answerSchema(read);
    };
  }

  @Override
  public List<Class<?>> resources() {
    return List.of(CryptoDataResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(
        this,
        settings,
        Upstream.vendor(
            WORD,
            WORD,
            settings.upstream().cryptodata(),
            new VenueWords(settings.venues()),
            Credential::bearer));
  }

  private record Configured(Group group, GatewaySettings settings, Optional<Upstream> vendor)
      implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      List<SoldRow> rows =
          new ArrayList<>(SoldRow.ofReads(group, List.of(CryptoDataRead.values())));
      rows.add(SoldRow.post(group, "/onchain/sql", ListPrices.ONCHAIN));
      rows.add(SoldRow.post(group, "/onchain/query", ListPrices.ONCHAIN));
      return rows;
    }

    @Override
    public List<Upstream> upstreams() {
      return vendor.stream().toList();
    }

    @Override
    public List<String> missing() {
      return vendor.isPresent() ? List.of() : List.of(Upstream.missing(WORD));
    }

    @Override
    public List<String> problems() {
      return OfferedReads.problems(
          "gateway.cryptodata.beyond-contract", beyond(), List.of(CryptoDataRead.values()));
    }

    @Override
    public boolean lists(SoldRow row) {
      return serves(row.path()) && row.read().map(offered()::offers).orElse(true);
    }

    private List<String> beyond() {
      return settings.cryptodata().beyondContract();
    }

    private OfferedReads<CryptoDataRead> offered() {
      return CryptoDataTariff.CONTRACT.with(beyond());
    }

    @Override
    public OpenGroup open(GroupContext context) {
      return vendor.map(one -> open(context.client(one), context)).orElseGet(OpenGroup::of);
    }

    private OpenGroup open(UpstreamClient client, GroupContext context) {
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
          new ReadService<>(offered(), reads, terms.deadline(), context.deadlines());
      return OpenGroup.of(
              new CryptoDataService(
                  served,
                  new CryptoDataMethods(client, translator(context), mapped),
                  new PostedJson(settings.limits().jsonDepth(), context.deadlines())))
          .with(new CryptoDataTariff(offered()))
          .withCache(reads::cacheFigures)
          .withReads(served::found);
    }

    private QuestionTranslator translator(GroupContext context) {
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
}

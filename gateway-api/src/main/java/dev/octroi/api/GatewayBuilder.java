package dev.octroi.api;

import dev.octroi.api.asset.AssetStore;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.discovery.ResourceDescriptions;
import dev.octroi.api.facilitator.ServedFacilitator;
import dev.octroi.api.facilitator.ServedSettlement;
import dev.octroi.api.facilitator.TakenTerms;
import dev.octroi.api.group.Group;
import dev.octroi.api.health.HealthCheck;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.language.LanguageTariff;
import dev.octroi.api.language.SmartSearchTariff;
import dev.octroi.api.music.MusicTariff;
import dev.octroi.api.observe.Observation;
import dev.octroi.api.path.PathAliases;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.payments.account.MasterKeys;
import dev.octroi.payments.body.BodyPace;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.flow.CallLimits;
import dev.octroi.payments.flow.ClientProtocol;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import dev.octroi.payments.ledger.SingleWriter;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.services.HostThreads;
import dev.octroi.services.upstream.UpstreamHost;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Composes a {@link Gateway}. The database's schema must have been applied before. */
public final class GatewayBuilder {

  private @Nullable GatewaySettings settings;
  private @Nullable DataSource database;
  private @Nullable Facilitator facilitator;
  private @Nullable MasterKeys masterKeys;
  private @Nullable AssetStore assets;
  private Clock clock = Clock.systemUTC();
  private HostThreads threads = HostThreads.OF_THE_JVM;
  private final List<HealthCheck> checks = new ArrayList<>();
  private final List<MeterBinder> figures = new ArrayList<>();
  private boolean strict;

  GatewayBuilder() {}

  /** What the operator set. Required. */
  public GatewayBuilder settings(GatewaySettings theSettings) {
    this.settings = theSettings;
    return this;
  }

  /** The ledger's database, outside of a host's transactions. Required; the caller closes it. */
  public GatewayBuilder database(DataSource theDatabase) {
    this.database = theDatabase;
    return this;
  }

  /** Settles in place of what {@code gateway.payments.mode} says. */
  public GatewayBuilder facilitator(Facilitator other) {
    this.facilitator = other;
    return this;
  }

  /** Seals managed wallets in place of {@code gateway.keys.master-key}. */
  public GatewayBuilder masterKeys(MasterKeys service) {
    this.masterKeys = service;
    return this;
  }

  /** Keeps files in place of what {@code gateway.assets.store} says; closed with the gateway. */
  public GatewayBuilder assets(AssetStore store) {
    this.assets = store;
    return this;
  }

  /** The clock of payments and limits; the system's by default. */
  public GatewayBuilder clock(Clock other) {
    this.clock = other;
    return this;
  }

  /**
   * Makes the threads on which upstreams are called, such as a server's managed factory; daemons of
   * the JVM by default. Threads that write to the ledger are the gateway's own all the same: they
   * must not be interrupted, which servers do when they undeploy.
   */
  public GatewayBuilder threads(ThreadFactory host) {
    this.threads = new HostThreads(host);
    return this;
  }

  /** Fails the deployment of any method of the application that is neither paid nor free. */
  public GatewayBuilder strict(boolean nothingIsFreeByOmission) {
    this.strict = nothingIsFreeByOmission;
    return this;
  }

  /** Something of the host's that must be well for calls to be sent here. */
  public GatewayBuilder check(HealthCheck another) {
    checks.add(another);
    return this;
  }

  /** Figures of the host's that {@code /metrics} shows besides. */
  public GatewayBuilder figures(MeterBinder others) {
    figures.add(others);
    return this;
  }

  /**
   * Looks at the settings, for a host that wants to know before it opens a database; {@link #build}
   * does it too.
   *
   * @throws InvalidSettings with every problem
   */
  public GatewayBuilder checked() {
    if (settings == null) {
      throw new IllegalStateException("a gateway needs settings");
    }
    requireSound(settings, new PriceBook(settings.prices(), clock), clock);
    return this;
  }

  /**
   * Builds the gateway and begins to keep the ledger.
   *
   * @throws InvalidSettings if the settings do not do together
   */
  public Gateway build() {
    if (settings == null || database == null) {
      throw new IllegalStateException("a gateway needs settings and a database");
    }
    PriceBook prices = new PriceBook(settings.prices(), clock);
    requireSound(settings, prices, clock);
    CallDeadlines deadlines = new CallDeadlines(clock);
    Catalogue catalogue = new Catalogue(prices.sold(), Gateway.resourcesAnd());
    Watching watching = Watching.of(settings, clock);
    Observation observation = watching.observation();
    UpstreamHost upstreams = new UpstreamHost(observation, threads);
    Services services = Services.of(settings, deadlines, upstreams);
    try {
      PaymentRuntime runtime =
          runtime(settings, SingleWriter.of(database), prices, services, catalogue, observation);
      OperatorAssembly assembly =
          new OperatorAssembly(settings, database, runtime, services, clock);
      Operations operations =
          Operations.open(
              watching,
              runtime,
              services,
              database,
              new Operations.OfHost(List.copyOf(checks), List.copyOf(figures)),
              clock);
      return new Gateway(
          settings,
          runtime,
          assembly.operators(prices, operations.readiness()),
          assembly.owners(),
          served(settings, runtime),
          services,
          new PostedJson(settings.limits().jsonDepth(), deadlines),
          catalogue,
          operations);
    } catch (RuntimeException e) {
      services.close();
      watching.close();
      throw e;
    }
  }

  private static void requireSound(GatewaySettings settings, PriceBook prices, Clock clock) {
    List<String> problems = SettingsCheck.problems(settings, prices, clock);
    if (!problems.isEmpty()) {
      throw new InvalidSettings(problems);
    }
  }

  private PaymentRuntime runtime(
      GatewaySettings from,
      DataSource store,
      PriceBook prices,
      Services services,
      Catalogue catalogue,
      Observation observation) {
    PaymentSettings money = from.payments();
    LedgerAssembly ledger = new LedgerAssembly(from, store, Optional.ofNullable(assets), clock);
    Payments.Builder payments =
        Payments.builder()
            .clock(clock)
            .prices(prices)
            .tariff(new SmartSearchTariff(from.prices().smartSearch()))
            .tariff(new MusicTariff(services.music().service()))
            .tariff(
                new LanguageTariff(
                    services.language().models(),
                    services.web().search().search().map(vendor -> from.prices().smartSearch())))
            .descriptions(new ResourceDescriptions(catalogue, prices, from.discovery()))
            .limits(limits(from))
            .unsettledPerPayer(from.facilitator().unsettledPerPayer())
            .priceInBody(path -> Group.of(path).filter(money.priceInBody()::contains).isPresent())
            .trustedProxies(request -> ClientAddress.proxies(JaxrsExchange.context(request)))
            .hosts(new OwnHosts(from.http()))
            .aliases(new PathAliases(from.aliases(), from.venues())::canonical)
            .observer(observation)
            .protocol(
                new ClientProtocol(
                    money.challengeBody(),
                    money.identifiers(),
                    from.receipts().signer(),
                    from.receipts().offerSigner()))
            .strict(strict);
    from.http().publicUrl().ifPresent(payments::publicBaseUrl);
    options(from).forEach(payments::accept);
    SolanaAssembly base58 = new SolanaAssembly(from, store, clock);
    List<Facilitator> facilitators = facilitators(from, store);
    try {
      return ledger.keep(
          payments,
          facilitators,
          keys(from, base58),
          limits(from).call(),
          context -> BackgroundServices.open(from, services, prices, context));
    } catch (RuntimeException e) {
      facilitators.forEach(Facilitator::close);
      throw e;
    }
  }

  /** Calls of models take longest, and have the longest bodies. */
  private static CallLimits limits(GatewaySettings from) {
    CallLimits usual = CallLimits.defaults();
    Duration longest = from.language().deadline();
    return new CallLimits(
        longest.compareTo(usual.call()) > 0 ? longest : usual.call(),
        Math.max(
            usual.body(),
            Math.max(from.language().body().bytes(), from.images().editBody().bytes())),
        usual.bodiesInMemory(),
        new BodyPace(from.limits().bodyTime(), from.limits().bodyRate().bytes()),
        from.limits().bodiesAwaited(),
        longestAnswer(from),
        usual.spill());
  }

  /** Several pictures in base64 are the longest answers that there are. */
  static int longestAnswer(GatewaySettings from) {
    long longest = Math.max(from.language().answer().bytes(), from.images().answer().bytes());
    return (int) Math.max(CallLimits.defaults().answerBytes(), longest);
  }

  private List<Facilitator> facilitators(GatewaySettings from, DataSource store) {
    return facilitator == null
        ? new FacilitatorAssembly(from, store, clock).facilitators()
        : List.of(facilitator);
  }

  private KeyAssembly keys(GatewaySettings from, SolanaAssembly base58) {
    return new KeyAssembly(from, Optional.ofNullable(masterKeys), base58.blockhashes(), clock);
  }

  /** What this gateway is to other servers, whether or not it is served. */
  private static ServedFacilitator served(GatewaySettings from, PaymentRuntime runtime) {
    Map<String, Facilitator> byNetwork = new HashMap<>();
    runtime
        .facilitators()
        .forEach(one -> one.networks().forEach(network -> byNetwork.put(network, one)));
    return new ServedFacilitator(
        byNetwork,
        new TakenTerms(options(from)),
        new ServedSettlement(runtime.ledger(), from.facilitator().unsettledPerPayer().micros()),
        runtime.ledger().sandboxBank());
  }

  private static List<PaymentOption> options(GatewaySettings from) {
    PaymentSettings money = from.payments();
    List<PaymentOption> options = new ArrayList<>();
    options.add(token(money).payableTo(payTo(money), (int) money.maxTimeout().toSeconds()));
    SolanaAssembly.option(from).ifPresent(options::add);
    return List.copyOf(options);
  }

  static EvmToken token(PaymentSettings money) {
    return new EvmToken(
        money.network(),
        EvmAddress.parseChecked(money.asset()),
        money.assetName(),
        money.assetVersion());
  }

  private static EvmAddress payTo(PaymentSettings money) {
    return EvmAddress.parseChecked(money.payTo());
  }
}

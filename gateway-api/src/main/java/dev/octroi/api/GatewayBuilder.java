package dev.octroi.api;

import dev.octroi.api.asset.AssetStore;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.catalogue.HostGroup;
import dev.octroi.api.change.ChangeParts;
import dev.octroi.api.change.ChangeStore;
import dev.octroi.api.discovery.ResourceDescriptions;
import dev.octroi.api.facilitator.ServedFacilitator;
import dev.octroi.api.facilitator.ServedFacilitator.TakenTerms;
import dev.octroi.api.facilitator.ServedSettlement;
import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.Groups;
import dev.octroi.api.health.Readiness.HealthCheck;
import dev.octroi.api.house.Listing;
import dev.octroi.api.http.ClientAddress;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.live.LiveSettings;
import dev.octroi.api.observe.Observation;
import dev.octroi.api.path.OwnPaths;
import dev.octroi.api.path.PathAliases;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.price.PriceBook.RowPrice;
import dev.octroi.api.route.Routes;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.setup.BuiltInGroups;
import dev.octroi.api.setup.FacilitatorAssembly;
import dev.octroi.api.setup.KeyAssembly;
import dev.octroi.api.setup.LedgerAssembly;
import dev.octroi.api.setup.OpenGroups;
import dev.octroi.api.setup.Operations;
import dev.octroi.api.setup.Operations.Watching;
import dev.octroi.api.setup.OperatorAssembly;
import dev.octroi.api.setup.PaymentRuntime;
import dev.octroi.api.setup.RelayAssembly;
import dev.octroi.api.setup.SandboxSafety;
import dev.octroi.api.setup.SettingsCheck;
import dev.octroi.api.setup.SolanaAssembly;
import dev.octroi.api.validation.BodyReader;
import dev.octroi.payments.account.MasterKeys;
import dev.octroi.payments.body.BodyPace;
import dev.octroi.payments.evm.relay.ChannelOrders;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.flow.CallLimits;
import dev.octroi.payments.flow.ClientProtocol;
import dev.octroi.payments.ledger.jdbc.Durability;
import dev.octroi.payments.ledger.jdbc.SingleWriter;
import dev.octroi.payments.servlet.PathPrices;
import dev.octroi.payments.setup.Payments;
import dev.octroi.services.HostThreads;
import dev.octroi.services.upstream.UpstreamClient.UpstreamHost;
import dev.octroi.services.upstream.UpstreamSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiFunction;
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
  private BiFunction<UpstreamSettings, HttpClient.Builder, HttpClient> connections =
      (upstream, builder) -> builder.build();
  private final List<HealthCheck> checks = new ArrayList<>();
  private final List<MeterBinder> figures = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>(BuiltInGroups.ALL);
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

  /**
   * Makes what sends the requests of each upstream, from a builder that says how, for a host that
   * wants to see them or to send them elsewhere.
   */
  public GatewayBuilder connections(
      BiFunction<UpstreamSettings, HttpClient.Builder, HttpClient> maker) {
    this.connections = maker;
    return this;
  }

  /** Fails the deployment of any method of the application that is neither paid nor free. */
  public GatewayBuilder strict(boolean nothingIsFreeByOmission) {
    this.strict = nothingIsFreeByOmission;
    return this;
  }

  /**
   * Sells a group of the host's own besides the built-in ones. {@link GatewayApplication} serves
   * its resource classes by itself; beside a {@link GatewayFeature} the host names them among its
   * own.
   */
  public GatewayBuilder group(Group own) {
    groups.add(own);
    return this;
  }

  /**
   * Sells the paid methods of resource classes of the host's own, which the host serves: price
   * book, description, discovery, tools, figures and console have them as they have a built-in
   * group's ({@link HostGroup}).
   *
   * @param word what settings and keys call them: lower-case letters and digits
   * @param title the name for people
   * @throws IllegalArgumentException if nothing of them is {@code @Paid}, or a path begins with no
   *     word
   */
  public GatewayBuilder sell(String word, String title, Class<?>... resources) {
    return group(HostGroup.of(word, title, resources));
  }

  /**
   * The same of what the host sells by a {@link dev.octroi.payments.servlet.PaymentServletFilter}
   * at paths.
   *
   * @param prices the ones that the filter has
   */
  public GatewayBuilder sell(String word, String title, PathPrices prices) {
    return group(HostGroup.of(word, title, prices));
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
    Routes routes = new Routes(settings, clock);
    ConfiguredGroups configured = configured(settings, routes);
    requireSound(settings, configured, routes, new PriceBook(configured, settings.prices(), clock));
    return this;
  }

  private ConfiguredGroups configured(GatewaySettings from, Routes routes) {
    return new ConfiguredGroups(new Groups(groups), from, clock, routes);
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
    Routes routes = new Routes(settings, clock);
    ConfiguredGroups configured = configured(settings, routes);
    PriceBook prices = new PriceBook(configured, settings.prices(), clock);
    requireSound(settings, configured, routes, prices);
    LiveSettings live = live(settings, configured, routes, prices, database);
    Catalogue catalogue = new Catalogue(configured::selling, Gateway.resources(groups));
    Watching watching = Watching.of(settings, clock);
    DataSource reads = OperatorAssembly.reads(database, settings.database());
    try {
      PaymentRuntime runtime =
          runtime(
              settings,
              configured,
              routes,
              database,
              reads,
              prices,
              catalogue,
              watching.observation());
      live.start(runtime.ledger().statements());
      OperatorAssembly assembly =
          new OperatorAssembly(settings, database, reads, runtime, configured, live, clock);
      Operations operations =
          Operations.open(
              watching,
              runtime,
              database,
              new Operations.OfHost(List.copyOf(checks), List.copyOf(figures)),
              clock);
      return new Gateway(
          settings,
          configured,
          routes,
          runtime,
          assembly.operators(prices, operations.readiness(), watching.outcomes()),
          assembly.owners(),
          served(settings, runtime),
          catalogue,
          live,
          operations);
    } catch (RuntimeException e) {
      watching.close();
      throw e;
    }
  }

  /** What operators changed while gateways served, in force. */
  private LiveSettings live(
      GatewaySettings from,
      ConfiguredGroups configured,
      Routes routes,
      PriceBook prices,
      DataSource pool) {
    ChangeStore store = new ChangeStore(pool);
    OwnPaths own = Gateway.ownPaths(from, configured);
    LiveSettings live =
        new LiveSettings(
            from.changes(),
            store,
            new ChangeParts(store, KeyAssembly.masterKeys(from, Optional.ofNullable(masterKeys))),
            routes,
            prices,
            (timeline, moment) -> {
              List<String> problems =
                  new ArrayList<>(SandboxSafety.problems(from, timeline.upstreams(moment)));
              problems.addAll(timeline.clashes(moment, own, configured.groups().words()));
              return problems;
            },
            clock);
    live.load();
    List<String> forbidden = live.forbidden();
    if (!forbidden.isEmpty()) {
      throw new InvalidSettings(forbidden);
    }
    return live;
  }

  private static void requireSound(
      GatewaySettings settings, ConfiguredGroups configured, Routes routes, PriceBook prices) {
    List<String> problems = problems(settings, configured, routes, prices);
    if (!problems.isEmpty()) {
      throw new InvalidSettings(problems);
    }
  }

  /** What forbids the start, one sentence each. */
  static List<String> problems(
      GatewaySettings settings, ConfiguredGroups configured, Routes routes, PriceBook prices) {
    List<String> problems = SettingsCheck.problems(settings, configured, prices);
    return problems.isEmpty()
        ? routes
            .timeline()
            .clashes(
                Instant.MIN, Gateway.ownPaths(settings, configured), configured.groups().words())
        : problems;
  }

  private static void requireDurable(PaymentSettings money, DataSource database) {
    if (money.mode() != PaymentSettings.Mode.SANDBOX) {
      Durability.problem(database)
          .ifPresent(
              problem -> {
                throw new InvalidSettings(List.of("gateway.database.url: " + problem));
              });
    }
  }

  private PaymentRuntime runtime(
      GatewaySettings from,
      ConfiguredGroups configured,
      Routes routes,
      DataSource pool,
      DataSource reads,
      PriceBook prices,
      Catalogue catalogue,
      Observation observation) {
    PaymentSettings money = from.payments();
    requireDurable(money, pool);
    DataSource store = SingleWriter.of(pool);
    Listing listing = new Listing(reads);
    CallLimits limits = limits(from, configured);
    LedgerAssembly ledger =
        new LedgerAssembly(
            from, store, reads, Optional.ofNullable(assets), limits.answerBytes(), clock);
    GroupContext.Surroundings around =
        new GroupContext.Surroundings(
            new UpstreamHost(observation, threads, connections),
            new BodyReader(from.limits().jsonDepth()),
            (method, path) ->
                prices
                    .explain(method, path, Optional.empty())
                    .map(RowPrice::now)
                    .flatMap(RowPrice.Step::price),
            clock);
    Payments.Builder payments =
        Payments.builder()
            .clock(clock)
            .prices(prices)
            .descriptions(new ResourceDescriptions(catalogue, prices, from.discovery()))
            .limits(limits)
            .unsettledPerPayer(from.facilitator().unsettledPerPayer())
            .credit(FacilitatorAssembly.credit(money.upto()))
            .priceInBody(
                path ->
                    configured
                        .of(path)
                        .filter(group -> money.priceInBody().contains(group.word()))
                        .isPresent())
            .trustedProxies(ClientAddress::proxies)
            .hosts(new OwnHosts(from.http()))
            .aliases(new PathAliases(configured.groups(), from.aliases(), from.venues())::canonical)
            .observer(observation)
            .protocol(
                new ClientProtocol(
                    money.challengeBody(),
                    money.identifiers(),
                    from.receipts().signer(),
                    from.receipts().offerSigner(),
                    FacilitatorAssembly.announced(money),
                    money.signIn()))
            .strict(strict);
    from.http().publicUrl().ifPresent(payments::publicBaseUrl);
    from.http().ownPrefix().ifPresent(payments::partBelow);
    FacilitatorAssembly.options(from).forEach(payments::accept);
    SolanaAssembly solana = new SolanaAssembly(from, store, clock);
    List<Facilitator> facilitators = facilitators(from, store);
    try {
      return ledger.keep(
          payments,
          facilitators,
          keys(from, solana),
          limits.call(),
          (kept, files) -> {
            GroupContext context = new GroupContext(kept, around, files, listing);
            routes.open(context);
            return OpenGroups.open(configured, context);
          });
    } catch (RuntimeException e) {
      facilitators.forEach(Facilitator::close);
      throw e;
    }
  }

  /** The usual ones, and more where a group has longer calls or larger bodies. */
  private static CallLimits limits(GatewaySettings from, ConfiguredGroups configured) {
    CallLimits usual = CallLimits.defaults();
    Duration call = usual.call();
    long body = usual.body();
    for (GroupLimits limits : configured.limits()) {
      call = limits.call().compareTo(call) > 0 ? limits.call() : call;
      for (GroupLimits.Body one : limits.bodies()) {
        body = Math.max(body, one.longest());
      }
    }
    return new CallLimits(
        call,
        body,
        usual.bodiesInMemory(),
        new BodyPace(from.limits().bodyTime(), from.limits().bodyRate().bytes()),
        from.limits().bodiesAwaited(),
        longestAnswer(configured),
        usual.spill());
  }

  /** In bytes; several pictures in base64 are the longest that there are. */
  static int longestAnswer(ConfiguredGroups configured) {
    long longest = CallLimits.defaults().answerBytes();
    for (GroupLimits limits : configured.limits()) {
      longest = Math.max(longest, limits.answer());
    }
    return (int) longest;
  }

  private List<Facilitator> facilitators(GatewaySettings from, DataSource store) {
    return facilitator == null
        ? new FacilitatorAssembly(from, store, clock).facilitators()
        : List.of(facilitator);
  }

  private KeyAssembly keys(GatewaySettings from, SolanaAssembly solana) {
    return new KeyAssembly(from, Optional.ofNullable(masterKeys), solana.blockhashes(), clock);
  }

  /** What this gateway is to other servers, whether or not it is served. */
  private static ServedFacilitator served(GatewaySettings from, PaymentRuntime runtime) {
    Map<String, Facilitator> byNetwork = new HashMap<>();
    runtime
        .facilitators()
        .forEach(one -> one.networks().forEach(network -> byNetwork.put(network, one)));
    boolean isClosed = !from.facilitator().serveToken().value().isEmpty();
    Optional<ChannelOrders> channels =
        RelayAssembly.orders(from, runtime.facilitators(), runtime.ledger().channels())
            .filter(orders -> isClosed);
    return new ServedFacilitator(
        byNetwork,
        new TakenTerms(FacilitatorAssembly.options(from), isClosed, channels.isPresent()),
        new ServedSettlement(runtime.ledger(), from.facilitator().unsettledPerPayer().micros()),
        runtime.ledger().sandboxBank(),
        channels);
  }
}

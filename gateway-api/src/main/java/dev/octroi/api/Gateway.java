package dev.octroi.api;

import dev.octroi.api.asset.Assets;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.console.ConsoleResource.Console;
import dev.octroi.api.discovery.DiscoveryResource.DiscoveryServices;
import dev.octroi.api.discovery.HomePage;
import dev.octroi.api.discovery.Storefront;
import dev.octroi.api.docs.DocsResource.DocsServices;
import dev.octroi.api.docs.DocsResource.SandboxPayer;
import dev.octroi.api.docs.GuidePages;
import dev.octroi.api.docs.HomeResource.Home;
import dev.octroi.api.facilitator.ServedFacilitator;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Group;
import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.http.OwnHosts;
import dev.octroi.api.http.PageRule;
import dev.octroi.api.live.LiveSettings;
import dev.octroi.api.mcp.ToolServices;
import dev.octroi.api.metrics.MetricsResource.Scrape;
import dev.octroi.api.openapi.ApiDocument;
import dev.octroi.api.openapi.ApiDocument.Frontispiece;
import dev.octroi.api.operator.OperatorServices;
import dev.octroi.api.path.OwnPaths;
import dev.octroi.api.path.PathAliases;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.route.Routes;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.setup.BuiltInGroups;
import dev.octroi.api.setup.Operations;
import dev.octroi.api.setup.PaymentRuntime;
import dev.octroi.api.wallet.ReceiptsResource;
import dev.octroi.api.wallet.ReceiptsResource.ReceiptServices;
import dev.octroi.api.wallet.WalletResource.OwnerServices;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.ledger.SandboxBank;
import dev.octroi.payments.setup.Payments;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The gateway, composed: settings, payments and services. Built once, mounted in one or more
 * applications, closed by the host that built it. Thread-safe.
 */
public final class Gateway implements AutoCloseable {

  /** What every gateway serves besides its groups. */
  private static final List<Class<?>> OWN =
      Stream.of(
              List.<Class<?>>of(ReceiptsResource.class),
              OperatorServices.RESOURCES,
              Console.RESOURCES,
              OwnerServices.RESOURCES,
              Assets.RESOURCES,
              DiscoveryServices.RESOURCES,
              ToolServices.RESOURCES,
              ServedFacilitator.RESOURCES)
          .flatMap(List::stream)
          .toList();

  /** What the gateway takes beside a call's own time. */
  private static final Duration MOMENT = Duration.ofSeconds(30);

  private final GatewaySettings settings;
  private final ConfiguredGroups groups;
  private final Routes routes;
  private final Catalogue catalogue;
  private final PaymentRuntime runtime;
  private final OperatorServices operator;
  private final OwnerServices owners;
  private final ServedFacilitator facilitator;
  private final DiscoveryServices discovery;
  private final InnerCalls innerCalls = new InnerCalls();
  private final ToolServices tools;
  private final DocsServices docs;
  private final LiveSettings live;
  private final Operations operations;

  Gateway(
      GatewaySettings settings,
      ConfiguredGroups groups,
      Routes routes,
      PaymentRuntime runtime,
      OperatorServices operator,
      OwnerServices owners,
      ServedFacilitator facilitator,
      Catalogue catalogue,
      LiveSettings live,
      Operations operations) {
    this.settings = settings;
    this.groups = groups;
    this.routes = routes;
    this.catalogue = catalogue;
    this.runtime = runtime;
    this.operator = operator;
    this.owners = owners;
    this.facilitator = facilitator;
    this.discovery = discovery(settings, groups, runtime, operator, catalogue);
    this.tools = tools(settings, groups, discovery.storefront(), innerCalls, runtime);
    this.docs = docs(settings, groups, runtime, operator, catalogue);
    this.live = live;
    this.operations = operations;
    runtime.reconciler().start();
  }

  /** What can be bought at this moment. */
  private static DiscoveryServices discovery(
      GatewaySettings settings,
      ConfiguredGroups groups,
      PaymentRuntime runtime,
      OperatorServices operator,
      Catalogue catalogue) {
    Map<Class<? extends Tariff>, Tariff> tariffs = new HashMap<>();
    runtime.groups().tariffs().forEach(tariff -> tariffs.put(tariff.getClass(), tariff));
    Storefront storefront =
        new Storefront(
            catalogue,
            new Storefront.Selling(
                operator.prices(),
                groups::lists,
                type -> Optional.ofNullable(tariffs.get(type)),
                runtime.payments()::accepts),
            operator.clock().instant().truncatedTo(ChronoUnit.SECONDS));
    return new DiscoveryServices(
        storefront, settings.discovery(), settings.mcp().enabled(), isSandbox(settings));
  }

  /** What is sold, as tools. */
  private static ToolServices tools(
      GatewaySettings settings,
      ConfiguredGroups groups,
      Storefront storefront,
      InnerCalls innerCalls,
      PaymentRuntime runtime) {
    return new ToolServices(
        storefront,
        new ToolServices.Terms(
            settings.discovery().serviceName(),
            settings.mcp(),
            innerCalls,
            runtime.groups().context().longestCall().plus(MOMENT),
            GatewayBuilder.longestAnswer(groups),
            new PageRule(new OwnHosts(settings.http()), settings.mcp().origins()),
            runtime.payments().flow()));
  }

  /** Nothing of the documentation is made before a caller asks for it. */
  private static DocsServices docs(
      GatewaySettings settings,
      ConfiguredGroups groups,
      PaymentRuntime runtime,
      OperatorServices operator,
      Catalogue catalogue) {
    boolean sandbox = isSandbox(settings);
    // Only where every payment ends in the ledger: a signature is worth nothing elsewhere.
    boolean paying =
        sandbox && runtime.facilitators().stream().allMatch(Facilitator::settlesInLedger);
    return new DocsServices(
        new ApiDocument(
            GatewayApplication.resources(groups.groups().all()),
            operator.prices(),
            catalogue,
            groups,
            new Frontispiece(sandbox, settings.http().ownPrefix().orElse(""))),
        paying
            ? Optional.of(new SandboxPayer(settings.payments().payTo(), operator.clock()))
            : Optional.empty(),
        new GuidePages());
  }

  public static GatewayBuilder builder() {
    return new GatewayBuilder();
  }

  /**
   * The resource classes of the gateway and its built-in groups, and a host's classes, those of its
   * own groups among them, for {@code Application#getClasses}.
   */
  public static Set<Class<?>> resourcesAnd(Class<?>... others) {
    Set<Class<?>> classes = resources(BuiltInGroups.ALL);
    Collections.addAll(classes, others);
    return classes;
  }

  /** The resource classes of a gateway with these groups. */
  static Set<Class<?>> resources(List<Group> groups) {
    Set<Class<?>> classes = new LinkedHashSet<>();
    groups.forEach(group -> classes.addAll(group.resources()));
    classes.addAll(OWN);
    return classes;
  }

  public GatewaySettings settings() {
    return settings;
  }

  /** How calls are paid; for a {@code PaymentsFeature} in another application of the same host. */
  public Payments payments() {
    return runtime.payments();
  }

  /** What calls cost. */
  public PriceBook prices() {
    return operator.prices();
  }

  /** Those who call by API key. */
  public Accounts accounts() {
    return runtime.accounts();
  }

  PaymentRuntime runtime() {
    return runtime;
  }

  ConfiguredGroups groups() {
    return groups;
  }

  /** What is sold, described. */
  public Catalogue catalogue() {
    return catalogue;
  }

  Routes routes() {
    return routes;
  }

  /** The paths that no route can have. */
  OwnPaths ownPaths() {
    return ownPaths(settings, groups);
  }

  static OwnPaths ownPaths(GatewaySettings settings, ConfiguredGroups groups) {
    return new OwnPaths(
        GatewayApplication.resources(List.of()),
        groups,
        new PathAliases(groups.groups(), settings.aliases(), settings.venues()),
        settings.http().ownPrefix());
  }

  /** What the resources work with. */
  List<Object> services() {
    List<Object> services = new ArrayList<>(runtime.groups().services());
    services.addAll(
        List.of(
            runtime.assets(),
            operator,
            owners,
            facilitator,
            discovery,
            tools,
            docs,
            new Home(
                isSandbox(), groups::listed, new HomePage(discovery, settings.docs().enabled())),
            Console.of(settings),
            new ReceiptServices(
                new ReceiptServices.Sales(payments(), runtime.ledger().purchases(), accounts()),
                settings.receipts().signer(),
                settings.http().ownAddress(),
                operator.clock()),
            operations.readiness(),
            new Scrape(operations.watching().metrics())));
    return services;
  }

  /** By what this gateway knows its own calls of itself. */
  InnerCalls innerCalls() {
    return innerCalls;
  }

  OperatorServices operator() {
    return operator;
  }

  DocsServices docs() {
    return docs;
  }

  OwnerServices owners() {
    return owners;
  }

  /** Whether the money is worthless. */
  public boolean isSandbox() {
    return isSandbox(settings);
  }

  private static boolean isSandbox(GatewaySettings settings) {
    return settings.payments().mode() == PaymentSettings.Mode.SANDBOX;
  }

  /** Worthless money, to be given to payers in tests and trials; empty where the money is real. */
  public Optional<SandboxBank> sandboxBank() {
    return isSandbox() ? Optional.of(runtime.ledger().sandboxBank()) : Optional.empty();
  }

  Operations operations() {
    return operations;
  }

  /**
   * Prepares beside the calls what the first of them would else wait for, such as vocabularies by
   * which tokens are counted. For the host, once it serves; returns at once, may be left out, and
   * is ended by {@link #close}.
   */
  public void warmUp() {
    runtime.groups().warmUp();
  }

  /**
   * Says from now on that this node wants no more calls, so that load balancers send none; calls
   * that come are served all the same. For the host, some seconds before it stops.
   */
  public void drain() {
    operations.readiness().drain();
  }

  /**
   * Counts a request that the server refused by itself because it could not be read, such as one
   * with a malformed head: as broken, and as an unpaid call of its address. For a host that sees
   * such requests; may be left out.
   *
   * @param direct the address at the other end of the connection
   */
  public void broken(String direct) {
    runtime.limits().broken(direct);
  }

  /**
   * Ends the work that outlives requests, for which it waits a little, and closes the upstreams'
   * connections and the ledger. Calls in flight are not waited for.
   */
  @Override
  public void close() {
    live.close();
    tools.close();
    operations.watching().outcomes().close();
    runtime.close();
    operations.close();
  }
}

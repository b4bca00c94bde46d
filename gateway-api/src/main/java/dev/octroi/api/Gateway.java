package dev.octroi.api;

import dev.octroi.api.asset.Assets;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.console.Console;
import dev.octroi.api.discovery.DiscoveryServices;
import dev.octroi.api.docs.DocsServices;
import dev.octroi.api.facilitator.ServedFacilitator;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.image.ImageBackgroundService;
import dev.octroi.api.image.ImageService;
import dev.octroi.api.language.LanguageService;
import dev.octroi.api.language.SmartSearchService;
import dev.octroi.api.mcp.ToolServices;
import dev.octroi.api.music.MusicService;
import dev.octroi.api.operator.OperatorServices;
import dev.octroi.api.phone.PhoneBackgroundService;
import dev.octroi.api.phone.PhoneGate;
import dev.octroi.api.phone.PhoneService;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.receipt.ReceiptServices;
import dev.octroi.api.receipt.ReceiptsResource;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.voice.VoiceComponents;
import dev.octroi.api.wallet.OwnerServices;
import dev.octroi.api.websearch.SearchGate;
import dev.octroi.payments.Payments;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.ledger.SandboxBank;
import dev.octroi.services.cryptodata.CryptoDataMethods;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.prediction.PredictionMethods;
import dev.octroi.services.prediction.PredictionRead;
import jakarta.ws.rs.ext.Providers;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The gateway, composed: settings, payments and services. Built once, mounted in one or more
 * applications, closed by the host that built it. Thread-safe.
 */
public final class Gateway implements AutoCloseable {

  private static final List<Class<?>> RESOURCES =
      Stream.of(
              List.<Class<?>>of(
                  CryptoDataResource.class,
                  PredictionResource.class,
                  WebSearchResource.class,
                  ReceiptsResource.class),
              OperatorServices.RESOURCES,
              Console.RESOURCES,
              OwnerServices.RESOURCES,
              LanguageService.RESOURCES,
              PhoneService.RESOURCES,
              Assets.RESOURCES,
              ImageService.RESOURCES,
              VoiceComponents.RESOURCES,
              MusicService.RESOURCES,
              DiscoveryServices.RESOURCES,
              ToolServices.RESOURCES,
              ServedFacilitator.RESOURCES)
          .flatMap(List::stream)
          .toList();

  private final GatewaySettings settings;
  private final PaymentRuntime runtime;
  private final OperatorServices operator;
  private final OwnerServices owners;
  private final ServedFacilitator facilitator;
  private final Services services;
  private final PostedJson postedJson;
  private final DiscoveryServices discovery;
  private final InnerCalls innerCalls = new InnerCalls();
  private final ToolServices tools;
  private final DocsServices docs;
  private final Operations operations;

  Gateway(
      GatewaySettings settings,
      PaymentRuntime runtime,
      OperatorServices operator,
      OwnerServices owners,
      ServedFacilitator facilitator,
      Services services,
      PostedJson postedJson,
      Catalogue catalogue,
      Operations operations) {
    this.settings = settings;
    this.runtime = runtime;
    this.operator = operator;
    this.owners = owners;
    this.facilitator = facilitator;
    this.services = services;
    this.postedJson = postedJson;
    StoreAssembly store = new StoreAssembly(this, services, catalogue);
    this.discovery = store.discovery();
    this.tools = store.tools(discovery);
    this.docs = new DocsAssembly(settings, runtime, operator, catalogue).services();
    this.operations = operations;
    runtime.reconciler().start();
  }

  public static GatewayBuilder builder() {
    return new GatewayBuilder();
  }

  /** The gateway's resource classes and a host's classes, for {@code Application#getClasses}. */
  public static Set<Class<?>> resourcesAnd(Class<?>... others) {
    Set<Class<?>> classes = new LinkedHashSet<>(RESOURCES);
    Collections.addAll(classes, others);
    return classes;
  }

  /**
   * The gateway of an application.
   *
   * @throws IllegalStateException if none is mounted there
   */
  static Gateway of(Providers providers) {
    return Mounted.of(providers, Gateway.class);
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

  /** Files that answers link to. */
  Assets assets() {
    return runtime.assets();
  }

  ReceiptServices receipts() {
    return new ReceiptServices(
        new ReceiptServices.Sales(payments(), runtime.ledger().purchases(), accounts()),
        settings.receipts().signer(),
        settings.http().publicUrl(),
        operator.clock());
  }

  /** The parts that outlive requests. */
  BackgroundServices background() {
    return runtime.background();
  }

  ToolServices tools() {
    return tools;
  }

  /** By what this gateway knows its own calls of itself. */
  InnerCalls innerCalls() {
    return innerCalls;
  }

  DiscoveryServices discovery() {
    return discovery;
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

  ServedFacilitator facilitator() {
    return facilitator;
  }

  /** Whether the money is worthless. */
  public boolean isSandbox() {
    return settings.payments().mode() == PaymentSettings.Mode.SANDBOX;
  }

  /** Worthless money, to be given to payers in tests and trials; empty where the money is real. */
  public Optional<SandboxBank> sandboxBank() {
    return isSandbox() ? Optional.of(runtime.ledger().sandboxBank()) : Optional.empty();
  }

  ReadGroup<CryptoDataRead> cryptoDataReads() {
    return services.cryptoDataReads();
  }

  CryptoDataMethods cryptoDataMethods() {
    return services.cryptoDataMethods();
  }

  ReadGroup<PredictionRead> predictionReads() {
    return services.predictionReads();
  }

  PredictionMethods predictionMethods() {
    return services.predictionMethods();
  }

  WebSearchGroup webSearch() {
    return services.web().search();
  }

  SearchGate searchGate() {
    return new SearchGate(settings.websearch().findSimilar(), webSearch().search().isPresent());
  }

  ImageService images() {
    return runtime.background().service(ImageBackgroundService.class).service();
  }

  PhoneService phone() {
    return background().service(PhoneBackgroundService.class).service();
  }

  PhoneGate phoneGate() {
    return new PhoneGate(services.phone().vendors());
  }

  MusicService music() {
    return services.music().service();
  }

  LanguageService language() {
    return new LanguageService(
        services.language().models(),
        settings.language().deadline(),
        operator.clock(),
        new SmartSearchService(
            webSearch().smart(services.language().models(), settings, operator.clock()),
            webSearch().bodies()));
  }

  VoiceComponents voice() {
    return runtime.background().service(VoiceBackgroundService.class).components();
  }

  Operations operations() {
    return operations;
  }

  PostedJson postedJson() {
    return postedJson;
  }

  /**
   * Prepares beside the calls what the first of them would else wait for, such as vocabularies by
   * which tokens are counted. For the host, once it serves; returns at once, may be left out, and
   * is ended by {@link #close}.
   */
  public void warmUp() {
    services.language().models().warmUp();
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
    tools.close();
    runtime.background().close();
    services.close();
    runtime.close();
    operations.close();
  }
}

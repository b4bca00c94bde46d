package dev.octroi.api;

import dev.octroi.api.asset.Assets;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.console.Console;
import dev.octroi.api.discovery.DiscoveryDesk;
import dev.octroi.api.docs.DocsDesk;
import dev.octroi.api.facilitator.ServedFacilitator;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.image.ImageDesk;
import dev.octroi.api.image.ImageWorks;
import dev.octroi.api.language.LanguageDesk;
import dev.octroi.api.language.SmartSearchDesk;
import dev.octroi.api.mcp.ToolDesk;
import dev.octroi.api.music.MusicDesk;
import dev.octroi.api.operator.OperatorDesk;
import dev.octroi.api.phone.PhoneDesk;
import dev.octroi.api.phone.PhoneGate;
import dev.octroi.api.phone.PhoneWorks;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.receipt.ReceiptDesk;
import dev.octroi.api.receipt.ReceiptsResource;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.voice.VoiceResolver;
import dev.octroi.api.voice.VoiceRoom;
import dev.octroi.api.wallet.OwnerDesk;
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
              OperatorDesk.RESOURCES,
              Console.RESOURCES,
              OwnerDesk.RESOURCES,
              LanguageDesk.RESOURCES,
              PhoneDesk.RESOURCES,
              Assets.RESOURCES,
              ImageDesk.RESOURCES,
              VoiceResolver.RESOURCES,
              MusicDesk.RESOURCES,
              DiscoveryDesk.RESOURCES,
              ToolDesk.RESOURCES,
              ServedFacilitator.RESOURCES)
          .flatMap(List::stream)
          .toList();

  private final GatewaySettings settings;
  private final Till till;
  private final OperatorDesk desk;
  private final OwnerDesk owners;
  private final ServedFacilitator facilitator;
  private final Services services;
  private final PostedJson postedJson;
  private final DiscoveryDesk discovery;
  private final InnerCalls innerCalls = new InnerCalls();
  private final ToolDesk tools;
  private final DocsDesk docs;
  private final Operations operations;

  Gateway(
      GatewaySettings settings,
      Till till,
      OperatorDesk desk,
      OwnerDesk owners,
      ServedFacilitator facilitator,
      Services services,
      PostedJson postedJson,
      Catalogue catalogue,
      Operations operations) {
    this.settings = settings;
    this.till = till;
    this.desk = desk;
    this.owners = owners;
    this.facilitator = facilitator;
    this.services = services;
    this.postedJson = postedJson;
    StoreAssembly store = new StoreAssembly(this, services, catalogue);
    this.discovery = store.desk();
    this.tools = store.tools(discovery);
    this.docs = new DocsAssembly(settings, till, desk, catalogue).desk();
    this.operations = operations;
    till.reconciler().start();
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
    return till.payments();
  }

  /** What calls cost. */
  public PriceBook prices() {
    return desk.prices();
  }

  /** Those who call by API key. */
  public Accounts accounts() {
    return till.accounts();
  }

  /** Files that answers link to. */
  Assets assets() {
    return till.assets();
  }

  ReceiptDesk receipts() {
    return new ReceiptDesk(
        new ReceiptDesk.Sales(payments(), till.ledger().purchases(), accounts()),
        settings.receipts().signer(),
        settings.http().publicUrl(),
        desk.clock());
  }

  /** The parts that outlive requests. */
  Workrooms works() {
    return till.works();
  }

  ToolDesk tools() {
    return tools;
  }

  /** By what this gateway knows its own calls of itself. */
  InnerCalls innerCalls() {
    return innerCalls;
  }

  DiscoveryDesk discovery() {
    return discovery;
  }

  OperatorDesk desk() {
    return desk;
  }

  DocsDesk docs() {
    return docs;
  }

  OwnerDesk owners() {
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
    return isSandbox() ? Optional.of(till.ledger().sandboxBank()) : Optional.empty();
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

  ImageDesk images() {
    return till.works().room(ImageWorks.class).desk();
  }

  PhoneDesk phone() {
    return works().room(PhoneWorks.class).desk();
  }

  PhoneGate phoneGate() {
    return new PhoneGate(services.phone().vendors());
  }

  MusicDesk music() {
    return services.music().desk();
  }

  LanguageDesk language() {
    return new LanguageDesk(
        services.language().models(),
        settings.language().deadline(),
        desk.clock(),
        new SmartSearchDesk(
            webSearch().smart(services.language().models(), settings, desk.clock()),
            webSearch().bodies()));
  }

  VoiceRoom voice() {
    return till.works().room(VoiceWorks.class).room();
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
    till.limits().broken(direct);
  }

  /**
   * Ends the work that outlives requests, for which it waits a little, and closes the upstreams'
   * connections and the ledger. Calls in flight are not waited for.
   */
  @Override
  public void close() {
    tools.close();
    till.works().close();
    services.close();
    till.close();
    operations.close();
  }
}

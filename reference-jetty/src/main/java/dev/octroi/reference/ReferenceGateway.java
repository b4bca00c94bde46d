package dev.octroi.reference;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.health.Readiness.HealthCheck;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.GatewaySettings.LogSettings.LogFormat;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings.Mode;
import dev.octroi.api.settings.RouteSettings;
import dev.octroi.api.settings.SandboxUpstreams;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.db.SchemaWatch;
import dev.octroi.payments.Usd;
import dev.octroi.sandbox.Sandbox;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.weld.environment.se.ContainerLifecycleObserver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole gateway in this process: the sandbox where no upstream is set, the database, Weld as CDI
 * container, Jetty. Thread-safe.
 */
public final class ReferenceGateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReferenceGateway.class);
  private static final String PRICE = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";

  private final DataDirectory data;
  private final Gateway gateway;
  private final JettyServer jetty;
  private final Deque<AutoCloseable> parts;

  /** Open until the first closing has waited, so that no closing waits after it. */
  private final CountDownLatch drained = new CountDownLatch(1);

  private ReferenceGateway(
      DataDirectory data, Gateway gateway, JettyServer jetty, Deque<AutoCloseable> parts) {
    this.data = data;
    this.gateway = gateway;
    this.jetty = jetty;
    this.parts = parts;
  }

  /**
   * Starts everything, or nothing.
   *
   * @throws dev.octroi.api.settings.InvalidSettings with every problem of the settings
   * @throws CannotStart if the machine or the database does not let it start
   */
  public static ReferenceGateway start(ServeOptions options) throws Exception {
    SettingsSources sources = sources(options);
    GatewaySettings given = GatewaySettings.read(sources);
    if (given.log().format() == LogFormat.JSON) {
      Logging.writeJson();
    }
    requireOwnPool(given);
    Deque<AutoCloseable> parts = new ArrayDeque<>();
    try {
      Database database = Database.open(given.database());
      parts.push(database);
      GatewaySettings settings = given;
      Optional<Sandbox> sandbox =
          needsSandbox(given) ? Optional.of(Sandbox.start()) : Optional.empty();
      if (sandbox.isPresent()) {
        parts.push(sandbox.get());
        settings = GatewaySettings.read(sources.own("sandbox", sandbox.get().settings(given)));
      }
      WeldContainer container = Cdi.boot(settings, database);
      parts.push(container::shutdown);
      Gateway gateway = container.select(Gateway.class).get();
      parts.push(gateway);
      JettyServer jetty = JettyServer.start(settings.http(), gateway);
      parts.push(jetty);
      return new ReferenceGateway(options.data(), gateway, jetty, parts);
    } catch (Exception e) {
      closeAll(parts);
      throw CannotStart.because(e, given);
    } catch (Error e) {
      closeAll(parts);
      throw e;
    }
  }

  private static void requireOwnPool(GatewaySettings settings) {
    if (settings.database().jndiName().isPresent()) {
      throw new InvalidSettings(
          List.of("gateway.database.jndi-name is for containers: set gateway.database.url"));
    }
  }

  /**
   * What a gateway of these options would run with, but for its sandbox.
   *
   * @throws dev.octroi.api.settings.InvalidSettings with every problem of the settings
   */
  public static GatewaySettings settings(ServeOptions options) {
    return GatewaySettings.read(sources(options));
  }

  /** The same with a sandbox at an address, whether or not it listens there. */
  public static GatewaySettings settings(ServeOptions options, URI sandbox) {
    SettingsSources sources = sources(options);
    return GatewaySettings.read(
        sources.own("sandbox", SandboxUpstreams.at(sandbox, GatewaySettings.read(sources))));
  }

  /** Whether upstreams are missing in whose place the sandbox starts. */
  public static boolean needsSandbox(GatewaySettings settings) {
    boolean complete =
        settings.upstream().cryptodata().baseAddress().isPresent()
            && settings.upstream().prediction().baseAddress().isPresent();
    return !complete && !settings.groups().isEmpty() && settings.payments().mode() == Mode.SANDBOX;
  }

  private static SettingsSources sources(ServeOptions options) {
    return options
        .sources()
        .own("generated", options.generated(GatewaySettings.read(options.sources())));
  }

  /** Where it serves. */
  public URI baseUrl() {
    return jetty.baseUrl();
  }

  /** Where its own paths lie, which routes do not have. */
  public String ownUrl() {
    return baseUrl() + gateway.settings().http().ownPrefix().orElse("");
  }

  /** Prepares beside the calls what the first of them would else wait for; returns at once. */
  public void warmUp() {
    gateway.warmUp();
  }

  /** Whether lines are for machines, so that no other ones may stand between them. */
  public boolean writesJson() {
    return gateway.settings().log().format() == LogFormat.JSON;
  }

  /** Whether its money is worthless. */
  public boolean isSandbox() {
    return gateway.isSandbox();
  }

  /** What to begin with: a price, or a route where no prices are sold. */
  public String firstCall() {
    GatewaySettings settings = gateway.settings();
    boolean priced = settings.groups().stream().anyMatch(List.of("*", "cryptodata")::contains);
    return settings.routes().values().values().stream()
        .filter(route -> route.enabled() && !priced)
        .map(RouteSettings::path)
        .min(Comparator.naturalOrder())
        .orElse(PRICE);
  }

  /** What a payer seen for the first time has. */
  public Usd startingBalance() {
    return gateway.settings().sandbox().startingBalance();
  }

  /** Whether the operator's console is served. */
  public boolean hasConsole() {
    return gateway.settings().console().enabled();
  }

  /** The address of the wallet with which a newcomer pays; empty without a data folder. */
  public Optional<String> demoPayer() {
    return data.isMade() ? Optional.of(data.demoPayer().address().toString()) : Optional.empty();
  }

  /**
   * Says that it wants no more calls, and serves for as long as balancers may need to notice; then
   * takes no more, lets those in flight end, and stops every part.
   */
  @Override
  public void close() {
    gateway.drain();
    try {
      boolean unused =
          drained.await(gateway.settings().http().drainDelay().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    drained.countDown();
    closeAll(parts);
  }

  /** In the reverse order of their start; one that fails does not keep the others open. */
  static void closeAll(Deque<AutoCloseable> parts) {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.error("{} did not close well", part.getClass().getSimpleName(), e);
      }
    }
  }

  /** Weld with just the beans of this deployment: nothing is scanned for, so that it boots fast. */
  static final class Cdi {

    /** Nothing is read from XML here, and the schemas to check it by take long to load. */
    private static final String NO_SCHEMAS = "org.jboss.weld.xml.disableValidating";

    private Cdi() {}

    /** Boots a container whose beans are {@link GatewayBeans} and what is given. */
    static WeldContainer boot(GatewaySettings settings, Database database) {
      System.setProperty(NO_SCHEMAS, "true");
      return new Weld("octroi-" + UUID.randomUUID())
          .disableDiscovery()
          .skipShutdownHook()
          .addBeanClass(GatewayBeans.class)
          .addContainerLifecycleObserver(
              ContainerLifecycleObserver.afterBeanDiscovery(
                  event -> {
                    event
                        .addBean()
                        .types(GatewaySettings.class)
                        .scope(Singleton.class)
                        .createWith(context -> settings);
                    event
                        .addBean()
                        .types(DataSource.class)
                        .scope(Singleton.class)
                        .createWith(context -> database.source());
                  }))
          .initialize();
    }

    /**
     * The gateway as a bean, which is all that a CDI host writes: it produces a {@link Gateway}
     * from the builder.
     */
    @Dependent
    static class GatewayBeans {

      /**
       * Closed by {@link ReferenceGateway}, which takes it: a container ends its beans in no order,
       * the database perhaps first.
       */
      @Produces
      @Singleton
      Gateway gateway(GatewaySettings settings, DataSource database) {
        GatewayBuilder gateway =
            Gateway.builder()
                .settings(settings)
                .database(database)
                .check(schema(new SchemaWatch(database)))
                .strict(true);
        if (database instanceof HikariDataSource pool) {
          gateway.figures(pool::setMetricRegistry);
        }
        return gateway.build();
      }

      private static HealthCheck schema(SchemaWatch schema) {
        return new HealthCheck(
            "migrations",
            "Start this version once with a database user that may change the schema.",
            schema::isApplied);
      }
    }
  }
}

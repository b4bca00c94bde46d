package dev.octroi.reference;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.Surroundings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.sandbox.Sandbox;
import dev.octroi.services.upstream.UpstreamSettings;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A gateway with an operator's vendors whose requests never reach them: each is put down and
 * answered by the sandbox in this process. It has the operator's settings of vendors and none of
 * the others: its database is in memory, its money the sandbox's, its address this machine's alone.
 * Thread-safe.
 */
public final class DryRun implements AutoCloseable {

  /** What says whom a gateway asks, and how. */
  private static final Set<String> ASKING =
      Set.of(
          "profile",
          "sandbox",
          "upstream",
          "venues",
          "cryptodata",
          "prediction",
          "websearch",
          "phone",
          "voice",
          "language",
          "images",
          "music");

  /** Pages of the web are not fetched: they may be at this port alone, where no page is. */
  private static final String NO_PAGES = "9";

  private final Deque<AutoCloseable> parts;
  private final DivertedVendors vendors;
  private final Sandbox sandbox;
  private final Gateway gateway;
  private final JettyServer jetty;

  private DryRun(
      Deque<AutoCloseable> parts,
      DivertedVendors vendors,
      Sandbox sandbox,
      Gateway gateway,
      JettyServer jetty) {
    this.parts = parts;
    this.vendors = vendors;
    this.sandbox = sandbox;
    this.gateway = gateway;
    this.jetty = jetty;
  }

  /**
   * Starts everything, or nothing.
   *
   * @throws dev.octroi.api.settings.InvalidSettings with every problem of the settings
   */
  public static DryRun start(ServeOptions options) throws Exception {
    Deque<AutoCloseable> parts = new ArrayDeque<>();
    try {
      GatewaySettings given = GatewaySettings.read(options.sources());
      boolean newcomer = ReferenceGateway.needsSandbox(given);
      Sandbox sandbox = Sandbox.start(0, !newcomer && isPublic(given));
      parts.push(sandbox);
      Map<String, String> stand = sandbox.settings(given);
      SettingsSources sources =
          options.sources().only(ASKING).values("doctor", ofDoctor(UUID.randomUUID()));
      GatewaySettings settings =
          GatewaySettings.read(newcomer ? sources.own("sandbox", stand) : sources);
      DivertedVendors vendors =
          new DivertedVendors(
              vendors(settings),
              vendors(GatewaySettings.read(SettingsSources.none().own("sandbox", stand))));
      parts.push(vendors);
      HikariDataSource database = Database.open(settings.database()).source();
      parts.push(database);
      Gateway gateway =
          Gateway.builder()
              .settings(settings)
              .database(database)
              .connections((upstream, builder) -> vendors.connection(upstream))
              .build();
      parts.push(gateway);
      JettyServer jetty = JettyServer.start(settings.http(), gateway);
      parts.push(jetty);
      return new DryRun(parts, vendors, sandbox, gateway, jetty);
    } catch (Exception | Error e) {
      ReferenceGateway.closeAll(parts);
      throw e;
    }
  }

  private static Map<String, UpstreamSettings> vendors(GatewaySettings settings) {
    return new Surroundings(settings, Clock.systemUTC()).vendors();
  }

  /** Whether the vendors are to offer no more than their public contracts have. */
  private static boolean isPublic(GatewaySettings given) {
    return given.prediction().beyondContract().isEmpty()
        && given.cryptodata().beyondContract().isEmpty()
        && given.websearch().beyondContract().isEmpty();
  }

  private static Map<String, String> ofDoctor(UUID name) {
    return Map.of(
        "gateway.http.port",
        "0",
        "gateway.database.url",
        "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1",
        "gateway.database.answer-key",
        // A gateway without a key of its own warns of what it cannot read after a start.
        ServeOptions.freshKey(),
        "gateway.web.ports",
        NO_PAGES,
        "gateway.limits.unpaid-per-minute",
        "1000000",
        "gateway.sandbox.allow-live-upstreams-or-public-address-with-worthless-money",
        "true");
  }

  /** Where the gateway is called. */
  public URI baseUrl() {
    return jetty.baseUrl();
  }

  /** The gateway that is called there. */
  public Gateway gateway() {
    return gateway;
  }

  /** What was asked of vendors since this was last looked at, in the order of asking. */
  public List<Asked> take() {
    return vendors.take();
  }

  /** What the vendors' contracts refused of it, a line each; empty where all of it is good. */
  public List<String> refusals() {
    return sandbox.refusals();
  }

  @Override
  public void close() {
    ReferenceGateway.closeAll(parts);
  }

  /**
   * A request as it would have left.
   *
   * @param headers in the order in which they were set; what is secret of them is hidden
   * @param body as text; empty where there is none
   */
  public record Asked(
      String upstream, String method, URI address, Map<String, String> headers, String body) {}
}

package dev.octroi.api;

import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Groups;
import dev.octroi.api.group.SoldModels;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.route.Routes;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.setup.BuiltInGroups;
import dev.octroi.api.setup.ChainAssembly;
import dev.octroi.api.setup.FacilitatorAssembly;
import dev.octroi.api.setup.RelayAssembly;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.chain.RpcConnection.RpcCall;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.JsonRpc;
import dev.octroi.payments.evm.chain.Quantities;
import dev.octroi.payments.evm.relay.RelayerKey;
import dev.octroi.payments.facilitator.HttpFacilitator.FacilitatorReport;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.Probe;
import dev.octroi.services.upstream.UpstreamClient.UpstreamHost;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VendorModels;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a gateway of these settings would find outside itself, looked at without opening one:
 * nothing is bought, signed or written. Thread-safe.
 */
public final class Surroundings {

  private static final Logger LOG = LoggerFactory.getLogger(Surroundings.class);

  private final GatewaySettings settings;
  private final Routes routes;
  private final ConfiguredGroups groups;
  private final Clock clock;

  public Surroundings(GatewaySettings settings, Clock clock) {
    this.settings = settings;
    this.routes = new Routes(settings, clock);
    this.groups = new ConfiguredGroups(new Groups(BuiltInGroups.ALL), settings, clock, routes);
    this.clock = clock;
  }

  /** What forbids the start, one sentence each; nothing else may be asked unless it is empty. */
  public List<String> problems() {
    return GatewayBuilder.problems(
        settings, groups, routes, new PriceBook(groups, settings.prices(), clock));
  }

  /**
   * What is not sold for want of a setting, and what to set, one sentence each by the title of its
   * group.
   */
  public Map<String, List<String>> unsold() {
    Map<String, List<String>> unsold = new LinkedHashMap<>();
    groups
        .all()
        .forEach(
            (group, configured) -> {
              if (!configured.missing().isEmpty()) {
                unsold.put(group.title(), configured.missing());
              }
            });
    return unsold;
  }

  /** How each upstream is called, by the setting of its address. */
  public Map<String, UpstreamSettings> vendors() {
    Map<String, UpstreamSettings> vendors = new LinkedHashMap<>();
    groups.upstreams().forEach(upstream -> vendors.put(upstream.address(), upstream.settings()));
    return vendors;
  }

  /**
   * Asks every upstream for its base address.
   *
   * @param within how long each may take
   */
  public List<UpstreamReport> upstreams(Duration within) throws InterruptedException {
    List<UpstreamReport> reports = new ArrayList<>();
    for (Upstream upstream : groups.upstreams()) {
      if (upstream.isCalled()) {
        try (UpstreamClient client = new UpstreamClient(upstream.settings(), UpstreamHost.PLAIN)) {
          reports.add(report(upstream.setting(), client, within));
        }
      }
    }
    return reports;
  }

  /**
   * Asks the vendors of models which they have.
   *
   * @param within how long each may take
   */
  public List<ModelsReport> models(Duration within) throws InterruptedException {
    List<ModelsReport> reports = new ArrayList<>();
    for (SoldModels sold : groups.models()) {
      try (UpstreamClient client =
          new UpstreamClient(sold.upstream().settings(), UpstreamHost.PLAIN)) {
        reports.add(new ModelsReport(sold, listed(client, sold, within)));
      }
    }
    return reports;
  }

  private static Optional<VendorModels> listed(
      UpstreamClient client, SoldModels sold, Duration within) throws InterruptedException {
    try {
      return Optional.of(VendorModels.ask(client, sold.form(), within));
    } catch (IOException e) {
      LOG.debug("The models of {} cannot be read", client.settings().name(), e);
      return Optional.empty();
    }
  }

  private static UpstreamReport report(String setting, UpstreamClient client, Duration within)
      throws InterruptedException {
    UpstreamSettings settings = client.settings();
    return new UpstreamReport(
        setting, host(settings), hasCredential(settings), probe(client, within));
  }

  private static String host(UpstreamSettings settings) {
    URI base = settings.base();
    return base.getScheme() + "://" + base.getRawAuthority();
  }

  private static boolean hasCredential(UpstreamSettings settings) {
    return settings.credential().headerName().isPresent();
  }

  private static Optional<Probe> probe(UpstreamClient client, Duration within)
      throws InterruptedException {
    try {
      return Optional.of(client.probe(within));
    } catch (IOException e) {
      LOG.debug("{} cannot be reached", client.settings().name(), e);
      return Optional.empty();
    }
  }

  /** What remote facilitators say; nothing where the money is settled otherwise. */
  public List<FacilitatorReport> facilitators() {
    return FacilitatorAssembly.reports(settings, clock);
  }

  /**
   * Asks the EVM chain; empty where the settings name no node of it.
   *
   * @throws ChainUnavailable if no node of that chain answers
   */
  public Optional<ChainReport> chain() {
    return ChainAssembly.of(settings).map(ChainAssembly::rpc).map(this::report);
  }

  private ChainReport report(JsonRpc rpc) {
    List<String> relayers =
        settings.payments().mode() == PaymentSettings.Mode.CHAIN
            ? RelayAssembly.keys(settings.chain()).stream()
                .map(RelayerKey::address)
                .map(Object::toString)
                .toList()
            : List.of();
    List<RpcCall> calls = new ArrayList<>();
    calls.add(RpcCall.of("eth_getBlockByNumber", "latest", false));
    calls.add(RpcCall.of("eth_getCode", settings.payments().asset(), "latest"));
    relayers.forEach(account -> calls.add(RpcCall.of("eth_getBalance", account, "latest")));
    var answers = rpc.read(calls);
    Map<String, BigInteger> balances = new LinkedHashMap<>();
    for (int i = 0; i < relayers.size(); i++) {
      balances.put(relayers.get(i), Quantities.of(answers.get(i + 2)));
    }
    return new ChainReport(
        Instant.ofEpochSecond(Quantities.small(answers.get(0).path("timestamp"))),
        !answers.get(1).asText().equals(ChainFamily.EVM.key(new byte[0])),
        balances);
  }

  /**
   * What the nodes of the EVM chain say.
   *
   * @param latest the time of the latest block
   * @param isToken whether there is a contract at the asset's address
   * @param relayers what the accounts that pay for gas have, in wei, by address; empty where there
   *     are none
   */
  public record ChainReport(Instant latest, boolean isToken, Map<String, BigInteger> relayers) {}

  /**
   * What was found where an upstream should be.
   *
   * @param setting the prefix of the settings that say where it is, such as {@code
   *     gateway.upstream.phone}
   * @param host scheme and host of its address; the rest may hold a key
   * @param hasCredential whether one is set
   * @param answer what it said; empty if it could not be reached
   */
  public record UpstreamReport(
      String setting, String host, boolean hasCredential, Optional<Probe> answer) {}

  /**
   * What a vendor of models says that it has.
   *
   * @param sold what should be there
   * @param answer what it said; empty if nothing was said that can be read
   */
  public record ModelsReport(SoldModels sold, Optional<VendorModels> answer) {

    /** The prefix of the settings that say where the vendor is. */
    public String setting() {
      return sold.upstream().setting();
    }

    /** Scheme and host of its address; the rest may hold a key. */
    public String host() {
      return Surroundings.host(sold.upstream().settings());
    }

    /** Whether one is set. */
    public boolean hasCredential() {
      return Surroundings.hasCredential(sold.upstream().settings());
    }
  }
}

package dev.octroi.reference.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SandboxUpstreams;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxServer;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VenueWords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A vendor that keeps its public contract and gives every request of it the same answer: something
 * for each list that a computation reads.
 */
final class FixedVendor implements AutoCloseable {

  private final Taker taker;
  private final SandboxServer server;
  private final VenueWords words;
  private final UpstreamClient client;

  /**
   * @param vendor whose contract holds
   * @param credential as the vendor wants it
   */
  FixedVendor(SandboxVendor vendor, Credential credential) {
    this.taker = new Taker(vendor);
    this.server = SandboxServer.start(0, List.of(taker), true);
    URI base = server.baseAddress(vendor.mount());
    this.words = sandboxWords();
    this.client =
        new UpstreamClient(
            UpstreamSettings.of(vendor.mount(), base).with(words).with(credential).withRetries(0));
  }

  /** What the sandbox's vendors call the venues. */
  static VenueWords sandboxWords() {
    SettingsSources none = SettingsSources.none();
    URI nowhere = URI.create("http://127.0.0.1:9");
    Map<String, String> sandbox = SandboxUpstreams.at(nowhere, GatewaySettings.read(none));
    return new VenueWords(GatewaySettings.read(none.values("sandbox", sandbox)).venues());
  }

  /** What the vendor calls the venues. */
  VenueWords words() {
    return words;
  }

  UpstreamClient client() {
    return client;
  }

  /** Whether the public contract has a path, written with neutral words of venues. */
  boolean knows(String path) {
    return taker.contract().publicOnly().find("GET", words.in(path)).isPresent();
  }

  /** How many requests came. */
  int requests() {
    return taker.requests.get();
  }

  /** What was wrong with requests. */
  List<String> refusals() {
    return taker.refusals;
  }

  void forget() {
    taker.requests.set(0);
    taker.refusals.clear();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }

  private static final class Taker implements SandboxVendor {

    private final SandboxVendor vendor;
    private final JsonNode anything;
    private final AtomicInteger requests = new AtomicInteger();
    private final List<String> refusals = new CopyOnWriteArrayList<>();

    Taker(SandboxVendor vendor) {
      this.vendor = vendor;
      try {
        this.anything =
            new ObjectMapper()
                .readTree(
                    """
                    {"markets":[{"condition_id":"0x1","ticker":"T","event_slug":"e","liquidity_usd":1}],
                     "events":[],"positions":[],"candlesticks":[],"trades":[],"entries":[],
                     "pairs":[{"POLYMARKET":{"condition_id":"0x1"},"KALSHI":{"market_ticker":"T"}}],
                     "categories":[],"data":[],"pagination":{"total":1,"has_more":false}}
                    """);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    @Override
    public String mount() {
      return vendor.mount();
    }

    @Override
    public Contract contract() {
      return vendor.contract();
    }

    @Override
    public SandboxAnswer answer(SandboxRequest request) {
      requests.incrementAndGet();
      return SandboxAnswer.ok(anything);
    }

    @Override
    public SandboxAnswer failure(int status, String message) {
      return vendor.failure(status, message);
    }

    @Override
    public SandboxAnswer refusal(Violation violation) {
      requests.incrementAndGet();
      refusals.add(violation.sentence());
      return vendor.refusal(violation);
    }
  }
}

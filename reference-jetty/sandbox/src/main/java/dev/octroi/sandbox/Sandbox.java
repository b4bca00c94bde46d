package dev.octroi.sandbox;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SandboxUpstreams;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.sandbox.cryptodata.CryptoDataVendor;
import dev.octroi.sandbox.images.ImageVendor;
import dev.octroi.sandbox.language.LanguageVendor;
import dev.octroi.sandbox.music.MusicVendor;
import dev.octroi.sandbox.phone.PhoneVendor;
import dev.octroi.sandbox.prediction.PredictionVendor;
import dev.octroi.sandbox.vendor.OnFirstRequest;
import dev.octroi.sandbox.vendor.SandboxServer;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.sandbox.voice.VoiceVendor;
import dev.octroi.sandbox.websearch.SearchVendor;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sandbox upstreams beside a gateway that has none of its own. */
public final class Sandbox implements AutoCloseable {

  private final SandboxServer server;
  private final boolean publicOnly;

  private Sandbox(SandboxServer server, boolean publicOnly) {
    this.server = server;
    this.publicOnly = publicOnly;
  }

  /** Starts the upstreams on a free loopback port. */
  public static Sandbox start() {
    return start(0);
  }

  /**
   * Starts the upstreams on a loopback port.
   *
   * @param port 0 for any free one
   * @throws IllegalStateException if the port is taken
   */
  public static Sandbox start(int port) {
    return start(port, false);
  }

  /**
   * Starts the upstreams on a loopback port.
   *
   * @param port 0 for any free one
   * @param publicOnly whether they offer what the vendors' public contracts have and no more; else
   *     also the reads that the gateway's specification names and no vendor documents
   * @throws IllegalStateException if the port is taken
   */
  public static Sandbox start(int port, boolean publicOnly) {
    Clock clock = Clock.systemUTC();
    List<SandboxVendor> vendors = new ArrayList<>(LanguageVendor.all());
    vendors.add(new OnFirstRequest(CryptoDataVendor.MOUNT, () -> new CryptoDataVendor(clock)));
    vendors.add(new OnFirstRequest(PredictionVendor.MOUNT, () -> new PredictionVendor(clock)));
    vendors.add(new OnFirstRequest(SearchVendor.MOUNT, SearchVendor::new));
    vendors.add(new OnFirstRequest(ImageVendor.MOUNT, () -> new ImageVendor(clock)));
    vendors.add(new OnFirstRequest(PhoneVendor.MOUNT, () -> new PhoneVendor(clock)));
    vendors.add(new OnFirstRequest(MusicVendor.MOUNT, MusicVendor::new));
    vendors.add(new OnFirstRequest(VoiceVendor.MOUNT, () -> new VoiceVendor(clock)));
    return new Sandbox(SandboxServer.start(port, vendors, publicOnly), publicOnly);
  }

  /** Where it listens: what {@code gateway.sandbox.url} is set to. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  /** What makes a gateway use it whose catalogue of models is the standard one. */
  public Map<String, String> settings() {
    return settings(GatewaySettings.read(SettingsSources.none()));
  }

  /** What makes a gateway use it; its catalogues name the upstreams of models. */
  public Map<String, String> settings(GatewaySettings given) {
    Map<String, String> settings = new HashMap<>(SandboxUpstreams.at(url(), given));
    if (publicOnly) {
      settings.put("gateway.prediction.beyond-contract", "");
      settings.put("gateway.cryptodata.beyond-contract", "");
      settings.put("gateway.websearch.beyond-contract", "");
    }
    return settings;
  }

  /**
   * The last thousand requests that a vendor's contract refused, the oldest first: mount, kind,
   * operation and what is wrong.
   */
  public List<String> refusals() {
    return server.refusals();
  }

  @Override
  public void close() {
    server.close();
  }
}

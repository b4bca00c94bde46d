package dev.octroi.reference;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings.Mode;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.reference.sandbox.SandboxServer;
import dev.octroi.reference.sandbox.SandboxVendor;
import dev.octroi.reference.sandbox.cryptodata.CryptoDataVendor;
import dev.octroi.reference.sandbox.images.ImageVendor;
import dev.octroi.reference.sandbox.language.LanguageVendor;
import dev.octroi.reference.sandbox.music.MusicVendor;
import dev.octroi.reference.sandbox.phone.PhoneVendor;
import dev.octroi.reference.sandbox.prediction.PredictionVendor;
import dev.octroi.reference.sandbox.voice.VoiceVendor;
import dev.octroi.reference.sandbox.websearch.SearchVendor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/** The sandbox upstreams beside a gateway that has none of its own. */
public final class Sandbox implements AutoCloseable {

  private static final String WIRE = "sandbox.properties";

  private final SandboxServer server;

  private Sandbox(SandboxServer server) {
    this.server = server;
  }

  /** Starts it where sandbox money meets an upstream that is not set. */
  static Optional<Sandbox> ifNeeded(GatewaySettings settings) {
    boolean complete =
        settings.upstream().cryptodata().baseAddress().isPresent()
            && settings.upstream().prediction().baseAddress().isPresent();
    return complete || settings.payments().mode() != Mode.SANDBOX
        ? Optional.empty()
        : Optional.of(start());
  }

  /** Starts the upstreams on a free loopback port. */
  public static Sandbox start() {
    Clock clock = Clock.systemUTC();
    List<SandboxVendor> vendors = new ArrayList<>(LanguageVendor.all());
    vendors.add(new CryptoDataVendor(clock));
    vendors.add(new PredictionVendor(clock));
    vendors.add(new SearchVendor());
    vendors.add(new ImageVendor(clock));
    vendors.add(new PhoneVendor(clock));
    vendors.add(new MusicVendor());
    vendors.add(new VoiceVendor(clock));
    return new Sandbox(SandboxServer.start(0, vendors));
  }

  /** What makes a gateway use it whose catalogue of models is the standard one. */
  public Map<String, String> settings() {
    return settings(GatewaySettings.read(SettingsSources.none()));
  }

  /**
   * What makes a gateway use it: addresses, credentials, and the venues' names on its wire; the
   * catalogue names the upstreams of models.
   */
  public Map<String, String> settings(GatewaySettings given) {
    Map<String, String> settings = new HashMap<>();
    wire().forEach((key, value) -> settings.put((String) key, (String) value));
    for (String vendor : List.of("cryptodata", "prediction", "websearch", "voice")) {
      settings.put(
          "gateway.upstream." + vendor + ".base-address", server.baseAddress(vendor).toString());
    }
    settings.put("gateway.upstream.lookup.base-address", server.baseAddress("phone") + "/v2");
    settings.put(
        "gateway.upstream.phone.base-address", server.baseAddress("phone") + "/2010-04-01");
    settings.put("gateway.music.base-address", server.baseAddress("music") + "/v1");
    settings.put("gateway.music.credential", "sandbox");
    settings.put("gateway.music.format", "wav");
    given
        .language()
        .protocols(Clock.systemUTC())
        .forEach(
            (name, protocol) -> {
              settings.put(
                  "gateway.language.upstreams." + name, server.baseAddress(protocol) + "/v1");
              settings.put("gateway.language.credentials." + name, "sandbox");
            });
    for (String name : given.images().models().upstreams()) {
      settings.put("gateway.images.upstreams." + name, server.baseAddress("images") + "/v1");
      settings.put("gateway.images.credentials." + name, "sandbox");
    }
    return settings;
  }

  private static Properties wire() {
    Properties wire = new Properties();
    try (InputStream in = Objects.requireNonNull(Sandbox.class.getResourceAsStream(WIRE))) {
      wire.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + WIRE + " cannot be read", e);
    }
    return wire;
  }

  @Override
  public void close() {
    server.close();
  }
}

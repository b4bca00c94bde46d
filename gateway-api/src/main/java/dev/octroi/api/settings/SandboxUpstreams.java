package dev.octroi.api.settings;

import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What makes a gateway ask the sandbox of the reference deployment for everything: addresses,
 * credentials, and the venues' names on its wire.
 */
public final class SandboxUpstreams {

  private static final String NAMES = "/dev/octroi/api/sandbox.properties";
  private static final String CREDENTIAL = "sandbox";

  private final Map<String, String> settings = new HashMap<>();
  private final String sandbox;

  private SandboxUpstreams(URI sandbox) {
    this.sandbox = sandbox.toString().replaceAll("/$", "");
  }

  /**
   * The settings, by their full keys.
   *
   * @param sandbox where it listens; its vendors lie below
   * @param given what else is set: the catalogues name the upstreams of models
   * @throws InvalidSettings if a catalogue cannot be used
   */
  public static Map<String, String> at(URI sandbox, GatewaySettings given) {
    SandboxUpstreams upstreams = new SandboxUpstreams(sandbox);
    upstreams.vendors();
    try {
      upstreams.models(given);
    } catch (IllegalArgumentException e) {
      throw new InvalidSettings(List.of(String.valueOf(e.getMessage())));
    }
    return Map.copyOf(upstreams.settings);
  }

  private void vendors() {
    PropertiesFile.resource(SandboxUpstreams.class, NAMES)
        .values()
        .forEach(name -> settings.put(name.name(), name.value()));
    for (String vendor : List.of("cryptodata", "prediction", "websearch", "voice")) {
      settings.put("gateway.upstream." + vendor + ".base-address", mounted(vendor, ""));
    }
    settings.put("gateway.upstream.lookup.base-address", mounted("phone", "/v2"));
    settings.put("gateway.upstream.phone.base-address", mounted("phone", "/2010-04-01"));
    settings.put("gateway.music.base-address", mounted("music", "/v1"));
    settings.put("gateway.music.credential", CREDENTIAL);
    settings.put("gateway.music.format", "wav");
  }

  private void models(GatewaySettings given) {
    given
        .language()
        .protocols(Clock.systemUTC())
        .forEach((name, protocol) -> model("language", name, protocol));
    given.images().models().upstreams().forEach(name -> model("images", name, "images"));
  }

  private void model(String kind, String upstream, String mount) {
    settings.put("gateway." + kind + ".upstreams." + upstream, mounted(mount, "/v1"));
    settings.put("gateway." + kind + ".credentials." + upstream, CREDENTIAL);
  }

  private String mounted(String vendor, String path) {
    return sandbox + "/" + vendor + path;
  }
}

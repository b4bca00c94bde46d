package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.GatewaySettings.UpstreamsSettings;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SandboxUpstreamsTest {

  private static final String URL = "gateway.sandbox.url";

  private static GatewaySettings with(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values));
  }

  @Test
  void oneSettingMakesTheSandboxTheUpstreamOfEveryGroup() {
    GatewaySettings settings = with(Map.of(URL, "http://127.0.0.1:8403/"));
    UpstreamsSettings upstream = settings.upstream();
    assertThat(upstream.cryptodata().baseAddress()).contains(at("/cryptodata"));
    assertThat(upstream.prediction().baseAddress()).contains(at("/prediction"));
    assertThat(upstream.websearch().baseAddress()).contains(at("/websearch"));
    assertThat(upstream.voice().baseAddress()).contains(at("/voice"));
    assertThat(settings.voice().encryptedKey().value()).isNotEmpty();
    assertThat(upstream.lookup().baseAddress()).contains(at("/phone/v2"));
    assertThat(upstream.phone().baseAddress()).contains(at("/phone/2010-04-01"));
    assertThat(settings.music().baseAddress()).contains(at("/music/v1"));
    assertThat(settings.language().upstreams().values()).isNotEmpty().allMatch(this::isSandbox);
    assertThat(settings.images().upstreams().values()).isNotEmpty().allMatch(this::isSandbox);
    assertThat(settings.venues()).containsKeys("venue-a", "exchange-a", "oracle");
  }

  private static URI at(String path) {
    return URI.create("http://127.0.0.1:8403" + path);
  }

  private boolean isSandbox(URI address) {
    return address.getPort() == 8403;
  }

  @Test
  void whatIsSetBesidesItIsStronger() {
    GatewaySettings settings =
        with(
            Map.of(
                URL,
                "http://127.0.0.1:8403",
                "gateway.upstream.voice.base-address",
                "http://127.0.0.1:9"));
    assertThat(settings.upstream().voice().baseAddress())
        .contains(URI.create("http://127.0.0.1:9"));
    assertThat(settings.upstream().phone().baseAddress()).contains(at("/phone/2010-04-01"));
  }

  @Test
  void itIsStrongerThanTheLiveProfile() {
    GatewaySettings settings =
        with(Map.of(URL, "http://127.0.0.1:8403", "gateway.profile", "live"));
    assertThat(settings.upstream().cryptodata().baseAddress()).contains(at("/cryptodata"));
    assertThat(settings.language().upstreams().values()).allMatch(this::isSandbox);
  }

  @Test
  void itIsAnAddressWithoutAPath() {
    assertThatThrownBy(() -> with(Map.of(URL, "http://127.0.0.1:8403/cryptodata")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.sandbox: url is an address without a path");
  }
}

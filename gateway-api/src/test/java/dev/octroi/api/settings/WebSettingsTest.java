package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.GatewaySettings.SearchRates;
import dev.octroi.api.settings.GatewaySettings.SearchSettings;
import dev.octroi.payments.Usd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSettingsTest {

  private static GatewaySettings with(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values));
  }

  private static SearchRates rates(String search, String result, String page) {
    return new SearchRates(Usd.parse(search), Usd.parse(result), Usd.parse(page));
  }

  @Test
  void theDefaults() {
    WebSettings web = with(Map.of()).web();
    assertThat(web.fetch()).isEmpty();
    assertThat(web.ports()).containsExactly(80, 443);
    assertThat(web.deadline()).isEqualTo(Duration.ofSeconds(15));
    assertThat(web.page().bytes()).isEqualTo(2 << 20);
    assertThat(web.redirects()).isEqualTo(5);
    assertThat(web.atOnce()).isEqualTo(32);
    assertThat(with(Map.of()).websearch())
        .isEqualTo(new SearchSettings(false, List.of(), "", "auto/search", rates("0", "0", "0")));
  }

  @Test
  void everySetting() {
    GatewaySettings settings =
        with(
            Map.of(
                "gateway.web.fetch", "own",
                "gateway.web.ports", "8080",
                "gateway.web.deadline", "3s",
                "gateway.web.page", "64KiB",
                "gateway.web.redirects", "0",
                "gateway.web.at-once", "2",
                "gateway.websearch.find-similar", "true",
                "gateway.websearch.beyond-contract", "pdf,github",
                "gateway.websearch.answer-model", "teacher",
                "gateway.websearch.smart-model", "claude-haiku-4.5"));
    GatewaySettings priced =
        with(
            Map.of(
                "gateway.websearch.rates.search", "0.01",
                "gateway.websearch.rates.result", "0.002",
                "gateway.websearch.rates.page", "0"));
    assertThat(priced.websearch().rates()).isEqualTo(rates("0.01", "0.002", "0"));
    assertThat(settings.web())
        .isEqualTo(
            new WebSettings(
                Optional.of(WebSettings.Source.OWN),
                List.of(8080),
                Duration.ofSeconds(3),
                DataSize.parse("64KiB"),
                0,
                2));
    assertThat(settings.websearch())
        .isEqualTo(
            new SearchSettings(
                true,
                List.of("pdf", "github"),
                "teacher",
                "claude-haiku-4.5",
                rates("0", "0", "0")));
  }

  @ParameterizedTest
  @CsvSource({
    "deadline, 1ms",
    "deadline, 1h",
    "page, 10B",
    "page, 1GiB",
    "ports, 0",
    "ports, 65536",
    "redirects, 21",
    "at-once, 0",
    "fetch, nobody"
  })
  void whatDoesNotDoIsTold(String name, String value) {
    assertThatThrownBy(() -> with(Map.of("gateway.web." + name, value)))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.web");
  }

  @Test
  @Tag("spec:decision.web_fetch.own")
  void theGatewayFetchesWhereThereIsNoVendorOrItIsToldTo() {
    assertThat(with(Map.of()).web().isOwn(true)).isFalse();
    assertThat(with(Map.of()).web().isOwn(false)).isTrue();
    assertThat(with(Map.of("gateway.web.fetch", "own")).web().isOwn(true)).isTrue();
    assertThat(with(Map.of("gateway.web.fetch", "upstream")).web().isOwn(false)).isFalse();
  }

  @Test
  void onlySomeOfWhatIsSetMayHold() {
    SettingsSources all =
        SettingsSources.none()
            .values("test", Map.of("gateway.web.redirects", "1", "gateway.http.port", "1"))
            .environment(Map.of("GATEWAY_WEB_AT_ONCE", "3", "GATEWAY_HTTP_GZIP", "false"));
    GatewaySettings some = GatewaySettings.read(all.only(Set.of("web")));
    assertThat(some.web().redirects()).isEqualTo(1);
    assertThat(some.web().atOnce()).isEqualTo(3);
    assertThat(some.http()).isEqualTo(with(Map.of()).http());
  }
}

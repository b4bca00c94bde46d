package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.octroi.api.settings.RouteSettings.Moment;
import dev.octroi.api.settings.RouteSettings.Redirects;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteSettingsTest {

  private static final String WEATHER = "gateway.routes.weather.";

  @TempDir private Path folder;

  private static RouteSettings weather(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values))
        .routes()
        .values()
        .get("weather");
  }

  @Test
  void theDefaultsOfARoute() {
    assertThat(
            weather(Map.of(WEATHER + "path", "/weather", WEATHER + "target", "http://127.0.0.1:9")))
        .isEqualTo(
            new RouteSettings(
                "/weather",
                URI.create("http://127.0.0.1:9"),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                "",
                Optional.empty(),
                Moment.AFTER,
                false,
                false,
                Redirects.REFUSE,
                Duration.ofSeconds(30),
                Duration.ofMinutes(10),
                new DataSize(4 << 20),
                new DataSize(8 << 20),
                List.of("*"),
                List.of("*"),
                Map.of(),
                Duration.ZERO,
                1,
                64,
                50,
                true));
  }

  @Test
  void everySettingOfARoute() {
    assertThat(
            weather(
                Map.ofEntries(
                    entry(WEATHER + "path", "/"),
                    entry(WEATHER + "target", "https://api.example/v2"),
                    entry(WEATHER + "price", "0.01"),
                    entry(WEATHER + "cost", "0.004"),
                    entry(WEATHER + "methods", "GET,PUT"),
                    entry(WEATHER + "rules", "POST /search=0.05, /cheap/*=0.001"),
                    entry(WEATHER + "free", "/health"),
                    entry(WEATHER + "description", "Weather by city"),
                    entry(WEATHER + "openapi", "weather.json"),
                    entry(WEATHER + "settle", "before"),
                    entry(WEATHER + "streaming", "true"),
                    entry(WEATHER + "redirects", "sell"),
                    entry(WEATHER + "deadline", "5s"),
                    entry(WEATHER + "stream-time", "1h"),
                    entry(WEATHER + "body-limit", "1KiB"),
                    entry(WEATHER + "answer-limit", "2KiB"),
                    entry(WEATHER + "request-headers", "accept"),
                    entry(WEATHER + "response-headers", "etag"),
                    entry(WEATHER + "header.Authorization", "Bearer hush"),
                    entry(WEATHER + "cache", "10s"),
                    entry(WEATHER + "retries", "0"),
                    entry(WEATHER + "connections", "8"),
                    entry(WEATHER + "breaker", "100"),
                    entry(WEATHER + "enabled", "false"))))
        .isEqualTo(
            new RouteSettings(
                "/",
                URI.create("https://api.example/v2"),
                Optional.of(Usd.parse("0.01")),
                Optional.of(Usd.parse("0.004")),
                List.of("GET", "PUT"),
                List.of("POST /search=0.05", "/cheap/*=0.001"),
                List.of("/health"),
                "Weather by city",
                Optional.of("weather.json"),
                Moment.BEFORE,
                false,
                true,
                Redirects.SELL,
                Duration.ofSeconds(5),
                Duration.ofHours(1),
                new DataSize(1024),
                new DataSize(2048),
                List.of("accept"),
                List.of("etag"),
                Map.of("Authorization", new Secret("Bearer hush")),
                Duration.ofSeconds(10),
                0,
                8,
                100,
                false));
  }

  @ParameterizedTest
  @CsvSource({"settle,before", "streaming,true"})
  void aMeteredServerIsPaidAfterItsWholeAnswer(String setting, String value) {
    Map<String, String> metered =
        Map.of(
            WEATHER + "path", "/weather",
            WEATHER + "target", "http://127.0.0.1:9",
            WEATHER + "metered", "true");
    assertThat(weather(metered).metered()).isTrue();
    Map<String, String> other = new HashMap<>(metered);
    other.put(WEATHER + setting, value);

    assertThatThrownBy(() -> weather(other))
        .hasMessageContaining("metered needs settle=after and no streaming");
  }

  @Test
  void routesMayStandInTheEnvironment() {
    GatewaySettings settings =
        GatewaySettings.read(
            SettingsSources.none()
                .environment(
                    Map.of(
                        "GATEWAY_ROUTES_WEATHER_PATH", "/weather",
                        "GATEWAY_ROUTES_WEATHER_TARGET", "http://127.0.0.1:9",
                        "GATEWAY_ROUTES_WEATHER_BODY_LIMIT", "1KiB",
                        "GATEWAY_ROUTES_WEATHER_HEADER_X_KEY", "hush",
                        "GATEWAY_ROUTES_MAPS_PATH", "/maps",
                        "GATEWAY_ROUTES_MAPS_TARGET", "http://127.0.0.1:8")));

    assertThat(settings.routes().words()).containsExactly("maps", "weather");
    RouteSettings weather = settings.routes().values().get("weather");
    assertThat(weather.bodyLimit()).isEqualTo(new DataSize(1024));
    assertThat(weather.header()).containsExactly(entry("x-key", new Secret("hush")));
  }

  @Test
  void everyProblemIsToldWithItsPlace() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("octroi.properties"),
            """
            gateway.routes.weather.path = /weather
            gateway.routes.weather.pirce = 0.01
            gateway.routes.weather.retries = 9
            gateway.routes.maps.target = ftp://maps
            gateway.routes.Tides.path = /tides
            gateway.routes.sky.path = /sky
            gateway.routes.sky.target = http://127.0.0.1:9
            gateway.routes.sky.header.X-Key = two\\nlines
            gateway.routes.sea = /sea
            """);

    assertThatThrownBy(() -> GatewaySettings.read(SettingsSources.none().file(file)))
        .hasMessageContaining(
            "gateway.routes.weather.pirce (octroi.properties:2): there is no such setting; did you"
                + " mean gateway.routes.weather.price?")
        .hasMessageContaining("gateway.routes.weather.retries (octroi.properties:3)")
        .hasMessageContaining("gateway.routes.weather.target: it is required")
        .hasMessageContaining("gateway.routes.maps.target (octroi.properties:4)")
        .hasMessageContaining(
            "gateway.routes.Tides (octroi.properties:5): a name is lower-case letters and digits")
        .hasMessageContaining("gateway.routes.sky: header.X-Key is no header")
        .hasMessageContaining("gateway.routes.sea (octroi.properties:9): there is no such setting");
  }

  @ParameterizedTest
  @CsvSource({
    "deadline,50ms", "deadline,3min", "stream-time,2h", "cache,2d", "body-limit,33MiB",
    "answer-limit,1GiB", "connections,0", "breaker,0", "settle,later", "redirects,follow",
    "header.X Key,a", "price,free"
  })
  void valuesThatCannotBeAreRefused(String setting, String value) {
    assertThatThrownBy(
            () ->
                weather(
                    Map.of(
                        WEATHER + "path", "/weather",
                        WEATHER + "target", "http://127.0.0.1:9",
                        WEATHER + setting, value)))
        .isInstanceOf(InvalidSettings.class);
  }

  @Test
  void theirSecretsAreNeverShown() {
    GatewaySettings settings =
        GatewaySettings.read(
            SettingsSources.none()
                .values(
                    "test",
                    Map.of(
                        WEATHER + "path", "/weather",
                        WEATHER + "target", "http://127.0.0.1:9",
                        WEATHER + "header.Authorization", "Bearer hush")));

    assertThat(SettingsInForce.of(settings))
        .containsEntry(WEATHER + "path", "/weather")
        .containsEntry(WEATHER + "header.Authorization", "****");
    assertThat(settings.toString()).doesNotContain("hush");
  }

  @Test
  void whereEachLineStandsIsKnown() {
    GatewaySettings settings =
        GatewaySettings.read(
            SettingsSources.none()
                .values("command line", Map.of(WEATHER + "price", "0.02"))
                .values(
                    "file",
                    Map.of(
                        WEATHER + "path", "/weather",
                        WEATHER + "target", "http://127.0.0.1:9",
                        WEATHER + "price", "0.01")));

    assertThat(settings.routes().lines().get("weather"))
        .extracting(line -> line.name() + "=" + line.value() + " by " + line.place())
        .containsExactlyInAnyOrder(
            WEATHER + "path=/weather by file",
            WEATHER + "target=http://127.0.0.1:9 by file",
            WEATHER + "price=0.02 by command line");
  }
}

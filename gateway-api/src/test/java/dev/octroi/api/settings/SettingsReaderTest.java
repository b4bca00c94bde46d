package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

  @TempDir Path folder;

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("octroi.properties"), List.of(lines));
  }

  private static List<String> problems(SettingsSources sources) {
    InvalidSettings thrown =
        catchThrowableOfType(InvalidSettings.class, () -> GatewaySettings.read(sources));
    assertThat(thrown).isNotNull();
    return thrown.problems();
  }

  @Test
  void theCommandLineBeatsThePropertyBeatsTheEnvironmentBeatsTheFile() throws IOException {
    Properties properties = new Properties();
    properties.setProperty("gateway.database.user", "property");
    properties.setProperty("gateway.http.port", "2");
    properties.setProperty("user.home", "not ours");
    Path file =
        file(
            "gateway.database.user=file",
            "gateway.http.port=4",
            "gateway.database.pool-size=4",
            "gateway.http.bind-address=::4");
    GatewaySettings settings =
        GatewaySettings.read(
            SettingsSources.none()
                .values("command line", Map.of("gateway.http.port", "1"))
                .systemProperties(properties)
                .environment(
                    Map.of(
                        "GATEWAY_DATABASE_USER", "environment",
                        "GATEWAY_DATABASE_POOL_SIZE", "3",
                        "HOME", "not ours"))
                .file(file));
    assertThat(settings.http().port()).isEqualTo(1);
    assertThat(settings.database().user()).isEqualTo("property");
    assertThat(settings.database().poolSize()).isEqualTo(3);
    assertThat(settings.http().bindAddress()).isEqualTo("::4");
  }

  @Test
  void everyProblemIsReportedAtOnceWithItsPlace() throws IOException {
    Path file =
        file(
            "# a comment",
            "gateway.http.port=80000",
            "gateway.databse.url=jdbc:h2:mem:x",
            "gateway.database.user=a",
            "gateway.database.user=b",
            "gateway.cache.size = \\",
            "  much");
    SettingsSources sources =
        SettingsSources.none()
            .values("command line", Map.of("gateway.payments.pay-to", "0x12"))
            .environment(Map.of("GATEWAY_HTTP_SHUTDOWN_GRACE", "soon", "GATEWAY_CORS_ORIGIN", "*"))
            .file(file);
    assertThat(problems(sources))
        .containsExactlyInAnyOrder(
            "gateway.database.user is set twice: octroi.properties:4 and octroi.properties:5",
            "GATEWAY_CORS_ORIGIN (environment): there is no such setting; did you mean"
                + " GATEWAY_CORS_ORIGINS?",
            "gateway.databse.url (octroi.properties:3): there is no such setting; did you mean"
                + " gateway.database.url?",
            "gateway.http.port (octroi.properties:2): must be less than or equal to 65535",
            "gateway.http.shutdown-grace (environment variable GATEWAY_HTTP_SHUTDOWN_GRACE): 'soon'"
                + " does not do: a duration is a number and ms, s, min, h or d, such as 20s",
            "gateway.payments.pay-to (command line): it is an address of 0x and 40 hex digits",
            "gateway.cache.size (octroi.properties:6): 'much' does not do: a size is a number and"
                + " B, KiB, MiB or GiB, such as 4MiB");
  }

  @Test
  void aFileThatIsNotThereIsAProblem() {
    assertThat(problems(SettingsSources.none().file(folder.resolve("absent"))))
        .singleElement()
        .asString()
        .contains("absent does not exist");
  }

  @Test
  void aFileThatIsNoPathIsAProblemOfTheSettingThatNamesIt() {
    Properties properties = new Properties();
    properties.setProperty("gateway.config", "a\0b");
    Map<String, String> environment = Map.of("GATEWAY_CONFIG", "a\0b");

    String problem =
        "gateway.config (%s): 'a\0b' does not do: it is a path that this machine's files can have";
    assertThat(problems(SettingsSources.ofProcess(properties, Map.of())))
        .containsExactly(problem.formatted("system property"));
    assertThat(problems(SettingsSources.ofProcess(new Properties(), environment)))
        .containsExactly(problem.formatted("environment variable GATEWAY_CONFIG"));
  }

  @Test
  void mapEntriesComeFromTheEnvironmentToo() {
    GatewaySettings settings =
        GatewaySettings.read(
            SettingsSources.none()
                .environment(
                    Map.of(
                        "GATEWAY_VENUES_VENUE_A", "somewhere",
                        "GATEWAY_LIMITS_REQUESTS_PER_MINUTE_PREDICTION", "7")));
    assertThat(settings.venues()).isEqualTo(Map.of("venue-a", "somewhere"));
    assertThat(settings.limits().requestsPerMinute()).containsValue(7);
  }

  @Test
  void variablesThatAnOrchestratorInjectsForAServiceCalledGatewayAreNoSettings() {
    Map<String, String> injected =
        Map.of(
            "GATEWAY_SERVICE_HOST", "10.0.0.1",
            "GATEWAY_SERVICE_PORT_HTTP", "80",
            "GATEWAY_PORT", "tcp://10.0.0.1:80",
            "GATEWAY_PORT_80_TCP_ADDR", "10.0.0.1");
    assertThat(GatewaySettings.read(SettingsSources.none().environment(injected)))
        .isEqualTo(GatewaySettings.read(SettingsSources.none()));
  }

  @Test
  void aSecretShowsNeitherInTheSettingsNorInAProblem() {
    GatewaySettings settings =
        GatewaySettings.read(
            SettingsSources.none()
                .values(
                    "test",
                    Map.of(
                        "gateway.database.password", "hush-1",
                        "gateway.upstream.cryptodata.credential", "hush-2")));
    assertThat(settings.database().password().value()).isEqualTo("hush-1");
    assertThat(settings.toString()).contains("****").doesNotContain("hush");
  }

  @Test
  void noTwoSettingsShareAnEnvironmentVariable() {
    assertThat(SettingKey.of("gateway", GatewaySettings.class))
        .extracting(key -> Words.environment(key.name()))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({
    "gateway.venues.venue-g, x, venues.venue-g is no venue word",
    "gateway.venues.venue-a, a/b, is not a plain path word",
    "gateway.venues.venue-a, venue-b, takes another venue's word",
    "gateway.aliases.health, prediction, is a path of the gateway's own",
    "gateway.limits.requests-per-minute.phone, 0, requests-per-minute.phone is 1 to",
    "gateway.upstream.prediction.base-address, file:///etc, an address is absolute",
    "gateway.upstream.prediction.base-address, https://u:p@host/, an address is absolute",
    "gateway.prediction.millisecond-venues, venue-x, venue-x is no venue word",
    "gateway.database.answer-key, c2hvcnQ=, answer-key is 32 bytes in base64",
    "gateway.database.answer-key, ###, answer-key is 32 bytes in base64",
    "gateway.http.gzip, yes, it is true or false",
    "gateway.database.pool-size, many, it is a whole number",
    "gateway.prices.file, a\u0000b, it is a path",
    "gateway.payments.max-timeout, 1s, max-timeout is 30s to 1h",
    "gateway.sandbox.starting-balance, 1e3, plain decimal dollars"
  })
  void aBadValueIsRefusedWithWhatAGoodOneIs(String key, String value, String problem) {
    assertThat(problems(SettingsSources.none().values("test", Map.of(key, value))))
        .anySatisfy(found -> assertThat(found).contains(problem));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT20S", "20s", "20 s", "20000ms"})
  void durationsAreReadInSeveralForms(String text) {
    assertThat(SettingText.read(Duration.class, text)).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void theExceptionListsTheProblems() {
    assertThatThrownBy(
            () ->
                GatewaySettings.read(
                    SettingsSources.none().values("test", Map.of("gateway.nonsense", "1"))))
        .hasMessage(
            "1 problem in the settings:\n"
                + "  - gateway.nonsense (test): there is no such setting");
  }
}

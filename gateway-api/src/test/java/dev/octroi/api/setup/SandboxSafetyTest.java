package dev.octroi.api.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.H2Database;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Groups;
import dev.octroi.api.group.LiveGroups;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxSafetyTest {

  private static GatewaySettings settings(Map<String, String> values) {
    Map<String, String> all = new HashMap<>();
    all.put("gateway.upstream.cryptodata.base-address", "http://127.0.0.1:9001");
    all.put("gateway.upstream.prediction.base-address", "http://[::1]:9002");
    all.putAll(values);
    return GatewaySettings.read(SettingsSources.none().values("test", all));
  }

  private static List<String> problems(GatewaySettings settings) {
    return SandboxSafety.problems(
        settings,
        new ConfiguredGroups(
                new Groups(BuiltInGroups.ALL), settings, Clock.systemUTC(), LiveGroups.NONE)
            .upstreams());
  }

  @ParameterizedTest
  @CsvSource({
    "gateway.upstream.cryptodata.base-address, https://vendor.example/v1",
    "gateway.upstream.prediction.base-address, http://127.0.0.1.example/",
    "gateway.upstream.prediction.base-address, http://10.0.0.1/",
    "gateway.upstream.lookup.base-address, https://vendor.example/v2",
    "gateway.upstream.phone.base-address, https://vendor.example/v2",
    "gateway.upstream.prediction.base-address, http://localhost.example/",
    "gateway.http.bind-address, 0.0.0.0",
    "gateway.http.bind-address, ::",
    "gateway.http.bind-address, 192.168.1.4",
    "gateway.http.public-url, https://pay.example"
  })
  @Tag("spec:payment.sandbox.refusal")
  void withWorthlessMoneyTheGatewayDoesNotStartWhereItCouldCostSomebodyMoney(
      String key, String value) {
    try (var database = H2Database.empty()) {
      GatewayBuilder builder =
          Gateway.builder().settings(settings(Map.of(key, value))).database(database);
      assertThatThrownBy(builder::build)
          .isInstanceOf(InvalidSettings.class)
          .hasMessageContaining(key + " is ")
          .hasMessageContaining("set it to")
          .hasMessageContaining(
              (key.contains(".http.") ? SandboxSafety.PUBLIC : SandboxSafety.DANGER) + "=true");
    }
  }

  @Test
  void everyDangerIsNamedAtOnce() {
    assertThat(
            problems(
                settings(
                    Map.of(
                        "gateway.profile", "live",
                        "gateway.upstream.cryptodata.base-address", "https://a.example",
                        "gateway.upstream.prediction.base-address", "https://b.example",
                        "gateway.http.bind-address", "0.0.0.0"))))
        .anyMatch(problem -> problem.startsWith("gateway.upstream.cryptodata.base-address"))
        .anyMatch(problem -> problem.startsWith("gateway.upstream.prediction.base-address"))
        .anyMatch(problem -> problem.startsWith("gateway.upstream.websearch.base-address"))
        .anyMatch(problem -> problem.startsWith("gateway.language.upstreams.messages"))
        .anyMatch(problem -> problem.startsWith("gateway.http.bind-address"));
  }

  @Test
  @Tag("spec:payment.sandbox.refusal")
  void theSettingThatIsNamedForTheDangerAllowsIt() {
    assertThat(
            problems(
                settings(
                    Map.of(
                        SandboxSafety.DANGER,
                        "true",
                        "gateway.http.bind-address",
                        "0.0.0.0",
                        "gateway.upstream.cryptodata.base-address",
                        "https://a.example"))))
        .isEmpty();
  }

  @Test
  void oneShortSettingServesTheSandboxToOtherMachinesAndNoRealUpstream() {
    Map<String, String> container =
        Map.of(
            "gateway.sandbox.public-address", "true",
            "gateway.http.bind-address", "0.0.0.0",
            "gateway.http.public-url", "https://try.example");
    assertThat(problems(settings(container))).isEmpty();

    Map<String, String> real = new HashMap<>(container);
    real.put("gateway.upstream.cryptodata.base-address", "https://a.example");
    assertThat(problems(settings(real)))
        .singleElement()
        .asString()
        .contains("gateway.upstream.cryptodata.base-address is", SandboxSafety.DANGER + "=true");
  }

  @Test
  void upstreamsThatAreNotSetAreNamedTogether() {
    try (var database = H2Database.empty()) {
      GatewayBuilder builder =
          Gateway.builder()
              .settings(GatewaySettings.read(SettingsSources.none()))
              .database(database);
      assertThatThrownBy(builder::build)
          .hasMessageContaining("gateway.upstream.cryptodata.base-address is not set")
          .hasMessageContaining("gateway.upstream.prediction.base-address is not set");
    }
  }

  @Test
  void anAddressWhoseChecksumIsWrongIsNamed() {
    try (var database = H2Database.empty()) {
      GatewayBuilder builder =
          Gateway.builder()
              .settings(
                  settings(
                      Map.of(
                          "gateway.payments.pay-to", "0x833589fcD6eDb6E08f4c7C32D4f71b54bdA02913")))
              .database(database);
      assertThatThrownBy(builder::build)
          .isInstanceOf(InvalidSettings.class)
          .hasMessageContaining("gateway.payments.pay-to is 0x833589fcD6");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"remote", "chain"})
  void realMoneyIsNotPaidToNobody(String mode) {
    try (var database = H2Database.empty()) {
      assertThatThrownBy(
              () ->
                  Gateway.builder()
                      .settings(settings(Map.of("gateway.payments.mode", mode)))
                      .database(database)
                      .build())
          .isInstanceOf(InvalidSettings.class)
          .hasMessageContaining("gateway.payments.pay-to is the example, which has no owner");
    }
  }

  @Test
  void aRemoteFacilitatorIsNotAskedWithoutWhatItTakes() {
    assertThat(
            FacilitatorAssembly.problems(
                settings(
                    Map.of(
                        "gateway.payments.mode", "remote",
                        "gateway.payments.pay-to", "0x1111111111111111111111111111111111111111",
                        "gateway.facilitator.auth", "jwt"))))
        .containsExactly(
            "gateway.facilitator.urls is not set, and gateway.payments.mode is remote",
            "gateway.facilitator.key and key-id are not both set, and gateway.facilitator.auth is"
                + " jwt");
  }
}

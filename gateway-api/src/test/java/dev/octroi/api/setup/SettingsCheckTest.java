package dev.octroi.api.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsCheckTest {

  @Test
  void aRouteHasAWordOfItsOwn() {
    GatewayBuilder builder =
        Gateway.builder()
            .settings(
                GatewaySettings.read(
                    SettingsSources.none()
                        .values(
                            "test",
                            Map.of(
                                "gateway.routes.music.path", "/music",
                                "gateway.routes.music.target", "http://127.0.0.1:9",
                                "gateway.routes.music.price", "0.01"))));
    assertThatThrownBy(builder::checked)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.routes.music: there is a group music");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gateway.http.trusted-proxies", "gateway.metrics.readers"})
  void aListOfAddressesHasAddresses(String setting) {
    for (String bad : List.of("[", "proxy.example", "10.0.0.0/x", "10.0.0.0/33", "10.0.0.0/")) {
      GatewayBuilder builder =
          Gateway.builder()
              .settings(
                  GatewaySettings.read(
                      SettingsSources.none().values("test", Map.of(setting, bad))));
      assertThatThrownBy(builder::checked)
          .isInstanceOf(InvalidSettings.class)
          .hasMessageContaining(setting + ": " + bad);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "eip155:84532, asset=0x036CbD53842c5426634e7929541eC2318f3dCF7e asset-name=USDC and",
    "eip155:137, asset asset-name and asset-version of a token there"
  })
  void anotherNetworkNeedsItsOwnToken(String network, String advice) {
    GatewayBuilder builder =
        Gateway.builder()
            .settings(
                GatewaySettings.read(
                    SettingsSources.none()
                        .values(
                            "test",
                            Map.of(
                                "gateway.payments.mode", "remote",
                                "gateway.facilitator.urls", "http://127.0.0.1:9",
                                "gateway.payments.pay-to",
                                    "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
                                "gateway.payments.network", network))));
    assertThatThrownBy(builder::checked)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("token of another network than gateway.payments.network, " + network)
        .satisfies(
            wrong -> assertThat(wrong.getMessage().replace(",", "")).contains("set " + advice));
  }

  @ParameterizedTest
  @CsvSource({
    "gateway.aliases.markets, stocks, stocks is no group",
    "gateway.aliases.phone, voice, gateway.aliases.phone is a path of the gateway's own",
    "gateway.limits.requests-per-minute.stocks, 1, it is one of cryptodata",
    "gateway.payments.price-in-body, 'prediction,stocks', stocks is no group",
    "gateway.limits.requests-per-minute.predicton, 1, Did you mean prediction?"
  })
  void aSettingNamesNoGroupThatTheGatewayHasNot(String key, String value, String problem) {
    GatewayBuilder builder =
        Gateway.builder()
            .settings(
                GatewaySettings.read(
                    SettingsSources.none()
                        .values(
                            "test",
                            Map.of(
                                "gateway.upstream.prediction.base-address",
                                "http://127.0.0.1:9",
                                key,
                                value))));
    assertThatThrownBy(builder::checked)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(problem);
  }
}

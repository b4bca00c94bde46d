package dev.octroi.api.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.octroi.api.Gateway;
import dev.octroi.api.GatewayBuilder;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.PaymentOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenOptionsTest {

  private static final String TOKENS = "gateway.payments.tokens.";
  private static final String RPC = "gateway.chain.rpc-url";
  private static final String MODE = "gateway.payments.mode";
  private static final String PLAIN = "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb";
  private static final String OTHER = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";

  private static GatewaySettings with(Map<String, String> values) {
    return GatewaySettings.read(SettingsSources.none().values("test", values));
  }

  @Test
  void withoutSettingsThereIsOneTokenAndNothingIsAnnounced() {
    GatewaySettings usual = with(Map.of());

    assertThat(exact(usual)).hasSize(1);
    assertThat(exact(usual).get(0).extra()).isEqualTo(Map.of("name", "USD Coin", "version", "2"));
    assertThat(FacilitatorAssembly.announced(usual.payments())).isSameAs(Extensions.NONE);
  }

  @Test
  void eachTokenIsOfferedByItsOwnMethod() {
    GatewaySettings settings =
        with(
            Map.of(
                TOKENS + "plain.asset", PLAIN,
                TOKENS + "plain.decimals", "18",
                TOKENS + "signing.asset", OTHER,
                TOKENS + "signing.transfer-method", "eip3009",
                TOKENS + "signing.name", "USDC",
                TOKENS + "signing.version", "2"));

    List<PaymentOption> options = exact(settings);

    assertThat(options).hasSize(3);
    assertThat(options.get(1).asset()).isEqualTo(PLAIN);
    assertThat(options.get(1).decimals()).isEqualTo(18);
    assertThat(options.get(1).extra()).isEqualTo(Map.of("assetTransferMethod", "permit2"));
    assertThat(options.get(2).decimals()).isEqualTo(6);
    assertThat(options.get(2).extra()).isEqualTo(Map.of("name", "USDC", "version", "2"));
    assertThat(FacilitatorAssembly.announced(settings.payments())).isSameAs(Extensions.NONE);
  }

  private static List<PaymentOption> exact(GatewaySettings settings) {
    return FacilitatorAssembly.options(settings).stream()
        .filter(option -> !option.isUpto())
        .toList();
  }

  @Test
  void channelsAreOfferedWhereASettingSaysSoAndAChainCanBeRead() {
    String offered = "gateway.payments.channels.offered";

    assertThat(FacilitatorAssembly.options(with(Map.of())))
        .extracting(PaymentOption::scheme)
        .doesNotContain("batch-settlement");
    assertThat(FacilitatorAssembly.options(with(Map.of(offered, "true"))))
        .filteredOn(option -> option.scheme().equals("batch-settlement"))
        .extracting(PaymentOption::extra)
        .containsExactly(
            Map.of("name", "USD Coin", "version", "2", PaymentOption.WITHDRAW_DELAY, 86_400));
    assertThat(FacilitatorAssembly.problems(with(Map.of(offered, "true", MODE, "remote"))))
        .anyMatch(problem -> problem.startsWith(offered) && problem.endsWith(RPC));
    assertThat(
            FacilitatorAssembly.problems(
                with(Map.of(offered, "true", MODE, "remote", RPC, "http://127.0.0.1:1"))))
        .noneMatch(problem -> problem.startsWith(offered));
    assertThat(FacilitatorAssembly.problems(with(Map.of(offered, "true", MODE, "chain"))))
        .noneMatch(problem -> problem.startsWith(offered));
  }

  @Test
  void channelsOfATokenAreOfferedWhereItSaysSo() {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "gateway.payments.channels.offered",
                "true",
                TOKENS + "plain.asset",
                PLAIN,
                TOKENS + "plain.channels",
                "true",
                TOKENS + "signing.asset",
                OTHER));

    assertThat(FacilitatorAssembly.options(with(values)))
        .filteredOn(PaymentOption::isChannel)
        .extracting(PaymentOption::asset, option -> option.extra().get("assetTransferMethod"))
        .containsExactly(tuple(usual(), null), tuple(PLAIN, "permit2"));
    values.put("gateway.payments.channels.offered", "false");
    assertThat(FacilitatorAssembly.options(with(values))).noneMatch(PaymentOption::isChannel);
    values.put(TOKENS + "plain.decimals", "18");
    assertThatThrownBy(() -> with(values))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("with channels=true a token has six decimals");
  }

  private static String usual() {
    return FacilitatorAssembly.options(with(Map.of())).get(0).asset();
  }

  @Test
  void aCeilingIsOfferedInEachTokenByPermit2UnlessItIsNotWanted() {
    Map<String, String> values = new HashMap<>(Map.of(TOKENS + "plain.asset", PLAIN));

    List<PaymentOption> options = FacilitatorAssembly.options(with(values));

    assertThat(options)
        .extracting(PaymentOption::scheme)
        .containsExactly("exact", "exact", "upto", "upto");
    assertThat(options.get(2).extra())
        .isEqualTo(Map.of("assetTransferMethod", "permit2", "name", "USD Coin", "version", "2"));
    assertThat(options.get(3).asset()).isEqualTo(PLAIN);
    values.put("gateway.payments.upto.offered", "false");
    assertThat(FacilitatorAssembly.options(with(values))).noneMatch(PaymentOption::isUpto);
  }

  @Test
  void permitsOfATokenAreAnnouncedWhereTheGatewayPaysTheGas() {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                TOKENS + "plain.asset", PLAIN,
                TOKENS + "plain.name", "Plain",
                TOKENS + "plain.version", "1"));
    assertThat(FacilitatorAssembly.announced(with(values).payments())).isSameAs(Extensions.NONE);
    values.put("gateway.payments.mode", "chain");

    assertThat(FacilitatorAssembly.announced(with(values).payments()).isEmpty()).isFalse();
    assertThat(FacilitatorAssembly.options(with(values)).get(1).extra())
        .isEqualTo(Map.of("assetTransferMethod", "permit2", "name", "Plain", "version", "1"));
  }

  @ParameterizedTest
  @CsvSource({
    "decimals,5",
    "decimals,37",
    "transfer-method,eip3009",
    "transfer-method,approve",
    "name,Plain",
    "asset,0x01"
  })
  void aTokenThatCannotBePaidInIsRefusedAtTheStart(String key, String value) {
    Map<String, String> values = new HashMap<>(Map.of(TOKENS + "plain.asset", PLAIN));
    values.put(TOKENS + "plain." + key, value);

    assertThatThrownBy(() -> with(values))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("plain");
  }

  @ParameterizedTest
  @CsvSource({
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913,is the token of gateway.payments.asset too",
    "0x50C5725949A6F0c72E6C4a641F24049A917DB0Cb,checksum"
  })
  void noTokenIsNamedTwiceOrMistyped(String asset, String problem) {
    GatewayBuilder builder =
        Gateway.builder()
            .settings(
                with(
                    Map.of(
                        "gateway.upstream.prediction.base-address",
                        "http://127.0.0.1:9",
                        TOKENS + "plain.asset",
                        asset)));

    assertThatThrownBy(builder::checked)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(problem);
  }
}

package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.Surroundings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.api.settings.SettingsInForce;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of going live has every vendor of the live profile, and what it needs. */
class GoingLiveTest {

  private static final Map<String, String> LIVE =
      SettingsInForce.of(
          GatewaySettings.read(
              SettingsSources.none().values("test", Map.of("gateway.profile", "live"))));

  private final List<String> lines;

  GoingLiveTest() throws IOException {
    lines = Page.named(Sources.ofTheProject(), "reference-jetty/docs/going-live.md").lines();
  }

  private String row(String address, String credential) {
    return lines.stream()
        .filter(line -> line.contains("`" + address + "`") && line.contains("`" + credential + "`"))
        .findFirst()
        .orElse("");
  }

  @Test
  void everyVendorOfTheLiveProfileHasItsRowWithItsAddressAndItsCredential() {
    Map<String, String> vendors = addresses();
    assertThat(vendors).hasSizeGreaterThan(12);
    assertThat(vendors)
        .allSatisfy((credential, at) -> assertThat(row(at, credential)).isNotEmpty());
  }

  /** The addresses of the profile by the setting of what the vendor gives. */
  private static Map<String, String> addresses() {
    return LIVE.entrySet().stream()
        .filter(one -> one.getKey().matches("gateway\\..*(base-address|upstreams\\..*)"))
        .filter(one -> one.getValue().startsWith("https:"))
        .collect(
            Collectors.toMap(
                one ->
                    one.getKey()
                        .replace(".base-address", ".credential")
                        .replace(".upstreams.", ".credentials."),
                Entry::getValue));
  }

  /** What else makes a group sell, or not sell. */
  @Test
  void everySettingThatOpensAGroupOrPricesAVendorsBillIsThere() {
    assertThat(LIVE.keySet())
        .filteredOn(
            name ->
                name.matches(
                    "gateway\\.(.*\\.beyond-contract|websearch\\.rates\\..*|websearch\\.find-similar"
                        + "|phone\\.sms|voice\\.(encrypted-key|webhook-secret)|language\\.betas)"))
        .hasSizeGreaterThan(8)
        .allSatisfy(
            name ->
                assertThat(lines).anySatisfy(line -> assertThat(line).contains("`" + name + "`")));
  }

  @Test
  void theWholeWayIsTenStepsInTheirOrder() throws IOException {
    assertThat(steps().lines().stream().filter(line -> line.startsWith("## ")))
        .hasSize(10)
        .map(line -> line.replaceFirst("## (\\d+)\\. .*", "$1"))
        .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
  }

  /** A gateway starts with what stands there for the test network. */
  @Test
  void whatItSaysOfSettingsIsGood() throws IOException {
    List<Page.Block> blocks = steps().blocks("properties");
    assertThat(blocks).hasSize(3);
    for (Page.Block block : blocks) {
      assertThat(read(block)).as(block.place()).isNotNull();
    }
    GatewaySettings testnet = read(blocks.get(0));
    assertThat(new Surroundings(testnet, Clock.systemUTC()).problems()).isEmpty();
    assertThat(testnet.payments().network()).isEqualTo("eip155:84532");
    // What is said of the main network is what settings default to.
    GatewaySettings mainnet = read(blocks.get(2));
    PaymentSettings usual = GatewaySettings.read(SettingsSources.none()).payments();
    assertThat(mainnet.payments().network()).isEqualTo(usual.network());
    assertThat(mainnet.payments().asset()).isEqualTo(usual.asset());
    assertThat(mainnet.payments().assetName()).isEqualTo(usual.assetName());
  }

  private static Page steps() throws IOException {
    return Page.named(Sources.ofTheProject(), "gateway-api/docs/going-live.md");
  }

  private static GatewaySettings read(Page.Block block) {
    Map<String, String> values =
        block.lines().stream()
            .map(line -> line.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    return GatewaySettings.read(SettingsSources.none().values(block.place(), values));
  }

  @Test
  void itSaysThatNoVendorWasCalled() {
    assertThat(lines).anySatisfy(line -> assertThat(line).contains("No vendor was called"));
  }
}

package dev.octroi.reference.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsInForce;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.reference.architecture.Sources;
import java.io.IOException;
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
  void itSaysThatNoVendorWasCalled() {
    assertThat(lines).anySatisfy(line -> assertThat(line).contains("No vendor was called"));
  }
}

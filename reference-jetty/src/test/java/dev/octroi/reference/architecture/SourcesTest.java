package dev.octroi.reference.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {

  private static final String LIVE_PROFILE =
      "gateway-api/src/main/resources/dev/octroi/api/live.properties";
  private static final String SANDBOX_WIRE =
      "(reference-jetty/sandbox/src/main/(java|resources)/dev/octroi"
          + "|gateway-api/src/main/resources/dev/octroi/api)/sandbox[./].*";

  /** The schemas of bodies and answers that pass through have the vendors' own members. */
  private static final String PASSED_THROUGH =
      "gateway-api/testkit/src/main/resources/.*[.]json"
          + "|gateway-api/src/main/resources/dev/octroi/api/openapi/answers[.]json";

  private final Sources ours = Sources.ofTheProject();

  @Test
  void everyPackageSaysWhyItExists() {
    assertThat(ours.packagesWithoutReason()).isEmpty();
    assertThat(ours.files("src/main/java")).hasSizeGreaterThan(100);
  }

  /** Their own packages, the client's wallets, version 1's names, and what settings default to. */
  @Test
  void chainsAreKnownInTheirOwnPackages() {
    assertThat(ours.namingChains())
        .filteredOn(file -> file.matches("gateway-(payments|api)/src/.*"))
        .allMatch(
            file ->
                file.matches(".*/payments/(chain|evm|solana|client)/.*")
                    || file.endsWith("/FormerNetwork.java")
                    || file.matches(".*/api/settings/.*"));
  }

  @Test
  void statesStandInSqlByName() {
    assertThat(ours.numberingStates()).isEmpty();
  }

  @Test
  void vendorsAreNamedOnlyInTheLiveProfileAndTheSandbox() {
    assertThat(ours.namingVendors())
        .contains(LIVE_PROFILE)
        .allMatch(
            file ->
                file.equals(LIVE_PROFILE)
                    || file.matches(SANDBOX_WIRE)
                    || file.matches(PASSED_THROUGH));
  }

  @Test
  void aLibrarysJarRegistersNothing() {
    assertThat(ours.registrationsInLibraries()).isEmpty();
  }

  @Test
  void aBrokenFolderIsNoticed(@TempDir Path folder) throws IOException {
    Path code = Files.createDirectories(folder.resolve("gateway-services/src/main/java/some"));
    Path services =
        Files.createDirectories(folder.resolve("gateway-api/src/main/resources/META-INF/services"));
    Files.writeString(code.resolve("Named.java"), "// what Kalshi says, and nobody else");
    Files.writeString(code.resolve("Clean.java"), "// a surface, an example, :predexon_id");
    Files.writeString(code.resolve("Rows.java"), "\"SELECT 1 FROM payment WHERE state " + "= 3\"");
    Files.writeString(services.resolve("jakarta.ws.rs.ext.Providers"), "some.Provider");

    Sources broken = new Sources(folder);

    assertThat(broken.packagesWithoutReason())
        .containsExactly("gateway-services/src/main/java/some");
    assertThat(broken.namingVendors())
        .containsExactly("gateway-services/src/main/java/some/Named.java");
    assertThat(broken.numberingStates())
        .containsExactly("gateway-services/src/main/java/some/Rows.java");
    assertThat(broken.registrationsInLibraries()).hasSize(1);
  }
}

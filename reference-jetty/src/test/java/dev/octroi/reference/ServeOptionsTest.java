package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.reference.doctor.Doctor;
import dev.octroi.reference.doctor.Doctor.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeOptionsTest {

  /** No start validates it, so an operator's setting of the same must be sound. */
  @Test
  void whatIsGeneratedObeysItsConstraints(@TempDir Path data) {
    GatewaySettings defaults = GatewaySettings.read(SettingsSources.none());
    Map<String, String> generated = ServeOptions.demo(data).generated(defaults);
    SettingsSources operators = SettingsSources.none().values("operator", generated);
    assertThatCode(() -> GatewaySettings.read(operators)).doesNotThrowAnyException();
  }

  @Test
  void theDoctorSaysOnceThatNothingElseWasLookedAt(@TempDir Path data) throws Exception {
    SettingsSources wrong =
        SettingsSources.none().values("test", Map.of("gateway.payments.mode", "chain"));

    List<Finding> findings =
        Doctor.examine(new ServeOptions(new DataDirectory(data), wrong), false, Clock.systemUTC());

    assertThat(findings).hasSizeGreaterThan(2);
    assertThat(findings)
        .filteredOn(finding -> finding.advice().contains("nothing else was looked at"))
        .containsExactly(findings.get(findings.size() - 1));
  }

  @Test
  void whereAllSecretsAreGivenNoneIsGeneratedAndNoFolderIsMade(@TempDir Path folder) {
    String key = "A".repeat(43) + "=";
    Map<String, String> given =
        Map.of(
            "gateway.database.url",
            "jdbc:postgresql://db/octroi",
            "gateway.database.answer-key",
            key,
            "gateway.keys.master-key",
            key,
            "gateway.admin.token",
            "a-token-of-enough-characters");
    Path data = folder.resolve("data");

    assertThat(
            ServeOptions.demo(data)
                .generated(GatewaySettings.read(SettingsSources.none().values("operator", given))))
        .containsOnlyKeys("gateway.http.threads");
    assertThat(data).doesNotExist();
  }

  @Test
  void aSecretFileThatWasLeftEmptyIsToldAndNotTakenForASecret(@TempDir Path data)
      throws IOException {
    Files.createFile(data.resolve("master.key"));
    assertThatThrownBy(() -> new DataDirectory(data).secret("master.key", () -> "fresh"))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("empty");
  }

  @Test
  void aSecretIsMadeOnceAndNothingIsLeftBesideIt(@TempDir Path data) throws IOException {
    DataDirectory folder = new DataDirectory(data);
    assertThat(folder.secret("a", () -> "one")).isEqualTo("one");
    assertThat(folder.secret("a", () -> "two")).isEqualTo("one");
    try (Stream<Path> files = Files.list(data)) {
      assertThat(files).extracting(file -> file.getFileName().toString()).containsExactly("a");
    }
  }
}

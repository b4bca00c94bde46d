package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsReferenceTest {

  private static final Path PAGE = Path.of("docs/configuration.md");

  @Test
  void thePageOfAllSettingsIsTrue() throws IOException {
    if (Boolean.getBoolean("octroi.write")) {
      Files.writeString(PAGE, SettingsReference.page());
    }
    assertThat(PAGE).hasContent(SettingsReference.page());
  }
}

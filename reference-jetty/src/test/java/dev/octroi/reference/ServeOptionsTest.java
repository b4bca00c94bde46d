package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import java.nio.file.Path;
import java.util.Map;
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
}

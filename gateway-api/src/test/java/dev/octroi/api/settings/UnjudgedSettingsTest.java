package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.SettingsReader.Constraints;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What no start validates, because it is the same at each: defaults and the program's values. */
class UnjudgedSettingsTest {

  private static final URI SANDBOX = URI.create("http://127.0.0.1:8403");

  /** Breaks two constraints. */
  record Careless(
      @Setting(about = "A number.", value = "0") @Min(1) int number,
      @Setting(about = "More.") Inner inner) {}

  record Inner(@Setting(about = "A word.") @NotBlank String word) {}

  @Test
  void everyDefaultObeysItsConstraints() throws ReflectiveOperationException {
    assertThat(broken(GatewaySettings.read(SettingsSources.none()))).isEmpty();
  }

  @Test
  void everyAddressOfTheSandboxObeysItsConstraints() throws ReflectiveOperationException {
    GatewaySettings defaults = GatewaySettings.read(SettingsSources.none());
    Map<String, String> made = SandboxUpstreams.at(SANDBOX, defaults);

    GatewaySettings settings = GatewaySettings.read(SettingsSources.none().own("sandbox", made));

    assertThat(settings)
        .isNotEqualTo(defaults)
        .isEqualTo(GatewaySettings.read(SettingsSources.none().values("operator", made)));
    assertThat(broken(settings)).isEmpty();
  }

  @Test
  void aBrokenDefaultWouldBeSeen() throws ReflectiveOperationException {
    Careless careless = SettingsReader.read(Careless.class, "a", SettingsSources.none());
    assertThat(broken(careless)).containsExactlyInAnyOrder("number", "word");
  }

  private static List<String> broken(Record settings) throws ReflectiveOperationException {
    List<String> broken = new ArrayList<>();
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      component.getAccessor().setAccessible(true);
      Object value = component.getAccessor().invoke(settings);
      if (!Constraints.broken(settings.getClass(), component.getName(), value).isEmpty()) {
        broken.add(component.getName());
      }
      if (value instanceof Record inner && !SettingKey.isValue(inner.getClass())) {
        broken.addAll(broken(inner));
      }
    }
    return broken;
  }
}

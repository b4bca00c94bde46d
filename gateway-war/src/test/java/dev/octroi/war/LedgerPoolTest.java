package dev.octroi.war;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the WAR says of a database that cannot be opened: what the jar says. */
class LedgerPoolTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:nonsense:x, No driver knows the database address jdbc:nonsense:x",
    "jdbc:postgresql://127.0.0.1:1/octroi?password=secret, "
        + "No database server answers at jdbc:postgresql://127.0.0.1:1/octroi",
  })
  void aDatabaseThatCannotBeOpenedIsToldInASentence(String url, String sentence) {
    DatabaseSettings settings =
        GatewaySettings.read(
                SettingsSources.none()
                    .values(
                        "test",
                        Map.of(
                            "gateway.database.url",
                            url,
                            "gateway.sandbox.url",
                            "http://127.0.0.1:1")))
            .database();

    assertThatThrownBy(() -> LedgerPool.open(settings))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContainingAll(sentence, "gateway.database.url")
        .hasMessageNotContaining("secret");
  }
}

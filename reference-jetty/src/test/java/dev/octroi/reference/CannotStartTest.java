package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.DatabaseSettings;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import java.net.SocketTimeoutException;
import java.nio.file.AccessDeniedException;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CannotStartTest {

  private static final String URL = "jdbc:postgresql://db.example/octroi?password=hunter2";

  private static final DatabaseSettings SETTINGS =
      GatewaySettings.read(
              SettingsSources.none()
                  .values(
                      "test",
                      Map.of(
                          "gateway.database.url",
                          URL,
                          "gateway.database.user",
                          "shop",
                          "gateway.database.password",
                          "hunter2")))
          .database();

  @ParameterizedTest
  @CsvSource({
    "28P01, refuses the user shop or its password",
    "28000, refuses the user shop or its password",
    "3D000, The server has no database",
    "42501, The user shop may not change the schema",
    "25006, takes no changes",
    "26000, lends sessions to others",
    "42P05, lends sessions to others",
    "53300, takes no further connections",
    "57P03, is still starting"
  })
  void aStateOfTheDriverIsASentenceWithWhatToChange(String state, String what) {
    CannotStart told = CannotStart.database(new SQLException("FATAL", state), SETTINGS);
    assertThat(told.what()).contains(what, "jdbc:postgresql://db.example/octroi");
    assertThat(told.advice()).isNotBlank().endsWith(".");
    assertThat(told.getMessage()).doesNotContain("hunter2", "FATAL");
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsToldFromOneThatRefuses() {
    SQLException silent = new SQLException("failed", "08001", new SocketTimeoutException());
    assertThat(CannotStart.database(silent, SETTINGS).what()).contains("does not answer in time");
  }

  /** An error that is not known is shown in the driver's words, but for what is secret. */
  @Test
  void aMessageOfTheDriverIsShownWithoutThePassword() {
    SQLException other =
        new SQLException("cannot use " + URL + " with hunter2\nDetail: x", "XX000");
    assertThat(CannotStart.database(other, SETTINGS).what())
        .contains("cannot use jdbc:postgresql://db.example/octroi with ***")
        .doesNotContain("hunter2", "Detail");
  }

  @Test
  void aFileThatMayNotBeReadIsSaidWithTheRightThatIsMissing() {
    CannotStart told =
        CannotStart.file("The secret file x cannot be read", new AccessDeniedException("x"));
    assertThat(told.getMessage())
        .isEqualTo(
            "The secret file x cannot be read: permission denied. Give this user the right to read"
                + " and write there, or name another folder with --data DIR.");
  }
}

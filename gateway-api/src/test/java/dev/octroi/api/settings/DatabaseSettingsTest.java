package dev.octroi.api.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseSettingsTest {

  @TempDir private Path folder;

  /** H2 refuses what it does not know, and does not say whether it closes at the end. */
  @Test
  @Tag("spec:money.h2_write_delay")
  void anAddressOfOursKeepsEveryCommitAndIsOpenUntilTheLastCallEnds() throws SQLException {
    String url = DatabaseSettings.h2Url(folder.resolve("ledger"));

    assertThat(url).contains(";DB_CLOSE_ON_EXIT=FALSE");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS"
                    + " WHERE SETTING_NAME = 'WRITE_DELAY'")) {
      assertThat(found.next()).isTrue();
      assertThat(found.getString(1)).isEqualTo("0");
    }
    assertThat(folder.resolve("ledger.mv.db")).isNotEmptyFile();
  }

  @Test
  void theDefaultAddressIsOneOfOurs() {
    String named = GatewaySettings.read(SettingsSources.none()).database().url();
    Path folder = Path.of("octroi-data").toAbsolutePath();

    assertThat(DatabaseSettings.h2Url(folder.resolve("octroi")))
        .isEqualTo(named.replace("./octroi-data", folder.toString()));
  }
}

package dev.octroi.examples.kiosk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.SettingsSources;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kiosk as it is run, with its ledger in a file. */
@Tag("slow")
class KioskFileTest {

  @Test
  void theWholeProcessOpensServesAndCloses(@TempDir Path folder) throws Exception {
    String url = "jdbc:h2:async:" + folder.resolve("octroi") + ";WRITE_DELAY=0";
    SettingsSources settings =
        SettingsSources.none()
            .values("test", Map.of("gateway.database.url", url, "gateway.http.port", "0"));

    try (Kiosk kiosk = Kiosk.open(settings)) {
      assertThat(status(kiosk.base().resolve("/hours"))).isEqualTo(200);
      assertThat(status(kiosk.base().resolve("/v1/prediction/markets"))).isEqualTo(402);
    }
    assertThat(folder.resolve("octroi.mv.db")).isNotEmptyFile();
  }

  private static int status(URI address) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
        .statusCode();
  }
}

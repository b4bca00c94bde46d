package dev.octroi.examples.bookshop;

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

/** The bookshop as it is run, with its ledger in a file. */
@Tag("slow")
class BookshopFileTest {

  @Test
  void theWholeProcessOpensServesAndCloses(@TempDir Path folder) throws Exception {
    String url = "jdbc:h2:async:" + folder.resolve("octroi") + ";WRITE_DELAY=0";
    SettingsSources settings =
        SettingsSources.none()
            .values("test", Map.of("gateway.database.url", url, "gateway.http.port", "0"));

    try (Bookshop shop = Bookshop.open(settings)) {
      assertThat(status(shop.base().resolve("/books"))).isEqualTo(200);
      assertThat(status(shop.base().resolve("/books/odyssey"))).isEqualTo(402);
    }
    assertThat(folder.resolve("octroi.mv.db")).isNotEmptyFile();
  }

  private static int status(URI address) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
        .statusCode();
  }
}

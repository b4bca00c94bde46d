package dev.octroi.reference.kit;

import dev.octroi.api.settings.SettingsSources;
import dev.octroi.reference.DataDirectory;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.ServeOptions;
import dev.octroi.testkit.GatewayBehaviour;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The whole kit over the reference deployment in this process: Jetty, Jersey, Weld, H2. */
class ReferenceGatewayKitTest extends GatewayBehaviour {

  private static final Map<String, String> SETTINGS =
      Map.of(
          "gateway.http.port",
          "0",
          "gateway.limits.unpaid-per-minute",
          "1000000",
          "gateway.images.fast-path",
          "1s");

  private static ReferenceGateway gateway;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    SettingsSources sources = SettingsSources.none().values("kit", SETTINGS);
    gateway = ReferenceGateway.start(new ServeOptions(new DataDirectory(folder), sources));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @Override
  protected URI baseUrl() {
    return gateway.baseUrl();
  }
}

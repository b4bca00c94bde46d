package dev.octroi.war;

import dev.octroi.reference.Sandbox;
import dev.octroi.testkit.GatewayBehaviour;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The full WAR on a real Tomcat, at a context path, set by context parameters. */
@Tag("slow")
class FullWarOnTomcatIT extends GatewayBehaviour {

  private static final String CONTEXT = "octroi";

  @TempDir static Path folder;

  private final Closing close = new Closing();
  private Tomcat tomcat;

  @BeforeAll
  void start() throws Exception {
    Sandbox sandbox = close.add(Sandbox.start());
    String database = "jdbc:h2:async:" + folder.resolve("data") + ";WRITE_DELAY=0";
    Map<String, String> settings = Tomcat.settings(sandbox, database);
    tomcat = close.add(Tomcat.start(folder, Map.of(CONTEXT, settings)));
  }

  @AfterAll
  void stop() throws Exception {
    close.all();
  }

  @Override
  protected URI baseUrl() {
    return tomcat.at(CONTEXT);
  }
}

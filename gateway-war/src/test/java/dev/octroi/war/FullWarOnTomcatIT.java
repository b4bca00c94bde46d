package dev.octroi.war;

import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** The full WAR on a real Tomcat, set by context parameters. */
@Tag("slow")
class FullWarOnTomcatIT extends WarOnServer {

  @Override
  ServerProcess start(ServerPlan plan) throws IOException {
    return Tomcat.start(plan);
  }
}

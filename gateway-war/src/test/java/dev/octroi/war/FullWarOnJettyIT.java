package dev.octroi.war;

import java.io.IOException;

/** The full WAR on a real standalone Jetty. */
class FullWarOnJettyIT extends WarOnServer {

  @Override
  ServerProcess start(ServerPlan plan) throws IOException {
    return JettyHome.start(plan);
  }
}

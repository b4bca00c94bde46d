package dev.octroi.war;

import java.io.IOException;

/** The thin WAR on a real WildFly. */
class ThinWarOnWildFlyIT extends WarOnServer {

  @Override
  ServerProcess start(ServerPlan plan) throws IOException {
    return WildFly.start(plan);
  }

  @Override
  boolean managesThreads() {
    return true;
  }
}

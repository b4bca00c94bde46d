package dev.octroi.war;

import java.io.IOException;

/** The thin WAR on a real Open Liberty. */
class ThinWarOnLibertyIT extends WarOnServer {

  @Override
  ServerProcess start(ServerPlan plan) throws IOException {
    return Liberty.start(plan);
  }

  @Override
  boolean managesThreads() {
    return true;
  }
}

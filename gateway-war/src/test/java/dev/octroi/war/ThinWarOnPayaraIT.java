package dev.octroi.war;

import java.io.IOException;

/** The thin WAR on a real Payara Micro. */
class ThinWarOnPayaraIT extends WarOnServer {

  @Override
  ServerProcess start(ServerPlan plan) throws IOException {
    return Payara.start(plan);
  }

  /** Its mapper fails on broken escapes before any application is asked, and says 200 to that. */
  @Override
  protected boolean isServersOwnFailure(String answer) {
    return answer.contains("\r\nContent-Length: 0\r\n") && !answer.contains("X-Request-Id");
  }

  @Override
  boolean managesThreads() {
    return true;
  }
}

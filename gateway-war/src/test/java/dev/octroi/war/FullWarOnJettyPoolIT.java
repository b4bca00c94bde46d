package dev.octroi.war;

/** The same on PostgreSQL, by a pool of connections that Jetty keeps. */
class FullWarOnJettyPoolIT extends FullWarOnJettyIT {

  @Override
  boolean onServersPool() {
    return true;
  }
}

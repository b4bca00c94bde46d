package dev.octroi.war;

/** The same on PostgreSQL, by a pool of connections that Open Liberty keeps. */
class ThinWarOnLibertyPoolIT extends ThinWarOnLibertyIT {

  @Override
  boolean onServersPool() {
    return true;
  }
}

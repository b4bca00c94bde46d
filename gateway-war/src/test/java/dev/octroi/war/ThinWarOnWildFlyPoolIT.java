package dev.octroi.war;

/** The same on PostgreSQL, by a pool of connections that WildFly keeps. */
class ThinWarOnWildFlyPoolIT extends ThinWarOnWildFlyIT {

  @Override
  boolean onServersPool() {
    return true;
  }
}

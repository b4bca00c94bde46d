package dev.octroi.war;

/** The same on PostgreSQL, by a pool of connections that Payara Micro keeps. */
class ThinWarOnPayaraPoolIT extends ThinWarOnPayaraIT {

  @Override
  boolean onServersPool() {
    return true;
  }
}

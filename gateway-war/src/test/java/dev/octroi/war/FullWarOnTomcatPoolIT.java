package dev.octroi.war;

/** The same on PostgreSQL, by a pool of connections that Tomcat keeps. */
class FullWarOnTomcatPoolIT extends FullWarOnTomcatIT {

  @Override
  boolean onServersPool() {
    return true;
  }
}

package dev.octroi.war;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The JDBC drivers in the web application: registered with the JVM, they would outlive it. */
final class OwnDrivers {

  private OwnDrivers() {}

  static void deregister() throws SQLException {
    for (Driver driver : DriverManager.drivers().toList()) {
      if (driver.getClass().getClassLoader() == OwnDrivers.class.getClassLoader()) {
        DriverManager.deregisterDriver(driver);
      }
    }
  }
}

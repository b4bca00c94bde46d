package dev.octroi.payments.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an application does not use need not be on its class path. */
class OptionalPartsTest {

  private static final List<String> JAX_RS =
      List.of("jakarta.ws.rs-api", "jersey", "resteasy", "cxf", "jakarta-rs");

  /** A host that sweeps up after dead nodes by itself takes no scheduler of ours. */
  private static final List<String> SCHEDULER = List.of("db-scheduler");

  @Test
  void aPaidPathIsSoldWithNoJaxRsOnTheClassPath() throws Exception {
    sellWithout(JAX_RS, "jakarta/ws/rs/Path.class");
  }

  @Test
  void aPaidPathIsSoldWithNoSchedulerOnTheClassPath() throws Exception {
    sellWithout(SCHEDULER, "com/github/kagkarlsson/scheduler/Scheduler.class");
  }

  private static void sellWithout(List<String> jars, String missing) throws Exception {
    try (URLClassLoader alone =
        new URLClassLoader(without(jars), ClassLoader.getPlatformClassLoader())) {
      assertThat(alone.getResource(missing)).isNull();
      // It looks for drivers once, and other tests need those of the usual class loader.
      DriverManager.getDrivers();
      ClassLoader before = Thread.currentThread().getContextClassLoader();
      Thread.currentThread().setContextClassLoader(alone);
      try {
        Object status = alone.loadClass(SoldAlone.class.getName()).getMethod("sell").invoke(null);
        assertThat(status).isEqualTo("402 then 200 what is sold");
      } finally {
        Thread.currentThread().setContextClassLoader(before);
      }
    }
  }

  private static URL[] without(List<String> jars) throws MalformedURLException {
    List<URL> kept = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = new File(entry).getName();
      if (jars.stream().noneMatch(name::contains)) {
        kept.add(new File(entry).toURI().toURL());
      }
    }
    return kept.toArray(URL[]::new);
  }
}

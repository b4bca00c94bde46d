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

/** The servlet face works in an application that has no JAX-RS at all. */
class WithoutJaxRsTest {

  private static final List<String> JAX_RS =
      List.of("jakarta.ws.rs-api", "jersey", "resteasy", "cxf", "jakarta-rs");

  @Test
  void aPaidPathIsSoldWithNoJaxRsOnTheClassPath() throws Exception {
    try (URLClassLoader alone =
        new URLClassLoader(withoutJaxRs(), ClassLoader.getPlatformClassLoader())) {
      assertThat(alone.getResource("jakarta/ws/rs/Path.class")).isNull();
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

  private static URL[] withoutJaxRs() throws MalformedURLException {
    List<URL> kept = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = new File(entry).getName();
      if (JAX_RS.stream().noneMatch(name::contains)) {
        kept.add(new File(entry).toURI().toURL());
      }
    }
    return kept.toArray(URL[]::new);
  }
}

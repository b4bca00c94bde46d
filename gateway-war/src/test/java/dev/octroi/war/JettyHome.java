package dev.octroi.war;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A standalone Jetty with the full WAR among its web applications. */
final class JettyHome {

  private static final String POOL = "jdbc/octroi";

  private JettyHome() {}

  static ServerProcess start(ServerPlan given) throws IOException {
    ServerPlan plan = given.withPool(POOL);
    Path base = plan.folder().resolve("jetty");
    Path webapps = Files.createDirectories(base.resolve("webapps"));
    if (plan.books().isPresent()) {
      Path library = Files.createDirectories(base.resolve("lib/ext"));
      Files.copy(BookServer.driver(), library.resolve("postgresql.jar"));
      Files.copy(BookServer.jar(HikariDataSource.class), library.resolve("hikari.jar"));
    }
    Files.writeString(
        webapps.resolve(ServerPlan.CONTEXT + ".xml"),
        xml(plan.books().map(JettyHome::pool).orElse("")));
    List<String> arguments =
        plan.jvm(
            "-jar",
            ServerPlan.HOME.resolve("start.jar").toString(),
            "jetty.home=" + ServerPlan.HOME,
            "jetty.base=" + base,
            "jetty.http.host=127.0.0.1",
            "jetty.http.port=" + plan.port(),
            "jetty.httpConfig.requestHeaderSize=40960",
            "jetty.httpConfig.responseHeaderSize=40960",
            "jetty.httpConfig.uriCompliance=DEFAULT,AMBIGUOUS_PATH_SEPARATOR",
            // Last: a property after the first module of an environment is that environment's own.
            "--modules=http,ext,ee10-deploy,ee10-annotations");
    return ServerProcess.start(base, "server.out", arguments);
  }

  private static String xml(String pool) {
    return """
        <!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://jetty.org/configure_10_0.dtd">
        <Configure class="org.eclipse.jetty.ee10.webapp.WebAppContext">
          <Set name="contextPath">/%s</Set>
          <Set name="war">%s</Set>
          <Get name="servletHandler"><Set name="decodeAmbiguousURIs">true</Set></Get>
        %s</Configure>
        """
        .formatted(ServerPlan.CONTEXT, ServerPlan.FULL_WAR, pool);
  }

  /** Jetty has no pool of its own: it keeps whatever a context's file makes. */
  private static String pool(BookServer books) {
    return """
          <New class="org.eclipse.jetty.plus.jndi.Resource">
            <Arg>%s</Arg>
            <Arg>
              <New class="com.zaxxer.hikari.HikariDataSource">
                <Set name="driverClassName">%s</Set>
                <Set name="jdbcUrl">%s</Set>
                <Set name="username">%s</Set>
                <Set name="maximumPoolSize">16</Set>
              </New>
            </Arg>
          </New>
        """
        .formatted(POOL, BookServer.DRIVER, books.url(), BookServer.USER);
  }
}

package dev.octroi.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** WildFly with the thin WAR among its deployments. */
final class WildFly {

  private static final String POOL = "java:jboss/datasources/octroi";
  private static final String DRIVER = "postgresql.jar";

  private WildFly() {}

  static ServerProcess start(ServerPlan given) throws IOException {
    ServerPlan plan = given.withPool(POOL);
    Path base = plan.folder().resolve("standalone");
    Path deployments = Files.createDirectories(base.resolve("deployments"));
    copy(ServerPlan.HOME.resolve("standalone/configuration"), base.resolve("configuration"));
    moreThreads(base.resolve("configuration/standalone.xml"));
    if (plan.books().isPresent()) {
      Files.copy(BookServer.driver(), deployments.resolve(DRIVER));
      Files.writeString(deployments.resolve("octroi-ds.xml"), pool(plan.books().get()));
    }
    Files.copy(ServerPlan.THIN_WAR, deployments.resolve(ServerPlan.CONTEXT + ".war"));
    List<String> arguments =
        plan.jvm(
            "-Djboss.home.dir=" + ServerPlan.HOME,
            "-Djboss.server.base.dir=" + base,
            "-Djboss.http.port=" + plan.port(),
            "-Djboss.https.port=" + ServerPlan.freePort(),
            "-Djboss.management.http.port=" + ServerPlan.freePort(),
            "--add-exports=java.desktop/sun.awt=ALL-UNNAMED",
            "--add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.management/javax.management=ALL-UNNAMED",
            "--add-opens=java.naming/javax.naming=ALL-UNNAMED",
            "-jar",
            ServerPlan.HOME.resolve("jboss-modules.jar").toString(),
            "-mp",
            ServerPlan.HOME.resolve("modules").toString(),
            "org.jboss.as.standalone",
            "-b",
            "127.0.0.1");
    return ServerProcess.start(plan.folder(), "server.out", arguments);
  }

  private static String pool(BookServer books) {
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <datasources xmlns="http://www.jboss.org/ironjacamar/schema">
          <datasource jndi-name="%s" pool-name="octroi" jta="false">
            <connection-url>%s</connection-url>
            <driver>%s</driver>
            <pool><max-pool-size>16</max-pool-size></pool>
            <security><user-name>%s</user-name></security>
          </datasource>
        </datasources>
        """
        .formatted(POOL, books.url(), DRIVER, BookServer.USER);
  }

  /** Undertow keeps a thread for each body that it waits for, and has 16 per core. */
  private static void moreThreads(Path configuration) throws IOException {
    Files.writeString(
        configuration,
        Files.readString(configuration)
            .replace(
                "<worker name=\"default\"/>",
                "<worker name=\"default\" task-max-threads=\"600\"/>"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }
}

package dev.octroi.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Open Liberty with the thin WAR. */
final class Liberty {

  private static final String POOL = "jdbc/octroi";

  private Liberty() {}

  static ServerProcess start(ServerPlan given) throws IOException {
    ServerPlan plan = given.withPool(POOL);
    Path configuration = plan.folder().resolve("servers").resolve(ServerPlan.CONTEXT);
    Files.createDirectories(configuration);
    Files.writeString(configuration.resolve("server.xml"), xml(plan));
    Path tools = ServerPlan.HOME.resolve("bin/tools");
    List<String> arguments =
        plan.jvm(
            "-javaagent:" + tools.resolve("ws-javaagent.jar"),
            "@" + ServerPlan.HOME.resolve("lib/platform/java/java9.options"),
            "-jar",
            tools.resolve("ws-server.jar").toString(),
            ServerPlan.CONTEXT);
    return ServerProcess.start(
        plan.folder(), "server.out", arguments, Map.of("WLP_USER_DIR", plan.folder().toString()));
  }

  private static String xml(ServerPlan plan) {
    return """
        <server>
          <featureManager>
            <feature>beanValidation-3.0</feature>
            <feature>servlet-6.0</feature>
            <feature>restfulWS-3.1</feature>
            <feature>cdi-4.0</feature>
            <feature>jdbc-4.3</feature>
            <feature>jndi-1.0</feature>
            <feature>concurrent-3.0</feature>
          </featureManager>
          <logging consoleLogLevel="INFO"/>
          <executor coreThreads="100"/>
          <webContainer skipEncodedCharVerification="true"/>
          <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="%d" httpsPort="-1"/>
          <applicationManager autoExpand="true"/>
          <webApplication location="%s" contextRoot="/%s">
            <classloader delegation="parentLast"/>
          </webApplication>
        %s</server>
        """
        .formatted(
            plan.port(),
            ServerPlan.THIN_WAR,
            ServerPlan.CONTEXT,
            plan.books().map(Liberty::pool).orElse(""));
  }

  private static String pool(BookServer books) {
    return """
          <library id="postgresql"><file name="%s"/></library>
          <dataSource jndiName="%s" transactional="false" type="javax.sql.DataSource">
            <jdbcDriver libraryRef="postgresql"/>
            <properties.postgresql serverName="127.0.0.1" portNumber="%d" databaseName="%s" user="%s" password="none"/>
          </dataSource>
        """
        .formatted(BookServer.driver(), POOL, books.port(), BookServer.DATABASE, BookServer.USER);
  }
}

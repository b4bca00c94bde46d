package dev.octroi.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Open Liberty with the thin WAR. */
final class Liberty {

  private Liberty() {}

  static ServerProcess start(ServerPlan plan) throws IOException {
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
          </featureManager>
          <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="%d" httpsPort="-1"/>
          <applicationManager autoExpand="true"/>
          <webApplication location="%s" contextRoot="/%s">
            <classloader delegation="parentLast"/>
          </webApplication>
        </server>
        """
        .formatted(plan.port(), ServerPlan.THIN_WAR, ServerPlan.CONTEXT);
  }
}

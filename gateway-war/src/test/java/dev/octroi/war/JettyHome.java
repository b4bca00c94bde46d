package dev.octroi.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A standalone Jetty with the full WAR among its web applications. */
final class JettyHome {

  private JettyHome() {}

  static ServerProcess start(ServerPlan plan) throws IOException {
    Path base = plan.folder().resolve("jetty");
    Path webapps = Files.createDirectories(base.resolve("webapps"));
    Files.copy(ServerPlan.FULL_WAR, webapps.resolve(ServerPlan.CONTEXT + ".war"));
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
            // Last: a property after the first module of an environment is that environment's own.
            "--modules=http,ee10-deploy,ee10-annotations");
    return ServerProcess.start(base, "server.out", arguments);
  }
}

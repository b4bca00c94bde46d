package dev.octroi.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Payara Micro with the thin WAR. */
final class Payara {

  private static final String LOOPBACK_ONLY =
      "set configs.config.server-config.network-config.network-listeners"
          + ".network-listener.http-listener.address=127.0.0.1\n";

  private Payara() {}

  static ServerProcess start(ServerPlan plan) throws IOException {
    Path before = Files.writeString(plan.folder().resolve("before-boot"), LOOPBACK_ONLY);
    List<String> arguments = plan.jvm("-jar", ServerPlan.HOME.toString());
    arguments.addAll(List.of("--nocluster", "--disablephonehome"));
    arguments.addAll(List.of("--prebootcommandfile", before.toString()));
    arguments.addAll(List.of("--port", Integer.toString(plan.port())));
    arguments.addAll(List.of("--contextroot", ServerPlan.CONTEXT));
    arguments.addAll(List.of("--deploy", ServerPlan.THIN_WAR.toString()));
    return ServerProcess.start(plan.folder(), "server.out", arguments);
  }
}

package dev.octroi.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Payara Micro with the thin WAR. */
final class Payara {

  private static final String POOL = "jdbc/octroi";
  private static final String LOOPBACK_ONLY =
      "set configs.config.server-config.network-config.network-listeners"
          + ".network-listener.http-listener.address=127.0.0.1\n";

  private static final String ESCAPED_SLASH =
      "set configs.config.server-config.network-config.protocols"
          + ".protocol.http-listener.http.encoded-slash-enabled=true\n";

  private Payara() {}

  static ServerProcess start(ServerPlan given) throws IOException {
    ServerPlan plan = given.withPool(POOL);
    String commands = LOOPBACK_ONLY + ESCAPED_SLASH + plan.books().map(Payara::pool).orElse("");
    Path before = Files.writeString(plan.folder().resolve("before-boot"), commands);
    List<String> arguments = plan.jvm("-jar", ServerPlan.HOME.toString());
    arguments.addAll(List.of("--nocluster", "--disablephonehome"));
    arguments.addAll(List.of("--prebootcommandfile", before.toString()));
    arguments.addAll(List.of("--port", Integer.toString(plan.port())));
    arguments.addAll(List.of("--contextroot", ServerPlan.CONTEXT));
    plan.books()
        .ifPresent(books -> arguments.addAll(List.of("--addlibs", BookServer.driver().toString())));
    arguments.addAll(List.of("--deploy", ServerPlan.THIN_WAR.toString()));
    return ServerProcess.start(plan.folder(), "server.out", arguments);
  }

  private static String pool(BookServer books) {
    List<String> properties = new ArrayList<>();
    properties.add("user=" + BookServer.USER);
    properties.add("password=none");
    properties.add("serverName=127.0.0.1");
    properties.add("portNumber=" + books.port());
    properties.add("databaseName=" + BookServer.DATABASE);
    return "create-jdbc-connection-pool --datasourceclassname=org.postgresql.ds.PGSimpleDataSource"
        + " --restype=javax.sql.DataSource --nontransactionalconnections=true --property="
        + String.join(":", properties)
        + " octroi-pool\ncreate-jdbc-resource --connectionpoolid=octroi-pool "
        + POOL
        + "\n";
  }
}

package dev.octroi.war;

import static org.awaitility.Awaitility.await;

import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** A real Tomcat in a process of its own, with nothing deployed but the full WAR. */
final class Tomcat implements AutoCloseable {

  private static final Pattern PORT =
      Pattern.compile("Starting ProtocolHandler \\[\"http-nio-[^\"]*-([0-9]+)\"]");

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Path HOME = ServerPlan.HOME;
  private static final String POOL = "jdbc/octroi";

  private final Path base;
  private final ServerProcess process;

  private Tomcat(Path base, ServerProcess process) {
    this.base = base;
    this.process = process;
  }

  /**
   * Starts it on any free port.
   *
   * @param base a folder of its own
   * @param contexts the parameters of each deployment, by its name
   * @param options more for its virtual machine
   */
  static Tomcat start(Path base, Map<String, Map<String, String>> contexts, String... options)
      throws IOException {
    Map<String, String> descriptors = new HashMap<>();
    contexts.forEach((name, parameters) -> descriptors.put(name, xml(parameters, "")));
    return start(base, 0, descriptors, options);
  }

  /** Starts it with the one deployment of a plan. */
  static ServerProcess start(ServerPlan given) throws IOException {
    ServerPlan plan = given.withPool("java:comp/env/" + POOL);
    Path library = Files.createDirectories(plan.folder().resolve("lib"));
    if (plan.books().isPresent()) {
      Files.copy(BookServer.driver(), library.resolve("postgresql.jar"));
    }
    String pool = plan.books().map(Tomcat::pool).orElse("");
    String context = xml(plan.settings(), pool);
    return start(plan.folder(), plan.port(), Map.of(ServerPlan.CONTEXT, context)).process;
  }

  private static Tomcat start(Path base, int port, Map<String, String> contexts, String... options)
      throws IOException {
    Files.createDirectories(base.resolve("webapps"));
    Files.createDirectories(base.resolve("temp"));
    Files.createDirectories(base.resolve("conf/Catalina/localhost"));
    try (InputStream server = Tomcat.class.getResourceAsStream("server.xml")) {
      Files.copy(Objects.requireNonNull(server), base.resolve("conf/server.xml"));
    }
    for (Map.Entry<String, String> context : contexts.entrySet()) {
      Files.writeString(descriptor(base, context.getKey()), context.getValue());
    }
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(ServerPlan.SHORT_LIVED);
    arguments.addAll(arguments(base, port));
    Tomcat tomcat = new Tomcat(base, ServerProcess.start(base, "server.out", arguments));
    tomcat.process.printed(PORT);
    return tomcat;
  }

  /** The parameters of a deployment that asks the sandbox and keeps its books there. */
  static Map<String, String> settings(Sandbox sandbox, String database) {
    Map<String, String> settings = new HashMap<>(EmbeddedHost.settings(database));
    settings.put("gateway.sandbox.url", sandbox.url().toString());
    return settings;
  }

  private static List<String> arguments(Path base, int port) {
    return List.of(
        "-Xmx384m",
        "-Doctroi.port=" + port,
        "-Dcatalina.home=" + HOME,
        "-Dcatalina.base=" + base,
        "-Djava.io.tmpdir=" + base.resolve("temp"),
        "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
        "-Djava.util.logging.config.file=" + HOME.resolve("conf/logging.properties"),
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
        "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED",
        "-cp",
        HOME.resolve("bin/bootstrap.jar") + ":" + HOME.resolve("bin/tomcat-juli.jar"),
        "org.apache.catalina.startup.Bootstrap",
        "start");
  }

  private static Path descriptor(Path base, String context) {
    return base.resolve("conf/Catalina/localhost/" + context + ".xml");
  }

  private static String xml(Map<String, String> parameters, String resources) {
    StringBuilder xml = new StringBuilder("<Context docBase=\"" + ServerPlan.FULL_WAR + "\">\n");
    parameters.forEach(
        (name, value) ->
            xml.append("  <Parameter name=\"%s\" value=\"%s\"/>\n".formatted(name, value)));
    return xml.append(resources).append("</Context>\n").toString();
  }

  private static String pool(BookServer books) {
    return """
          <Resource name="%s" auth="Container" type="javax.sql.DataSource"
            driverClassName="%s" url="%s" username="%s" maxTotal="16"/>
        """
        .formatted(POOL, BookServer.DRIVER, books.url(), BookServer.USER);
  }

  /** Deploys the WAR once more, in the running server. */
  void deploy(String context, Map<String, String> parameters) throws IOException {
    Path unseen = base.resolve(context + ".part");
    Files.writeString(unseen, xml(parameters, ""));
    Files.move(unseen, descriptor(base, context));
  }

  /** Undeploys it, and returns when Tomcat has thrown away the last of it. */
  void undeploy(String context) throws IOException {
    Files.delete(descriptor(base, context));
    await().atMost(TIMEOUT).until(() -> Files.notExists(base.resolve("webapps").resolve(context)));
  }

  URI at(String context) {
    return URI.create("http://127.0.0.1:" + process.printed(PORT) + "/" + context);
  }

  LiveJvm jvm() {
    return new LiveJvm(process.process().pid());
  }

  String output() {
    return process.output();
  }

  @Override
  public void close() {
    process.close();
  }
}

package dev.octroi.war;

import static org.awaitility.Awaitility.await;

import dev.octroi.reference.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** A real Tomcat in a process of its own, with nothing deployed but the full WAR. */
final class Tomcat implements AutoCloseable {

  private static final Pattern PORT =
      Pattern.compile("Starting ProtocolHandler \\[\"http-nio-[^\"]*-([0-9]+)\"]");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path HOME =
      Path.of(System.getProperty("octroi.tomcat", "")).toAbsolutePath();
  private static final Path WAR =
      Path.of(System.getProperty("octroi.war.full", "")).toAbsolutePath();

  private final Path base;
  private final ServerProcess process;

  private Tomcat(Path base, ServerProcess process) {
    this.base = base;
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @param base a folder of its own
   * @param contexts the parameters of each deployment, by its name
   */
  static Tomcat start(Path base, Map<String, Map<String, String>> contexts) throws IOException {
    Files.createDirectories(base.resolve("webapps"));
    Files.createDirectories(base.resolve("temp"));
    Files.createDirectories(base.resolve("conf/Catalina/localhost"));
    try (InputStream server = Tomcat.class.getResourceAsStream("server.xml")) {
      Files.copy(Objects.requireNonNull(server), base.resolve("conf/server.xml"));
    }
    for (Map.Entry<String, Map<String, String>> context : contexts.entrySet()) {
      Files.writeString(descriptor(base, context.getKey()), xml(context.getValue()));
    }
    Tomcat tomcat = new Tomcat(base, ServerProcess.start(base, arguments(base)));
    tomcat.process.printed(PORT);
    return tomcat;
  }

  /** The parameters of a deployment that asks the sandbox and keeps its books there. */
  static Map<String, String> settings(Sandbox sandbox, String database) {
    Map<String, String> settings = new HashMap<>(sandbox.settings());
    settings.putAll(EmbeddedHost.settings(database));
    return settings;
  }

  private static List<String> arguments(Path base) {
    return List.of(
        "-Xmx384m",
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

  private static String xml(Map<String, String> parameters) {
    StringBuilder xml = new StringBuilder("<Context docBase=\"" + WAR + "\">\n");
    parameters.forEach(
        (name, value) ->
            xml.append("  <Parameter name=\"%s\" value=\"%s\"/>\n".formatted(name, value)));
    return xml.append("</Context>\n").toString();
  }

  /** Deploys the WAR once more, in the running server. */
  void deploy(String context, Map<String, String> parameters) throws IOException {
    Path unseen = base.resolve(context + ".part");
    Files.writeString(unseen, xml(parameters));
    Files.move(unseen, descriptor(base, context));
  }

  /** Undeploys it, and returns when Tomcat has thrown away the last of it. */
  void undeploy(String context) throws IOException {
    Files.delete(descriptor(base, context));
    await().atMost(PATIENCE).until(() -> Files.notExists(base.resolve("webapps").resolve(context)));
  }

  URI at(String context) {
    return URI.create("http://127.0.0.1:" + process.printed(PORT) + "/" + context);
  }

  String output() {
    return process.output();
  }

  @Override
  public void close() {
    process.close();
  }
}

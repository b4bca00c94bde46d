package dev.octroi.war;

import dev.octroi.reference.Sandbox;
import dev.octroi.testkit.GatewayBehaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The thin WAR on a real Payara Micro, set by system properties. */
class ThinWarOnPayaraIT extends GatewayBehaviour {

  private static final Pattern READY = Pattern.compile("(Payara Micro) .* ready in");
  private static final String LOOPBACK_ONLY =
      "set configs.config.server-config.network-config.network-listeners"
          + ".network-listener.http-listener.address=127.0.0.1\n";

  @TempDir static Path folder;

  private final Closing close = new Closing();
  private int port;

  @BeforeAll
  void start() throws Exception {
    Sandbox sandbox = close.add(Sandbox.start());
    port = freePort();
    Map<String, String> settings = new HashMap<>(sandbox.settings());
    settings.putAll(
        EmbeddedHost.settings("jdbc:h2:async:" + folder.resolve("octroi") + ";WRITE_DELAY=0"));
    ServerProcess payara = close.add(ServerProcess.start(folder, arguments(settings)));
    payara.printed(READY);
  }

  private List<String> arguments(Map<String, String> settings) throws IOException {
    Path commands = Files.writeString(folder.resolve("before-boot"), LOOPBACK_ONLY);
    List<String> arguments = new ArrayList<>(List.of("-Xmx512m", "-Djava.io.tmpdir=" + folder));
    settings.forEach((name, value) -> arguments.add("-D" + name + "=" + value));
    arguments.addAll(List.of("-jar", System.getProperty("octroi.payara", "")));
    arguments.addAll(List.of("--nocluster", "--disablephonehome"));
    arguments.addAll(List.of("--prebootcommandfile", commands.toString()));
    arguments.addAll(List.of("--port", Integer.toString(port)));
    arguments.addAll(List.of("--contextroot", "octroi"));
    arguments.addAll(List.of("--deploy", System.getProperty("octroi.war.thin", "")));
    return arguments;
  }

  @AfterAll
  void stop() throws Exception {
    close.all();
  }

  @Override
  protected URI baseUrl() {
    return URI.create("http://127.0.0.1:" + port + "/octroi");
  }

  /** Its mapper fails on broken escapes before any application is asked, and says 200 to that. */
  @Override
  protected boolean isServersOwnFailure(String answer) {
    return answer.contains("\r\nContent-Length: 0\r\n") && !answer.contains("X-Request-Id");
  }

  /** The server takes no "any free port". */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

package dev.octroi.war;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server is to be started with, whatever it is.
 *
 * @param folder its own
 * @param port where it is to listen on the loopback address
 * @param settings of the gateway
 * @param books the database behind the server's own pool of connections, if it is to have one
 */
record ServerPlan(Path folder, int port, Map<String, String> settings, Optional<BookServer> books) {

  /** The context path of the deployment, and what files of it are called. */
  static final String CONTEXT = "octroi";

  /** The server's archive, unpacked by the build; or the one file that is the server. */
  static final Path HOME = property("octroi.server");

  static final Path FULL_WAR = property("octroi.war.full");
  static final Path THIN_WAR = property("octroi.war.thin");

  private static Path property(String name) {
    return Path.of(System.getProperty(name, "")).toAbsolutePath();
  }

  /** Not every server takes "any free port". */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The same, with the server's name of its pool. */
  ServerPlan withPool(String jndiName) {
    Map<String, String> more = new HashMap<>(settings);
    books.ifPresent(any -> more.put("gateway.database.jndi-name", jndiName));
    return new ServerPlan(folder, port, more, books);
  }

  /**
   * Options of a virtual machine that lives for a minute on a small machine: what its second
   * compiler and a collector of many threads take, they do not give back in that time.
   */
  static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /**
   * The settings as options of a virtual machine that may take so much memory, and more options.
   */
  List<String> jvm(String... options) {
    List<String> arguments = new ArrayList<>(SHORT_LIVED);
    arguments.addAll(List.of("-Xmx512m", "-Djava.io.tmpdir=" + folder));
    settings.forEach((name, value) -> arguments.add("-D" + name + "=" + value));
    arguments.addAll(List.of(options));
    return arguments;
  }
}

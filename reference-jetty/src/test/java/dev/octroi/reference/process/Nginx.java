package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.reference.TestCertificate;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The proxy of the deployment's recipe, before these nodes: the recipe itself, but for ports and
 * folders.
 */
final class Nginx implements AutoCloseable {

  private static final Path UNPACKED = Path.of("target", "nginx").toAbsolutePath();

  private final Running running;
  private final URI base;

  private Nginx(Running running, URI base) {
    this.running = running;
    this.base = base;
  }

  /** Starts it; where none can be had the test is skipped, aloud. */
  static Nginx before(Path folder, TestCertificate certificate, int first, int second)
      throws Exception {
    String program = program();
    int port = freePort();
    Files.createDirectories(folder.resolve("tls"));
    certificate.writeCertificate(folder.resolve("tls/fullchain.pem"));
    certificate.writeKey(folder.resolve("tls/privkey.pem"));
    StringBuilder temporary = new StringBuilder("http {\n");
    for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
      temporary.append("  %s_temp_path %s/%s;\n".formatted(kind, folder, kind));
    }
    String recipe = DeployFolder.read("nginx.conf");
    Path adapted =
        Files.writeString(
            folder.resolve("nginx.conf"),
            "daemon off;\n"
                + replaced(
                    recipe,
                    Map.of(
                        "pid /tmp/nginx.pid", "pid " + folder.resolve("nginx.pid"),
                        "http {\n", temporary.toString(),
                        "server node1:8402", "server 127.0.0.1:" + first,
                        "server node2:8402", "server 127.0.0.1:" + second,
                        "listen 443", "listen 127.0.0.1:" + port,
                        "/etc/nginx/tls", folder.resolve("tls").toString())));
    Running running =
        Running.start(
            List.of(program, "-p", folder + "/", "-e", "stderr", "-c", adapted.toString()),
            Map.of(),
            folder);
    await()
        .atMost(Running.TIMEOUT)
        .until(
            () -> {
              assertThat(running.isAlive()).as(running::said).isTrue();
              return accepts(port);
            });
    return new Nginx(running, URI.create("https://127.0.0.1:" + port));
  }

  private static String replaced(String recipe, Map<String, String> changes) {
    String text = recipe;
    for (Map.Entry<String, String> change : changes.entrySet()) {
      assertThat(text).contains(change.getKey());
      text = text.replace(change.getKey(), change.getValue());
    }
    return text;
  }

  URI base() {
    return base;
  }

  String said() {
    return running.said();
  }

  /** Its first process ends the others before it ends itself. */
  @Override
  public void close() {
    running.terminate();
    try {
      running.awaitExit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running.close();
    }
  }

  /** The machine's own, else one that is unpacked from the machine's packages. */
  private static String program() throws Exception {
    List<Path> places =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(":")),
                Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/local/nginx/sbin"))
            .map(place -> Path.of(place, "nginx"))
            .toList();
    for (Path place : places) {
      if (Files.isExecutable(place)) {
        return place.toString();
      }
    }
    Path unpacked = UNPACKED.resolve("usr/sbin/nginx");
    Alone.run(UNPACKED.resolveSibling("nginx.lock"), () -> unpack(unpacked));
    if (Files.isExecutable(unpacked)) {
      return unpacked.toString();
    }
    System.out.println("SKIPPED, no nginx was before the nodes: there is none on this machine");
    return Assumptions.abort("there is no nginx on this machine");
  }

  private static Path unpack(Path program) throws Exception {
    if (!Files.isExecutable(program)) {
      Files.createDirectories(UNPACKED);
      String command = "apt-get download nginx && for one in *.deb; do dpkg -x \"$one\" .; done";
      try (Running packages = Running.start(List.of("sh", "-c", command), Map.of(), UNPACKED)) {
        packages.awaitExit();
      }
    }
    return program;
  }

  private static boolean accepts(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (ConnectException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

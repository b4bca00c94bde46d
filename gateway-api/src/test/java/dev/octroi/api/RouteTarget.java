package dev.octroi.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server behind a route that keeps what it was sent, byte for byte, and says what it is told. */
final class RouteTarget implements AutoCloseable {

  /** How an answer is written. */
  @FunctionalInterface
  interface Script {
    void write(OutputStream wire) throws Exception;
  }

  /**
   * A request as it came.
   *
   * @param head with the request line, without the empty line
   */
  record Seen(String head, String body) {

    String line() {
      return head.lines().findFirst().orElse("");
    }

    /** The values of a header, whatever its case. */
    List<String> header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return head.lines()
          .skip(1)
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()).strip())
          .toList();
    }

    Optional<String> one(String name) {
      return header(name).stream().findFirst();
    }
  }

  private final ServerSocket socket;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final Map<String, Script> scripts = new ConcurrentHashMap<>();

  RouteTarget() {
    try {
      socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  List<Seen> seen() {
    return seen;
  }

  Seen last() {
    return seen.get(seen.size() - 1);
  }

  /** From now on writes this for a target; everything else is a small JSON object. */
  void says(String target, String wire) {
    scripts.put(target, out -> out.write(wire.getBytes(StandardCharsets.ISO_8859_1)));
  }

  void says(String target, Script script) {
    scripts.put(target, script);
  }

  /** A whole answer. */
  static String answer(int status, String headers, String body) {
    return "HTTP/1.1 "
        + status
        + " Said\r\n"
        + headers.replace("\n", "\r\n")
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        threads.execute(() -> serve(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        Seen request = new Seen(head, "");
        int length = request.one("Content-Length").map(Integer::parseInt).orElse(0);
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        seen.add(new Seen(head, body));
        String target = request.line().split(" ")[1];
        Script script =
            scripts.getOrDefault(
                target,
                out ->
                    out.write(
                        answer(200, "Content-Type: application/json\n", "{\"ok\":true}")
                            .getBytes(StandardCharsets.UTF_8)));
        script.write(connection.getOutputStream());
        connection.getOutputStream().flush();
      }
    } catch (Exception gone) {
      // The gateway hung up, or the script did.
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    for (int octet = in.read(); octet >= 0; octet = in.read()) {
      head.write(octet);
      String text = head.toString(StandardCharsets.ISO_8859_1);
      if (text.endsWith("\r\n\r\n")) {
        return text.substring(0, text.length() - 4);
      }
    }
    return "";
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}

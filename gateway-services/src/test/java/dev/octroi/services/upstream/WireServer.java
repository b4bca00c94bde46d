package dev.octroi.services.upstream;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** An upstream that can misbehave: whatever the script writes to the socket is what is answered. */
public final class WireServer implements AutoCloseable {

  /** Answers one request. */
  public interface Script {
    void answer(Request request, Wire wire) throws IOException, InterruptedException;
  }

  /** A request as it came. */
  public record Request(String method, String target, Map<String, String> headers, String body) {}

  private final ServerSocket socket;
  private final Script script;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();

  private WireServer(ServerSocket socket, Script script) {
    this.socket = socket;
    this.script = script;
  }

  public static WireServer start(Script script) throws IOException {
    WireServer server =
        new WireServer(new ServerSocket(0, 512, InetAddress.getByName("127.0.0.1")), script);
    server.inBackground(server::accept);
    return server;
  }

  /** Answers everything with this JSON. */
  public static WireServer saying(String json) throws IOException {
    return start((request, wire) -> wire.json(200, json));
  }

  public URI base() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/base");
  }

  public UpstreamSettings settings() {
    return UpstreamSettings.of("test", base());
  }

  public List<Request> requests() {
    return requests;
  }

  private void inBackground(Runnable work) {
    Thread thread = new Thread(work, "wire-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        connections.add(connection);
        inBackground(() -> serve(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      Request request = request(in);
      while (request != null) {
        requests.add(request);
        script.answer(request, new Wire(connection, in));
        request = connection.isClosed() ? null : request(in);
      }
    } catch (IOException gone) {
      // the caller hung up, as some tests want it to
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static Request request(InputStream in) throws IOException {
    String start = line(in);
    if (start.isEmpty()) {
      return null;
    }
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    String[] words = start.split(" ");
    return new Request(words[0], words[1], headers, body);
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int octet = in.read(); octet >= 0 && octet != '\n'; octet = in.read()) {
      line.write(octet);
    }
    return line.toString(StandardCharsets.ISO_8859_1).strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }

  /** The caller's end of a connection. */
  public static final class Wire {

    private final Socket connection;
    private final InputStream in;

    Wire(Socket connection, InputStream in) {
      this.connection = connection;
      this.in = in;
    }

    public void json(int status, String body) throws IOException {
      answer(status, "Content-Type: application/json\r\n", body.getBytes(StandardCharsets.UTF_8));
    }

    /** A whole answer; the headers each end with CR LF. */
    public void answer(int status, String headers, byte[] body) throws IOException {
      String head =
          "HTTP/1.1 " + status + " X\r\n" + headers + "Content-Length: " + body.length + "\r\n\r\n";
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
      whole.writeBytes(body);
      connection.getOutputStream().write(whole.toByteArray());
      connection.getOutputStream().flush();
    }

    /** Anything. */
    public void text(String text) throws IOException {
      connection.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      connection.getOutputStream().flush();
    }

    public void cut() throws IOException {
      connection.close();
    }

    /** Says nothing until the caller hangs up, and then counts the latch down. */
    public void hang(CountDownLatch hungUp) {
      try {
        while (in.read() >= 0) {
          continue;
        }
      } catch (IOException reset) {
        // hanging up hard is hanging up
      }
      hungUp.countDown();
    }
  }
}

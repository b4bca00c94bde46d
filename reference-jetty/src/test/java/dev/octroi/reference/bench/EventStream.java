package dev.octroi.reference.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;

/**
 * A connection on which the messages protocol is streamed, read by the thread that waits for it: no
 * client library stands between the bytes and the clock. For one thread.
 */
final class EventStream implements AutoCloseable {

  private static final String END = "\r\n0\r\n\r\n";
  private static final String EVENT = "event: ";
  private static final int TIMEOUT_MILLIS = 120_000;

  private final URI messages;
  private final String key;
  private final Socket socket = new Socket();
  private final byte[] chunk = new byte[64 * 1024];

  /**
   * What came of one call.
   *
   * @param firstNanos from the request to the first byte of the body
   * @param lastNanos to the last
   * @param events how many came
   * @param whole whether the last of them says that it is the last
   */
  record Heard(long firstNanos, long lastNanos, int events, boolean whole) {

    double eventMicros() {
      return (lastNanos - firstNanos) / 1_000.0 / Math.max(1, events - 1);
    }
  }

  /** Something to be told that the body has begun. */
  interface Begun {
    void begun();
  }

  /**
   * Connects.
   *
   * @param base below which {@code /messages} lies
   */
  EventStream(URI base, String key) throws IOException {
    this.messages = URI.create(base + "/messages");
    this.key = key;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(base.getHost(), base.getPort()), TIMEOUT_MILLIS);
  }

  /** Asks the model and reads its answer to the end. */
  Heard ask(String words, Begun begun) throws IOException {
    byte[] request = request(words);
    long asked = System.nanoTime();
    OutputStream out = socket.getOutputStream();
    out.write(request);
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0 || head.length() == head.indexOf("\r\n\r\n") + 4) {
      head.append(read(in));
    }
    long first = System.nanoTime();
    if (!head.toString().startsWith("HTTP/1.1 200")) {
      throw new IOException(head.toString());
    }
    begun.begun();
    String rest = head.substring(head.indexOf("\r\n\r\n"));
    int events = count(rest);
    while (!rest.endsWith(END)) {
      String more = read(in);
      events += count(rest.substring(Math.max(0, rest.length() - EVENT.length() + 1)) + more);
      rest = (rest + more).substring(Math.max(0, rest.length() + more.length() - 200));
    }
    return new Heard(
        first - asked, System.nanoTime() - asked, events, rest.contains("event: message_stop"));
  }

  private String read(InputStream in) throws IOException {
    int count = in.read(chunk);
    if (count < 0) {
      throw new SocketException("The stream broke off");
    }
    return new String(chunk, 0, count, ISO_8859_1);
  }

  private static int count(String text) {
    int events = 0;
    for (int at = text.indexOf(EVENT); at >= 0; at = text.indexOf(EVENT, at + 1)) {
      events++;
    }
    return events;
  }

  private byte[] request(String words) {
    String body =
        "{\"model\":\"claude-haiku-4.5\",\"max_tokens\":4000,\"stream\":true,\"messages\":"
            + "[{\"role\":\"user\",\"content\":\""
            + words
            + "\"}]}";
    String head =
        "POST "
            + messages.getPath()
            + " HTTP/1.1\r\nHost: "
            + messages.getAuthority()
            + "\r\nContent-Type: application/json\r\nanthropic-version: 2023-06-01\r\nx-api-key: "
            + key
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    return (head + body).getBytes(UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

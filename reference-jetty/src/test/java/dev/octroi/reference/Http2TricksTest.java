package dev.octroi.reference;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.HttpSettings;
import dev.octroi.api.settings.HttpSettings.TlsSettings;
import dev.octroi.api.settings.Secret;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers who speak HTTP/2 frame by frame, and mean harm. */
class Http2TricksTest {

  private static final int CONNECTIONS = 7;

  /** All connections together have more than there are threads for calls. */
  private static final int STREAMS = 100;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int FRAME = 1 << 14;

  @TempDir private static Path folder;

  private static TestCertificate certificate;
  private static JettyServer server;

  @BeforeAll
  static void serve() throws Exception {
    certificate = TestCertificate.made(folder, "first", "EC");
    HttpSettings usual = BareJersey.HTTP;
    HttpSettings settings =
        new HttpSettings(
            usual.bindAddress(),
            usual.port(),
            usual.threads(),
            usual.publicUrl(),
            usual.hosts(),
            usual.trustedProxies(),
            new TlsSettings(
                Optional.empty(),
                Optional.empty(),
                Optional.of(certificate.store()),
                new Secret(TestCertificate.PASSWORD),
                Duration.ofSeconds(1)),
            usual.gzip(),
            usual.gzipFrom(),
            usual.shutdownGrace(),
            usual.drainDelay(),
            usual.ownPrefix());
    server = JettyServer.start(settings, BareJersey.BODIES, new JettyServerTest.Large());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertServed() throws Exception {
    HttpResponse<byte[]> answer =
        HttpClient.newBuilder()
            .sslContext(certificate.trusted())
            .build()
            .send(
                HttpRequest.newBuilder(server.baseUrl()).timeout(Duration.ofSeconds(30)).build(),
                BodyHandlers.ofByteArray());
    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(answer.body()).hasSize(JettyServerTest.LARGE);
  }

  /** They hold threads, but never all of them. */
  @Test
  void answersForWhichACallerLeavesNoRoomHoldFewThreads() throws Exception {
    List<Frames> slow = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        Frames one = new Frames(0);
        slow.add(one);
        for (int stream = 0; stream < STREAMS; stream++) {
          one.send(HEADERS, END_STREAM | END_HEADERS, 2 * stream + 1, get());
        }
      }
      assertServed();
    } finally {
      for (Frames one : slow) {
        one.close();
      }
    }
  }

  /** The connection may be a proxy's, with the calls of others on it. */
  @Test
  void headersOverTheLimitAreRefusedAndTheOtherStreamsOfTheConnectionGoOn() throws Exception {
    try (Frames caller = new Frames(1 << 30)) {
      caller.send(HEADERS, END_STREAM, 1, get());
      byte[] piece = header("a".repeat(8000));
      for (int i = 0; i < 12; i++) {
        caller.send(CONTINUATION, i == 11 ? END_HEADERS : 0, 1, piece);
      }
      caller.send(HEADERS, END_STREAM | END_HEADERS, 3, get());

      assertThat(caller.readUntilEnd(1, 3)).contains("end 1", "end 3").doesNotContain("goaway");
    }
    HttpClient client = HttpClient.newBuilder().sslContext(certificate.trusted()).build();
    HttpResponse<String> refused =
        client.send(
            HttpRequest.newBuilder(server.baseUrl()).header("x", "a".repeat(100_000)).build(),
            BodyHandlers.ofString());
    assertThat(refused.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(refused.statusCode()).isEqualTo(431);
    assertThat(refused.body()).startsWith("{\"error\":");
  }

  @Test
  void headersThatNeverEndAreHungUpOn() throws Exception {
    try (Frames caller = new Frames(1 << 30)) {
      caller.send(HEADERS, END_STREAM, 1, get());
      byte[] piece = header("a".repeat(8000));
      int sent = 0;
      try {
        for (; sent < 10_000; sent++) {
          caller.send(CONTINUATION, 0, 1, piece);
        }
      } catch (IOException cutOff) {
        // It is meant to be.
      }
      assertThat(sent).isLessThan(10_000);
    }
    assertServed();
  }

  @Test
  void streamsThatAreResetAtOnceKeepNoCallerOut() throws Exception {
    try (Frames caller = new Frames(0)) {
      for (int stream = 0; stream < 20_000; stream++) {
        caller.send(HEADERS, END_STREAM | END_HEADERS, 2 * stream + 1, get());
        caller.send(RST_STREAM, 0, 2 * stream + 1, new byte[] {0, 0, 0, 8});
      }
    } catch (IOException cutOff) {
      // It may be.
    }
    assertServed();
  }

  /** A tunnel has no body that comes or ends: to await one took all memory of the node. */
  @Test
  void tunnelsAreRefused() throws Exception {
    for (int flags : List.of(END_HEADERS, END_STREAM | END_HEADERS)) {
      try (Frames caller = new Frames(1 << 30)) {
        caller.send(HEADERS, flags, 1, literal(2, "CONNECT", 1, "localhost:443"));

        assertThat(caller.text(1)).contains("The method is not allowed");
      }
    }
    assertServed();
  }

  @Test
  void aRequestThatNamesNoHostIsRefused() throws Exception {
    try (Frames caller = new Frames(1 << 30)) {
      caller.send(HEADERS, END_STREAM | END_HEADERS, 1, literal(2, "GET", 4, "/", 6, "https"));

      assertThat(caller.text(1)).contains("malformed");
    }
  }

  /** As a proxy sends on what came by HTTP/1.1. */
  @Test
  void aRequestMayNameItsHostByTheHeader() throws Exception {
    try (Frames caller = new Frames(1 << 30)) {
      byte[] named = literal(2, "GET", 4, "/", 6, "https", 38, "localhost");
      caller.send(HEADERS, END_STREAM | END_HEADERS, 1, named);

      assertThat(caller.text(1)).doesNotContain("error").hasSizeGreaterThan(1000);
    }
  }

  /** Values of names that are in the static table, each by its place there. */
  private static byte[] literal(Object... placesAndValues) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < placesAndValues.length; i += 2) {
      String value = (String) placesAndValues[i + 1];
      int place = (int) placesAndValues[i];
      block.write(Math.min(place, 15));
      if (place >= 15) {
        block.write(place - 15);
      }
      block.write(value.length());
      block.write(value.getBytes(US_ASCII));
    }
    return block.toByteArray();
  }

  private static byte[] get() throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    // Of the static table: the method GET, the scheme https, the path /, an authority.
    block.write(new byte[] {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x41, 9});
    block.write("localhost".getBytes(US_ASCII));
    return block.toByteArray();
  }

  /** A header that no table gets to know. */
  private static byte[] header(String value) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(new byte[] {0, 1, 'x', 0x7f});
    int rest = value.length() - 127;
    while (rest >= 128) {
      block.write(rest % 128 + 128);
      rest /= 128;
    }
    block.write(rest);
    block.write(value.getBytes(US_ASCII));
    return block.toByteArray();
  }

  /** One connection. */
  private static final class Frames implements Closeable {

    private final SSLSocket socket;
    private final OutputStream out;

    Frames(int window) throws Exception {
      socket =
          (SSLSocket)
              certificate
                  .trusted()
                  .getSocketFactory()
                  .createSocket("127.0.0.1", server.baseUrl().getPort());
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(30_000);
      out = socket.getOutputStream();
      out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
      // The fourth setting: how much of an answer may come.
      send(SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) 4).putInt(window).array());
      if (window > 0) {
        // All streams share another one, which one long answer would use up.
        send(WINDOW_UPDATE, 0, 0, ByteBuffer.allocate(4).putInt(window).array());
      }
    }

    void send(int type, int flags, int stream, byte[] payload) throws IOException {
      ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
      frame.put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags);
      frame.putInt(stream).put(payload);
      out.write(frame.array());
    }

    /** The first part of what is answered to a stream. */
    String text(int asked) throws IOException {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] payload = new byte[in.readUnsignedByte() << 16 | in.readUnsignedShort()];
        int type = in.readUnsignedByte();
        in.readUnsignedByte();
        int stream = in.readInt();
        in.readFully(payload);
        if (type == DATA && stream == asked) {
          return new String(payload, US_ASCII);
        }
      }
    }

    /** What is said until two streams have ended, or the connection. */
    Set<String> readUntilEnd(int one, int other) throws IOException {
      Set<String> said = new HashSet<>();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (!said.containsAll(Set.of("end " + one, "end " + other)) && !said.contains("goaway")) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        in.skipNBytes(length);
        if (type == GOAWAY) {
          said.add("goaway");
        } else if (type == RST_STREAM) {
          said.add("reset " + stream);
        } else if (type == DATA && length == FRAME) {
          // That a long answer comes is enough.
          said.add("end " + stream);
        } else if ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
          said.add("end " + stream);
        }
      }
      return said;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}

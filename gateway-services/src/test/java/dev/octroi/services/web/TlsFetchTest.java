package dev.octroi.services.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.Deadline;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageFetcher.Fetched.Page;
import dev.octroi.services.web.PageFetcher.Fetched.Reason;
import dev.octroi.services.web.PageFetcher.Fetched.Refused;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.ssl.SSLContextBuilder;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection to a checked address still speaks to the host by its name. */
class TlsFetchTest {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHello";

  private static final List<String> ASKED_FOR = new CopyOnWriteArrayList<>();

  private static SSLContext keys;
  private static SSLServerSocket server;

  @BeforeAll
  static void serve(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process made =
        new ProcessBuilder(
                (keytool
                        + " -genkeypair -alias s -keyalg EC -dname CN=public.example -ext"
                        + " san=dns:public.example -validity 2 -storetype PKCS12 -storepass"
                        + " changeit -keystore "
                        + store)
                    .split(" "))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
    keys =
        new SSLContextBuilder()
            .loadKeyMaterial(store, PASSWORD, PASSWORD)
            .loadTrustMaterial(store, PASSWORD)
            .build();
    server =
        (SSLServerSocket)
            keys.getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
    Thread thread = new Thread(TlsFetchTest::accept, "tls-server");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static void accept() {
    while (!server.isClosed()) {
      try (SSLSocket connection = (SSLSocket) server.accept()) {
        connection.startHandshake();
        ExtendedSSLSession session = (ExtendedSSLSession) connection.getSession();
        session.getRequestedServerNames().stream()
            .map(name -> ((SNIHostName) name).getAsciiName())
            .forEach(ASKED_FOR::add);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
          if (line.startsWith("Host:")) {
            ASKED_FOR.add(line);
          }
        }
        connection.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException refused) {
        // the client did not like the certificate, as one test wants it
      }
    }
  }

  private static Fetched fetch(String host, SSLContext trust) {
    int port = server.getLocalPort();
    try (PageFetcher fetcher = LoopbackWeb.on(port, trust)) {
      return fetcher.fetch(
          WebAddress.of("https://" + host + ":" + port + "/").orElseThrow(),
          Deadline.in(Duration.ofSeconds(20)));
    }
  }

  @Test
  @Tag("spec:decision.web_fetch.public")
  void theHostIsNamedInTheHandshakeAndInTheRequest() {
    ASKED_FOR.clear();
    assertThat(fetch("public.example", keys)).isInstanceOf(Page.class);
    assertThat(ASKED_FOR)
        .containsExactly("public.example", "Host: public.example:" + server.getLocalPort());
  }

  @Test
  void aCertificateOfAnotherNameOrOfNoAuthorityIsRefused() {
    assertThat(fetch("other.example", keys)).isEqualTo(new Refused(Reason.UNREACHABLE));
    assertThat(fetch("public.example", SSLContexts.createSystemDefault()))
        .isEqualTo(new Refused(Reason.UNREACHABLE));
  }
}

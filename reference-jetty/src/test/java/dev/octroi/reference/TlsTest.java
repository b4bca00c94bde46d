package dev.octroi.reference;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.octroi.api.settings.HttpSettings;
import dev.octroi.api.settings.HttpSettings.TlsSettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.Secret;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.Usd;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.body.BodyPace;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.reference.doctor.Doctor;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole reference deployment over TLS of its own. */
class TlsTest {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private static Path folder;

  private static TestCertificate certificate;
  private static ReferenceGateway gateway;
  private static URI base;

  private static Path chain;
  private static Path key;

  @BeforeAll
  static void serve() throws Exception {
    certificate = TestCertificate.made(folder, "first", "EC");
    chain = folder.resolve("chain.pem");
    key = folder.resolve("key.pem");
    certificate.writeCertificate(chain);
    certificate.writeKey(key);
    gateway =
        start(
            folder.resolve("data"),
            Map.of(
                "gateway.http.tls.certificate", chain.toString(),
                "gateway.http.tls.key", key.toString()));
    base = gateway.baseUrl();
    assertThat(base.getScheme()).isEqualTo("https");
  }

  private static ReferenceGateway start(Path data, Map<String, String> settings) throws Exception {
    Map<String, String> all = new HashMap<>(settings);
    all.put("gateway.http.port", "0");
    return ReferenceGateway.start(
        new ServeOptions(new DataDirectory(data), SettingsSources.none().values("test", all)));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static HttpClient client(TestCertificate trusted, Version version) throws Exception {
    return HttpClient.newBuilder().version(version).sslContext(trusted.trusted()).build();
  }

  @ParameterizedTest
  @EnumSource
  void aCallIsPaidOverBothVersionsOfTheProtocol(Version version) throws Exception {
    HttpClient http = client(certificate, version);
    PayingClient payer =
        new PayingClient(
            http,
            new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
            SpendingLimit.of(Usd.parse("1")));
    HttpRequest read = HttpRequest.newBuilder(base.resolve(READ)).build();

    assertThat(http.send(read, BodyHandlers.ofString()).version()).isEqualTo(version);
    PaidAnswer answer = payer.send(read);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("\"price\"");
    assertThat(answer.quote()).isNotNull();
    assertThat(answer.quote().challenge().resource().url())
        .startsWith("https://127.0.0.1:" + base.getPort() + "/");
  }

  @ParameterizedTest
  @EnumSource
  void aBodyOfAnyLengthArrivesAndAnAnswerWithoutItToo(Version version) throws Exception {
    HttpClient http = client(certificate, version);
    String large = "{\"sql\":\"SELECT 1 -- " + "x".repeat(300_000) + "\"}";
    for (String body : new String[] {"{\"sql\":\"SELECT 1 AS one\"}", large}) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(base.resolve("/v1/marketplace/cryptodata/onchain/sql"))
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isIn(402, 413);
    }
  }

  /** HTTP/2 announces neither how long a body is nor that it comes in pieces. */
  @Test
  void aBodyOfUnknownLengthReachesARoutesServerWhereThePriceBookAsksNothing() throws Exception {
    List<String> come = new CopyOnWriteArrayList<>();
    HttpServer target = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    target.createContext(
        "/",
        exchange -> {
          come.add(new String(exchange.getRequestBody().readAllBytes(), US_ASCII));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    target.start();
    Path book = folder.resolve("prices.properties");
    Files.writeString(book, "group.weather=0\n");
    try (ReferenceGateway free =
        start(
            folder.resolve("free"),
            Map.of(
                "gateway.http.tls.certificate",
                chain.toString(),
                "gateway.http.tls.key",
                key.toString(),
                "gateway.prices.file",
                book.toString(),
                "gateway.routes.weather.path",
                "/weather",
                "gateway.routes.weather.target",
                "http://127.0.0.1:" + target.getAddress().getPort(),
                "gateway.routes.weather.price",
                "0.01"))) {
      HttpResponse<String> answer =
          client(certificate, Version.HTTP_2)
              .send(
                  HttpRequest.newBuilder(free.baseUrl().resolve("/weather/paris"))
                      .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("what is sent")))
                      .build(),
                  BodyHandlers.ofString());

      assertThat(answer.version()).isEqualTo(Version.HTTP_2);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(come).containsExactly("what is sent");
    } finally {
      target.stop(0);
    }
  }

  @Test
  void aBodyThatTakesTooLongEndsItsStreamAndNoOther() throws Exception {
    HttpSettings usual = BareJersey.HTTP;
    HttpSettings settings =
        new HttpSettings(
            usual.bindAddress(),
            usual.port(),
            usual.threads(),
            usual.publicUrl(),
            usual.hosts(),
            usual.trustedProxies(),
            pem(chain, key),
            usual.gzip(),
            usual.gzipFrom(),
            usual.shutdownGrace(),
            usual.drainDelay(),
            usual.ownPrefix());
    BodyBuffer hasty = JettyServerTest.bodies(new BodyPace(Duration.ofSeconds(1), 0));
    AtomicInteger broken = new AtomicInteger();
    try (JettyServer server =
        JettyServer.start(
            settings,
            hasty,
            new JettyServerTest.Echoing(),
            List.of(),
            address -> broken.incrementAndGet())) {
      HttpClient http = client(certificate, Version.HTTP_2);
      SubmissionPublisher<ByteBuffer> slow = new SubmissionPublisher<>();
      CompletableFuture<HttpResponse<String>> late =
          http.sendAsync(
              HttpRequest.newBuilder(server.baseUrl())
                  .POST(BodyPublishers.fromPublisher(slow))
                  .build(),
              BodyHandlers.ofString());
      await().atMost(SOON).until(slow::hasSubscribers);
      slow.submit(ByteBuffer.wrap(new byte[] {'{'}));
      // The client tells no answer before it has sent all: the server tells that it gave up.
      await().atMost(SOON).until(() -> broken.get() == 1);
      HttpResponse<String> whole =
          http.send(
              HttpRequest.newBuilder(server.baseUrl())
                  .timeout(SOON)
                  .POST(BodyPublishers.ofString("{}"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(whole.version()).isEqualTo(Version.HTTP_2);
      assertThat(whole.body()).startsWith("2 ");
      assertThat(
              late.isDone() && !late.isCompletedExceptionally() && late.get().statusCode() == 200)
          .isFalse();
      slow.close();
    }
  }

  /** The gateway calls itself so, and so does the command line of an operator. */
  @Test
  void thisMachineIsServedPlainHttpToo() throws Exception {
    URI plain = URI.create("http://127.0.0.1:" + base.getPort());
    HttpResponse<String> live = get(HttpClient.newHttpClient(), plain.resolve("/health/live"));
    assertThat(live.statusCode()).isEqualTo(200);
    HttpResponse<String> tool =
        client(certificate, Version.HTTP_2)
            .send(
                HttpRequest.newBuilder(base.resolve("/mcp"))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .POST(
                        BodyPublishers.ofString(
                            """
                            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":
                            {"name":"cryptodata_exchange_price","arguments":{"pair":"BTC-USDT"}}}
                            """))
                    .build(),
                BodyHandlers.ofString());
    assertThat(tool.body()).contains("x402Version");
  }

  @Test
  void plainHttpFromElsewhereIsRefused() throws Exception {
    InetAddress own = addressInTheNetwork();
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress("127.0.0.1", 0));
      socket.connect(new InetSocketAddress("127.0.0.1", base.getPort()));
      assertThat(plain(socket)).startsWith("HTTP/1.1 200");
    }
    // From one address of this machine to another one, as two machines would.
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(own, 0));
      socket.connect(new InetSocketAddress("127.0.0.1", base.getPort()));
      assertThat(plain(socket))
          .startsWith("HTTP/1.1 400")
          .contains("{\"error\":\"This address speaks HTTPS.\"}");
    }
  }

  private static String plain(Socket socket) throws IOException {
    String request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    return new String(socket.getInputStream().readAllBytes(), US_ASCII);
  }

  /** By the route that packets would take; none is sent. */
  private static InetAddress addressInTheNetwork() throws IOException {
    try (DatagramSocket route = new DatagramSocket()) {
      route.connect(InetAddress.getByName("192.0.2.1"), 9);
      Assumptions.assumeFalse(
          route.getLocalAddress().isLoopbackAddress(), "this machine is in no network");
      return route.getLocalAddress();
    } catch (java.io.UncheckedIOException | java.net.SocketException e) {
      return Assumptions.abort("this machine is in no network");
    }
  }

  /** As most clients do that know one version alone. */
  @ParameterizedTest
  @ValueSource(strings = {"http/1.1", "h2", ""})
  void whatAClientNamesIsSpoken(String named) throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            certificate.trusted().getSocketFactory().createSocket("127.0.0.1", base.getPort())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(named.isEmpty() ? new String[0] : new String[] {named});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      assertThat(socket.getApplicationProtocol()).isEqualTo(named);
      if (!named.equals("h2")) {
        assertThat(plain(socket)).startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void oldVersionsOfTlsAreNotSpoken() throws Exception {
    SSLContext trusted = certificate.trusted();
    for (String version : new String[] {"TLSv1", "TLSv1.1"}) {
      try (SSLSocket socket =
          (SSLSocket) trusted.getSocketFactory().createSocket("127.0.0.1", base.getPort())) {
        socket.setEnabledProtocols(new String[] {version});
        assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
      }
    }
  }

  @Test
  void newFilesServeNewConnectionsAndBadOnesServeNone() throws Exception {
    TestCertificate first = TestCertificate.made(folder, "renewed-1", "RSA");
    TestCertificate second = TestCertificate.made(folder, "renewed-2", "EC");
    Path chainFile = folder.resolve("renewed.pem");
    Path keyFile = folder.resolve("renewed.key");
    first.writeCertificate(chainFile);
    first.writeKey(keyFile);
    try (ReferenceGateway renewed =
        start(
            folder.resolve("renewed"),
            Map.of(
                "gateway.http.tls.certificate", chainFile.toString(),
                "gateway.http.tls.key", keyFile.toString(),
                "gateway.http.tls.reload", "50ms"))) {
      URI live = renewed.baseUrl().resolve("/health/live");
      HttpClient open = client(first, Version.HTTP_2);
      assertThat(get(open, live).statusCode()).isEqualTo(200);

      // The half of a renewal: the former pair goes on serving.
      second.writeCertificate(chainFile);
      await().during(Duration.ofMillis(500)).atMost(SOON).until(() -> serves(first, live));

      second.writeKey(keyFile);
      await().atMost(SOON).until(() -> serves(second, live));
      assertThat(serves(first, live)).isFalse();
      // What was open stays open.
      assertThat(get(open, live).statusCode()).isEqualTo(200);

      Files.delete(keyFile);
      await().during(Duration.ofMillis(300)).atMost(SOON).until(() -> serves(second, live));
    }
  }

  private static boolean serves(TestCertificate trusted, URI live) throws Exception {
    try {
      return get(client(trusted, Version.HTTP_2), live).statusCode() == 200;
    } catch (SSLHandshakeException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void aPkcs12FileServesToo(String algorithm) throws Exception {
    TestCertificate stored = TestCertificate.made(folder, "stored-" + algorithm, algorithm);
    try (ReferenceGateway other =
        start(
            folder.resolve("stored-" + algorithm),
            Map.of(
                "gateway.http.tls.key-store",
                stored.store().toString(),
                "gateway.http.tls.password",
                TestCertificate.PASSWORD))) {
      assertThat(serves(stored, other.baseUrl().resolve("/health/live"))).isTrue();
    }
  }

  private static HttpResponse<String> get(HttpClient http, URI address) throws Exception {
    return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
  }

  private static TlsSettings pem(Path chain, Path key) {
    return settings(Optional.of(chain), Optional.of(key), Optional.empty(), "");
  }

  private static TlsSettings settings(
      Optional<Path> chain, Optional<Path> key, Optional<Path> store, String password) {
    return new TlsSettings(chain, key, store, new Secret(password), Duration.ofSeconds(1));
  }

  private static void assertRefused(TlsSettings settings, String sentence) {
    assertThatThrownBy(() -> TlsCertificate.read(settings))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void whatIsWrongWithTheFilesIsOneSentence() throws Exception {
    Path other = folder.resolve("other.key");
    TestCertificate.made(folder, "other", "EC").writeKey(other);
    Path otherKind = folder.resolve("other-kind.key");
    TestCertificate.made(folder, "other-kind", "RSA").writeKey(otherKind);
    Path old = folder.resolve("old.key");
    Files.writeString(old, "-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n");
    Path none = folder.resolve("none.pem");
    String gone = folder.resolve("gone.pem").toString();

    assertRefused(
        pem(Path.of(gone), key),
        "gateway.http.tls.certificate is " + gone + ": there is no such file");
    assertRefused(
        pem(chain, Path.of(gone)), "gateway.http.tls.key is " + gone + ": there is no such file");
    assertRefused(pem(folder, key), ": the file cannot be read");
    assertRefused(
        pem(chain, other),
        "gateway.http.tls.key is " + other + ": the key does not belong to the certificate");
    assertRefused(pem(chain, otherKind), "the key does not belong to the certificate");
    assertRefused(pem(chain, old), "openssl pkcs8 -topk8");
    assertRefused(pem(key, key), "the file has no certificate in the form PEM");
    assertRefused(pem(chain, chain), "the file has no private key in the form PEM");
    Files.writeString(none, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    assertRefused(pem(none, key), "the file has a certificate that cannot be read");
    assertRefused(
        settings(
            Optional.empty(), Optional.empty(), Optional.of(certificate.store()), "another word"),
        "gateway.http.tls.password is not its password");
    assertThat(TlsCertificate.read(pem(chain, key)).untimely()).isEmpty();
    assertThat(
            TlsCertificate.read(
                    settings(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(TestCertificate.expired(folder, "expired").store()),
                        TestCertificate.PASSWORD))
                .untimely())
        .contains("has expired");
  }

  @Test
  void theDoctorLooksAtTheCertificateToo() throws Exception {
    String expired = TestCertificate.expired(folder, "late").store().toString();

    assertThat(examined(certificate.store().toString()))
        .isEqualTo("GOOD the certificate of CN=first fits its key");
    assertThat(examined(expired)).isEqualTo("WARNING the certificate of CN=late has expired");
    assertThat(examined("/nowhere.p12"))
        .isEqualTo("BAD gateway.http.tls.key-store is /nowhere.p12: there is no such file");
  }

  private static String examined(String store) throws InterruptedException {
    ServeOptions options =
        new ServeOptions(
            new DataDirectory(folder.resolve("examined")),
            SettingsSources.none()
                .values(
                    "test",
                    Map.of(
                        "gateway.http.tls.key-store",
                        store,
                        "gateway.http.tls.password",
                        TestCertificate.PASSWORD)));
    return Doctor.examine(options, false, Clock.systemUTC()).stream()
        .filter(finding -> finding.subject().equals("tls"))
        .map(finding -> finding.level() + " " + finding.what())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void withoutItsFilesTheGatewayDoesNotStart() {
    assertThatThrownBy(
            () ->
                start(
                    folder.resolve("unstarted"),
                    Map.of(
                        "gateway.http.tls.certificate", "/nowhere.pem",
                        "gateway.http.tls.key", "/nowhere.key")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("/nowhere.pem: there is no such file");
  }
}

package dev.octroi.services.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.Deadline;
import dev.octroi.services.HostThreads;
import dev.octroi.services.upstream.WireServer;
import dev.octroi.services.upstream.WireServer.Script;
import dev.octroi.services.web.Guard.PublicAddresses;
import dev.octroi.services.web.PageFetcher.FetchLimits;
import dev.octroi.services.web.PageFetcher.Fetched;
import dev.octroi.services.web.PageFetcher.Fetched.Page;
import dev.octroi.services.web.PageFetcher.Fetched.Reason;
import dev.octroi.services.web.PageFetcher.Fetched.Refused;
import dev.octroi.services.web.PageFetcher.Wanted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a fetch does on the wire. The server stands on the loopback address, which the guard of most
 * of these tests takes for public; every other address that is not stays closed.
 */
class PageFetcherTest {

  private static final int LIMIT = 64 << 10;
  private static final FetchLimits LIMITS = new FetchLimits(Duration.ofSeconds(20), LIMIT, 3, 4);
  private static final String HTML = "Content-Type: text/html; charset=utf-8\r\n";

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<String> lookedUp = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private WireServer server(Script script) throws IOException {
    WireServer server = WireServer.start(script);
    opened.add(server);
    return server;
  }

  /** Names: inside.example is private; every other is the server's. */
  private List<InetAddress> resolved(String host) throws UnknownHostException {
    lookedUp.add(host);
    return switch (host) {
      case "inside.example" -> List.of(address("10.0.0.7"));
      case "both.example" -> List.of(address("127.0.0.1"), address("192.168.0.1"));
      case "turning.example" ->
          List.of(address(lookedUp.size() == 1 ? "127.0.0.1" : "169.254.169.254"));
      case "nowhere.example" -> throw new UnknownHostException(host);
      default -> List.of(address("127.0.0.1"));
    };
  }

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }

  private PageFetcher fetcher(WireServer server, FetchLimits limits) throws IOException {
    return fetcher(server, limits, Wanted.TEXT);
  }

  private PageFetcher fetcher(WireServer server, FetchLimits limits, Wanted wanted)
      throws IOException {
    InetAddress here = address("127.0.0.1");
    Guard guard =
        new Guard(
            Set.of(server.base().getPort()),
            this::resolved,
            one -> one.equals(here) || PublicAddresses.contain(one));
    PageFetcher fetcher =
        new PageFetcher(
            limits, guard, wanted, SSLContexts::createSystemDefault, HostThreads.OF_THE_JVM);
    opened.add(fetcher);
    return fetcher;
  }

  private Fetched fetch(WireServer server, String host, String path) throws IOException {
    return fetcher(server, LIMITS).fetch(at(server, host, path), soon());
  }

  private static WebAddress at(WireServer server, String host, String path) {
    return WebAddress.of("http://" + host + ":" + server.base().getPort() + path).orElseThrow();
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  private static Reason reason(Fetched fetched) {
    assertThat(fetched).isInstanceOf(Refused.class);
    return ((Refused) fetched).reason();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @Tag("spec:decision.web_fetch.own")
  void aPageIsFetchedAndItsHostIsNamed() throws IOException {
    WireServer server = server((request, wire) -> wire.answer(200, HTML, bytes("<p>Hello</p>")));
    Page page = (Page) fetch(server, "public.example", "/a?b=c");
    assertThat(new String(page.body(), StandardCharsets.UTF_8)).isEqualTo("<p>Hello</p>");
    assertThat(page.html()).isTrue();
    assertThat(page.charset()).contains(StandardCharsets.UTF_8);
    WireServer.Request request = server.requests().get(0);
    assertThat(request.target()).isEqualTo("/a?b=c");
    assertThat(request.headers())
        .containsEntry("Host", "public.example:" + server.base().getPort())
        .doesNotContainKeys("Authorization", "Cookie", "Proxy-Authorization");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "017700000001",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:0:0:1]",
        "169.254.169.254",
        "10.0.0.1",
        "[fd00::1]"
      })
  @Tag("spec:decision.web_fetch.public")
  @Tag("spec:limit.web_content")
  void noSpellingOfAPrivateAddressIsConnectedTo(String host) throws IOException {
    WireServer server = server((request, wire) -> wire.answer(200, HTML, bytes("secret")));
    Set<Integer> ports = Set.of(server.base().getPort());
    try (PageFetcher fetcher = new PageFetcher(LIMITS, ports, HostThreads.OF_THE_JVM)) {
      Fetched fetched = fetcher.fetch(at(server, host, "/"), soon());
      assertThat(reason(fetched)).isEqualTo(Reason.NOT_PUBLIC);
    }
    assertThat(server.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"inside.example", "both.example"})
  @Tag("spec:decision.web_fetch.public")
  void aNameWithAnyPrivateAddressIsNotConnectedTo(String host) throws IOException {
    WireServer server = server((request, wire) -> wire.answer(200, HTML, bytes("secret")));
    assertThat(reason(fetch(server, host, "/"))).isEqualTo(Reason.NOT_PUBLIC);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  @Tag("spec:decision.web_fetch.public")
  void aRedirectionToAPrivateAddressIsNotFollowed() throws IOException {
    WireServer server =
        server(
            (request, wire) ->
                wire.answer(302, "Location: http://inside.example/\r\n", new byte[0]));
    assertThat(reason(fetch(server, "public.example", "/"))).isEqualTo(Reason.NOT_PUBLIC);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  @Tag("spec:decision.web_fetch.public")
  void aNameIsLookedUpOnceForEachConnection() throws IOException {
    WireServer server = server((request, wire) -> wire.answer(200, HTML, bytes("<p>Hello</p>")));
    assertThat(fetch(server, "turning.example", "/")).isInstanceOf(Page.class);
    assertThat(lookedUp).containsExactly("turning.example");
  }

  @Test
  @Tag("spec:decision.web_fetch.public")
  void aNameThatTurnsPrivateBetweenRedirectionsIsNotConnectedTo() throws IOException {
    WireServer server =
        server((request, wire) -> wire.answer(302, "Location: /again\r\n", new byte[0]));
    assertThat(reason(fetch(server, "turning.example", "/"))).isEqualTo(Reason.NOT_PUBLIC);
    assertThat(server.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "http://public.example:22/",
    "http://public.example/",
    "https://public.example/",
    "http://public.example:6379/"
  })
  @Tag("spec:decision.web_fetch.public")
  void onlyTheSetPortsAreConnectedTo(String url) throws IOException {
    WireServer server = server((request, wire) -> wire.answer(200, HTML, bytes("secret")));
    Fetched fetched = fetcher(server, LIMITS).fetch(WebAddress.of(url).orElseThrow(), soon());
    assertThat(reason(fetched)).isEqualTo(Reason.NOT_PUBLIC);
    assertThat(lookedUp).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"3, true", "4, false"})
  @Tag("spec:decision.web_fetch.limits")
  void soManyRedirectionsAreFollowed(int redirects, boolean followed) throws IOException {
    WireServer server =
        server(
            (request, wire) -> {
              int next = Integer.parseInt(request.target().substring(1)) - 1;
              if (next < 0) {
                wire.answer(200, HTML, bytes("<p>End</p>"));
              } else {
                wire.answer(307, "Location: /" + next + "\r\n", new byte[0]);
              }
            });
    Fetched fetched = fetch(server, "public.example", "/" + redirects);
    assertThat(fetched instanceof Page).isEqualTo(followed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:///etc/passwd", "http://u:p@public.example/", "gopher://x/", "%zz"})
  @Tag("spec:decision.web_fetch.public")
  void aRedirectionToWhatIsNoPageIsNotFollowed(String location) throws IOException {
    WireServer server =
        server((request, wire) -> wire.answer(301, "Location: " + location + "\r\n", new byte[0]));
    assertThat(reason(fetch(server, "public.example", "/"))).isEqualTo(Reason.REDIRECTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"image/png", "application/pdf", "application/octet-stream", "text/css"})
  @Tag("spec:decision.web_fetch.limits")
  void whatIsNoTextIsRefused(String type) throws IOException {
    WireServer server =
        server((request, wire) -> wire.answer(200, "Content-Type: " + type + "\r\n", bytes("x")));
    assertThat(reason(fetch(server, "public.example", "/"))).isEqualTo(Reason.NOT_TEXT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", "application/vnd.oai.openapi+json;version=3.1", "text/yaml"})
  void aDocumentIsTakenWhereOneIsWanted(String type) throws IOException {
    WireServer server =
        server((request, wire) -> wire.answer(200, "Content-Type: " + type + "\r\n", bytes("{}")));
    Fetched document =
        fetcher(server, LIMITS, Wanted.DOCUMENT).fetch(at(server, "public.example", "/"), soon());
    assertThat(((Page) document).body()).asString().isEqualTo("{}");
  }

  @Test
  void aPageIsRefusedWhereADocumentIsWanted() throws IOException {
    WireServer server = server((request, wire) -> wire.answer(200, HTML, bytes("<p>")));
    assertThat(
            reason(
                fetcher(server, LIMITS, Wanted.DOCUMENT)
                    .fetch(at(server, "public.example", "/"), soon())))
        .isEqualTo(Reason.NOT_DOCUMENT);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 204, 400, 401, 404, 500, 503})
  void anAnswerThatIsNoPageIsRefused(int status) throws IOException {
    WireServer server = server((request, wire) -> wire.answer(status, HTML, new byte[0]));
    assertThat(reason(fetch(server, "public.example", "/"))).isEqualTo(Reason.STATUS);
  }

  @Test
  void aHostThatIsNotThereIsUnreachable() throws IOException {
    WireServer server = server((request, wire) -> wire.cut());
    assertThat(reason(fetch(server, "nowhere.example", "/"))).isEqualTo(Reason.UNREACHABLE);
    assertThat(reason(fetch(server, "public.example", "/"))).isEqualTo(Reason.UNREACHABLE);
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void anEndlessPageIsHungUpOn() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    WireServer server =
        server(
            (request, wire) -> {
              wire.text("HTTP/1.1 200 OK\r\n" + HTML + "\r\n");
              try {
                while (hungUp.getCount() > 0) {
                  wire.text("x".repeat(8192));
                }
              } catch (IOException refused) {
                hungUp.countDown();
              }
            });
    assertThat(reason(fetch(server, "public.example", "/"))).isEqualTo(Reason.TOO_LARGE);
    assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void aPageMayBeAsLargeAsTheLimit() throws IOException {
    WireServer server =
        server(
            (request, wire) ->
                wire.answer(200, HTML, new byte[LIMIT + (request.target().equals("/") ? 0 : 1)]));
    assertThat(((Page) fetch(server, "public.example", "/")).body()).hasSize(LIMIT);
    assertThat(reason(fetch(server, "public.example", "/more"))).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void aGzipBombIsNotInflated() throws IOException {
    byte[] bomb = gzip(new byte[32 << 20]);
    assertThat(bomb).hasSizeLessThan(LIMIT);
    WireServer server =
        server((request, wire) -> wire.answer(200, HTML + "Content-Encoding: gzip\r\n", bomb));
    assertThat(reason(fetch(server, "public.example", "/"))).isEqualTo(Reason.TOO_LARGE);
  }

  @Test
  void aCompressedPageIsInflated() throws IOException {
    byte[] body = gzip(bytes("<p>Hello</p>"));
    WireServer server =
        server((request, wire) -> wire.answer(200, HTML + "Content-Encoding: gzip\r\n", body));
    Page page = (Page) fetch(server, "public.example", "/");
    assertThat(new String(page.body(), StandardCharsets.UTF_8)).isEqualTo("<p>Hello</p>");
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void aPageThatDripsIsHungUpOnAtTheDeadline() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    WireServer server =
        server(
            (request, wire) -> {
              wire.text("HTTP/1.1 200 OK\r\n" + HTML + "Content-Length: 1000\r\n\r\n<p>");
              wire.hang(hungUp);
            });
    FetchLimits brief = new FetchLimits(Duration.ofMillis(300), LIMIT, 3, 4);
    Fetched fetched = fetcher(server, brief).fetch(at(server, "public.example", "/"), soon());
    assertThat(reason(fetched)).isEqualTo(Reason.TOO_SLOW);
    assertThat(hungUp.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @Tag("spec:decision.web_fetch.limits")
  void severalPagesComeInTheirOrder() throws IOException {
    WireServer server =
        server(
            (request, wire) ->
                wire.answer(
                    request.target().equals("/3") ? 404 : 200, HTML, bytes(request.target())));
    List<WebAddress> addresses = new ArrayList<>();
    for (int page = 0; page < 12; page++) {
      addresses.add(at(server, "public.example", "/" + page));
    }
    List<Fetched> fetched = fetcher(server, LIMITS).fetchAll(addresses, soon(), page -> page);
    assertThat(fetched).hasSize(12);
    assertThat(reason(fetched.get(3))).isEqualTo(Reason.STATUS);
    assertThat(new String(((Page) fetched.get(11)).body(), StandardCharsets.UTF_8))
        .isEqualTo("/11");
  }
}

package dev.octroi.services.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.cryptodata.CryptoDataConnector;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.VenueWords;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever data the upstream tells, in whatever spelling, leaves as it came. */
class PassThroughTest {

  private static final AtomicReference<String> SAYS = new AtomicReference<>("{}");
  private static WireServer server;
  private static UpstreamClient client;
  private static Reads reads;

  @BeforeContainer
  static void start() throws IOException {
    server = WireServer.start((request, wire) -> wire.json(200, SAYS.get()));
    client = new UpstreamClient(server.settings());
    reads =
        new UpstreamReads(
            client,
            new CryptoDataConnector(true, VenueWords.none()),
            CacheSettings.standard(),
            Clock.systemUTC());
  }

  @AfterContainer
  static void stop() throws IOException {
    client.close();
    server.close();
  }

  @Property(tries = 200)
  @Tag("spec:decision.crypto.pass_through")
  void bytesPassUntouched(@ForAll("json") String body) {
    SAYS.set(body);
    Answer answer =
        reads.read(
            CryptoDataRead.SEARCH_WEB,
            Map.of(),
            Map.of("q", List.of("x")),
            Deadline.in(Duration.ofSeconds(30)));
    assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo(body);
  }

  @Provide
  Arbitrary<String> json() {
    Arbitrary<String> blank = Arbitraries.of("", " ", "\n", "\t ");
    Arbitrary<String> leaf =
        Arbitraries.of(
            "1",
            "-0",
            "1.50",
            "1e+2",
            "0.0000001",
            "12345678901234567890.10",
            "null",
            "true",
            "\"\"",
            "\"ü\\u00fc\\/\"",
            "\"a\\\"b\"");
    Arbitrary<String> value =
        Arbitraries.recursive(
            () -> leaf,
            inner ->
                Arbitraries.oneOf(
                    inner.list().ofMaxSize(3).map(list -> "[" + String.join(" ,", list) + "]"),
                    inner
                        .list()
                        .ofMaxSize(3)
                        .map(list -> "{\"a\": " + String.join(",\t\"b\" :", "0", "1") + list(list))
                        .map(text -> text + "}")),
            0,
            3);
    return value.flatMap(
        text ->
            blank.map(
                space ->
                    space + "{\"data\":" + space + "[{\"id\":1,\"said\":" + text + "}]}" + space));
  }

  private static String list(List<String> values) {
    StringBuilder members = new StringBuilder();
    for (int at = 0; at < values.size(); at++) {
      members.append(", \"k").append(at).append("\":").append(values.get(at));
    }
    return members.toString();
  }
}

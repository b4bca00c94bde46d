package dev.octroi.services.prediction;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VenueWords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A prediction vendor on the loopback that says what it was told to and remembers its requests. */
final class Vendor implements AutoCloseable {

  /** Names that no vendor has, so that a name in the code would fail the tests. */
  static final VenueWords WORDS =
      new VenueWords(
          Map.of(
              "venue-a", "alphaex",
              "venue-b", "betaex",
              "venue-c", "gammaex",
              "venue-d", "deltaex",
              "venue-e", "epsilonex",
              "venue-f", "zetaex, zeta",
              "exchange-a", "tickex",
              "oracle", "pythia"));

  /** 2026-06-09, 10:13:20 UTC. */
  static final Clock NOW = Clock.fixed(Instant.ofEpochSecond(1_781_000_000), ZoneOffset.UTC);

  private record Said(int status, Map<String, String> headers, byte[] body) {}

  /** Whatever is asked for, there is none of it. */
  private static final Said NOTHING =
      new Said(
          200,
          Map.of(),
          Stream.of(
                  "activities, candles, candlesticks, categories, cohorts, data, entries, events, game_id, games",
                  "items, listings, markets, matches, metrics, open_interest_over_time, pairs",
                  "pnl_over_time, positioning, positions, predexon_id, profiles, question, siblings",
                  "similar_wallets, snapshots, ticks, trades, user, volume_over_time")
              .flatMap(line -> Stream.of(line.split(", ")))
              .map(member -> "\"" + member + "\":[]")
              .collect(Collectors.joining(",", "{\"price\":0.5,\"profile\":{\"type\":\"\"},", "}"))
              .getBytes(UTF_8));

  private final HttpServer server;
  private final Map<String, Said> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  Vendor() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  /** Says this sample with 200 at a path. */
  Vendor says(String path, String sample) {
    return says(path, 200, Map.of(), Samples.bytes(sample));
  }

  Vendor says(String path, int status, Map<String, String> headers, byte[] body) {
    answers.put("/v2" + path, new Said(status, headers, body));
    return this;
  }

  /** Method, target below the base address, and body if there was one, in order of arrival. */
  List<String> requests() {
    return requests;
  }

  UpstreamSettings settings() {
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v2");
    return UpstreamSettings.of("prediction", base).with(WORDS);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] sent = exchange.getRequestBody().readAllBytes();
      URI target = exchange.getRequestURI();
      requests.add(
          String.join(
                  " ",
                  exchange.getRequestMethod(),
                  target.toString().substring("/v2".length()),
                  new String(sent, UTF_8))
              .strip());
      Said said = answers.getOrDefault(target.getRawPath(), NOTHING);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      said.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(said.status(), said.body().length);
      exchange.getResponseBody().write(said.body());
    }
  }
}

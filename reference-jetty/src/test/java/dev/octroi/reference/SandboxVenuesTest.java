package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.sandbox.Sandbox;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.prediction.PredictionRead;
import dev.octroi.services.prediction.PredictionReads;
import dev.octroi.services.prediction.PredictionReads.PredictionSettings;
import dev.octroi.services.read.UpstreamReads.CacheSettings;
import dev.octroi.services.upstream.Credential;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamSettings;
import dev.octroi.services.upstream.VenueWords;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sandbox's settings name every word that its vendors have for a venue. */
class SandboxVenuesTest {

  private static final String VENUES = "gateway.venues.";
  private static final Sandbox SANDBOX = Sandbox.start();

  private final Map<String, String> settings = SANDBOX.settings();

  @AfterAll
  static void stop() {
    SANDBOX.close();
  }

  /** A venue whose word in paths is not its word elsewhere is searched by the other. */
  @ParameterizedTest
  @CsvSource({"venue-a, 0", "venue-b, 0", "venue-d, 0", "venue-e, 0", "venue-f, 1"})
  @Tag("spec:decision.venue_words")
  @Tag("spec:record.search_hit.provider")
  void aSearchHitOfEachVenueHasItsNeutralWord(String venue, int name) throws IOException {
    String word = settings.get(VENUES + venue).split(",", -1)[name];
    URI base = URI.create(settings.get("gateway.upstream.prediction.base-address"));
    UpstreamSettings upstream =
        UpstreamSettings.of("prediction", base).with(words()).with(credential());
    try (UpstreamClient client = new UpstreamClient(upstream)) {
      Answer answer =
          new PredictionReads(
                  client,
                  PredictionSettings.standard(),
                  CacheSettings.standard(),
                  Clock.systemUTC())
              .read(
                  PredictionRead.MARKETS_SEARCH,
                  Map.of(),
                  Map.of("q", List.of("will"), "venue", List.of(word)),
                  Deadline.in(Duration.ofSeconds(20)));

      JsonNode hits = new ObjectMapper().readTree(answer.body()).path("results");
      assertThat(hits).isNotEmpty();
      assertThat(hits).extracting(hit -> hit.path("provider").asText()).containsOnly(venue);
    }
  }

  private VenueWords words() {
    SettingsSources sources = SettingsSources.none().values("sandbox", settings);
    return new VenueWords(GatewaySettings.read(sources).venues());
  }

  private Credential credential() {
    return Credential.header("x-api-key", settings.get("gateway.upstream.prediction.credential"));
  }
}

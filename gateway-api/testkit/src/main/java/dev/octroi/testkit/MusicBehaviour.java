package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Music as the sandbox plays it, and the files that its answers link to. */
abstract class MusicBehaviour extends Behaviour {

  private static final Call TRACK =
      Call.post(
          "/v1/audio/generations",
          "{\"model\":\"provider-e/music-2.5\",\"prompt\":\"lo-fi\",\"duration_seconds\":2}");

  @Test
  @Tag("spec:endpoint.music.generations")
  @Tag("spec:price.music")
  @Tag("spec:record.music.data.url")
  @Tag("spec:record.music.data.duration_seconds")
  void aTrackOpensUnderItsAddressWholeAndInParts() {
    JsonNode answer = deployment().buy(TRACK).json();
    assertThat(answer.at("/price/amount").asText()).isEqualTo("0.157500");
    JsonNode track = answer.at("/data/0");
    assertThat(track.path("duration_seconds").asInt()).isEqualTo(2);
    assertThat(track.path("lyrics").isNull()).isTrue();

    Call file = Call.get(below(track.path("url").asText()));
    Reply whole = deployment().send(file);
    assertThat(whole.status()).as(whole.toString()).isEqualTo(200);
    assertThat(whole.header("Content-Type")).isEqualTo("audio/wav");
    assertThat(whole.header("Content-Length")).isEqualTo(String.valueOf(whole.body().length));
    assertThat(whole.header("Cache-Control")).contains("private").contains("immutable");
    assertThat(new String(whole.body(), 0, 4, StandardCharsets.US_ASCII)).isEqualTo("RIFF");
    assertThat(whole.body()).hasSize(44 + 2 * 16_000 * 2);

    Reply part = deployment().send(file.with("Range", "bytes=44-143"));
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo(Arrays.copyOfRange(whole.body(), 44, 144));
    assertThat(part.header("Content-Range")).isEqualTo("bytes 44-143/" + whole.body().length);
    assertThat(deployment().send(file.with("Range", "bytes=999999-")).status()).isEqualTo(416);
  }

  @Test
  @Tag("spec:record.music.data.url")
  void aFileIsNotSentTwice() {
    String url = deployment().buy(TRACK).json().at("/data/0/url").asText();
    Call file = Call.get(below(url));
    Reply head = deployment().send(file.method("HEAD"));

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Length")).isEqualTo("64044");
    assertThat(head.body()).isEmpty();
    Reply known = deployment().send(file.with("If-None-Match", head.header("ETag")));
    assertThat(known.status()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    Reply gone = deployment().send(file.target("/v1/assets/" + "0".repeat(32) + ".wav"));
    assertFlat(gone, 404);
  }

  @Test
  @Tag("spec:decision.base_url")
  void whatACallerCallsTheBaseAddressIsNotBelieved() {
    Call forged = TRACK.with("x-octroi-base-address", "https://elsewhere.example");
    assertThat(deployment().buy(forged).json().at("/data/0/url").asText())
        .contains("/v1/assets/")
        .doesNotContain("elsewhere");
  }

  @Test
  @Tag("spec:request.music.lyrics")
  @Tag("spec:request.music.instrumental")
  @Tag("spec:record.music.data.lyrics")
  void lyricsAreToldUnlessNothingIsSung() {
    String order =
        "{\"model\":\"auto/music\",\"prompt\":\"folk\",\"duration_seconds\":1,\"lyrics\":\"la\"%s}";
    Reply sung = deployment().buy(TRACK.body(order.formatted("")));
    assertThat(sung.json().at("/data/0/lyrics").asText()).isEqualTo("la");
    Reply silent = deployment().buy(TRACK.body(order.formatted(",\"instrumental\":true")));
    assertThat(silent.json().at("/data/0/lyrics").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "sandbox:filtered, 400, content_policy_violation",
    "sandbox:code=1002, 429, rate_limited",
    "sandbox:code=1004, 502, upstream_failed",
    "sandbox:code=1008, 502, upstream_failed",
    "sandbox:code=2013, 400, invalid_params",
    "sandbox:fail=500, 502, upstream_failed"
  })
  @Tag("spec:endpoint.music.generations")
  void aTrackThatIsNotMadeCostsNothing(String prompt, int status, String code) {
    String payment = deployment().payment(TRACK);
    String order = "{\"model\":\"auto/music\",\"prompt\":\"%s\",\"duration_seconds\":1}";
    Reply failed = deployment().send(TRACK.body(order.formatted(prompt)), payment);
    assertRefused(failed, status, code);
    assertThat(failed.json().at("/error/type").asText()).isNotEmpty();
    assertStillGood(payment, TRACK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"model\":\"auto/music\"}",
        "{\"model\":\"auto/music\",\"prompt\":\"p\",\"duration_seconds\":181}",
        "{\"model\":\"auto/music\",\"prompt\":\"p\",\"duration_seconds\":0}"
      })
  @Tag("spec:request.music.prompt")
  @Tag("spec:request.music.duration_seconds")
  @Tag("spec:limit.music_duration")
  void aBadOrderCostsNothing(String body) {
    assertRefused(deployment().pay(TRACK.body(body)), 400, "invalid_params");
  }

  @Test
  @Tag("spec:request.music.model")
  void aModelThatIsNotSoldHasNoPrice() {
    Reply refused = deployment().send(TRACK.body("{\"model\":\"music-9\",\"prompt\":\"p\"}"));
    assertRefused(refused, 400, "model_not_found");
  }

  /** What of an address lies below the deployment, however the world calls that. */
  private static String below(String address) {
    String path = URI.create(address).getPath();
    return path.substring(path.indexOf("/v1/assets/"));
  }
}

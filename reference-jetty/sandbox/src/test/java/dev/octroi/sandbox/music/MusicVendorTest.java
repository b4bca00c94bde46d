package dev.octroi.sandbox.music;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxServer;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import javax.sound.sampled.AudioInputStream;
import javax.sound.sampled.AudioSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tracks as a caller gets them, read by the JDK's own reader. */
class MusicVendorTest {

  private static final SandboxServer SERVER = SandboxServer.start(0, List.of(new MusicVendor()));
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ORDER =
      """
      {"model":"music-2.5","prompt":"%s","lyrics":"%s","output_format":"%s",
      "audio_setting":{"sample_rate":44100,"bitrate":256000,"format":"wav"}}\
      """;

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void aTrackIsAWaveOfTheLengthThatWasAskedForAndHasSoundInIt() throws Exception {
    JsonNode answer = post(ORDER.formatted("jazz, about 7 seconds long", "la", "hex"));

    assertThat(answer.at("/base_resp/status_code").asInt()).isZero();
    assertThat(answer.at("/extra_info/music_duration").asInt()).isEqualTo(7_000);
    byte[] track = track(answer);
    try (AudioInputStream sound =
        AudioSystem.getAudioInputStream(new ByteArrayInputStream(track))) {
      assertThat(sound.getFormat().getChannels()).isEqualTo(1);
      float rate = sound.getFormat().getSampleRate();
      assertThat(sound.getFrameLength()).isEqualTo((long) (7 * rate));
      short[] samples = new short[(int) rate];
      ByteBuffer.wrap(sound.readAllBytes())
          .order(ByteOrder.LITTLE_ENDIAN)
          .asShortBuffer()
          .get(samples);
      assertThat(IntStream.range(0, samples.length).map(at -> samples[at]).max().orElseThrow())
          .isBetween(4_000, (int) Short.MAX_VALUE);
    }
  }

  @Test
  void theLongestTrackStaysBelowSixMegabytes() throws Exception {
    JsonNode answer = post(ORDER.formatted("slow, about 180 seconds long", "la", "hex"));

    assertThat(track(answer).length).isLessThan(6_000_000);
  }

  @Test
  void theSameWordsSoundTheSameAndOthersDifferent() throws Exception {
    byte[] first = track(post(ORDER.formatted("waltz, 1 seconds", "la", "hex")));

    assertThat(track(post(ORDER.formatted("waltz, 1 seconds", "la", "hex")))).isEqualTo(first);
    assertThat(track(post(ORDER.formatted("polka, 1 seconds", "la", "hex")))).isNotEqualTo(first);
    assertThat(track(post(ORDER.formatted("waltz, 1 seconds", "[Inst]", "hex"))))
        .isNotEqualTo(first);
  }

  @Test
  void anAddressIsReadWithoutCredentials() throws Exception {
    JsonNode answer = post(ORDER.formatted("waltz, 1 seconds", "la", "url"));
    HttpResponse<byte[]> file =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(answer.at("/data/audio").asText())).build(),
            BodyHandlers.ofByteArray());

    assertThat(file.headers().firstValue("Content-Type")).contains("audio/wav");
    assertThat(file.body())
        .isEqualTo(track(post(ORDER.formatted("waltz, 1 seconds", "la", "hex"))));
  }

  @ParameterizedTest
  @CsvSource({"sandbox:filtered, 1026", "sandbox:code=1002, 1002", "sandbox:code=1008, 1008"})
  void failuresAreSuccessesOfHttpWithACode(String prompt, int code) throws Exception {
    JsonNode answer = post(ORDER.formatted(prompt, "la", "hex"));

    assertThat(answer.at("/base_resp/status_code").asInt()).isEqualTo(code);
    assertThat(answer.has("data")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "no json",
        "{\"model\":\"music-2.5\",\"prompt\":\"p\",\"audio_setting\":{\"format\":\"wav\"}}",
        "{\"model\":\"music-2.5\",\"prompt\":\"p\",\"lyrics\":\"la\"}"
      })
  void whatTheVendorDoesNotTakeIsAnInvalidParameter(String order) throws Exception {
    assertThat(post(order).at("/base_resp/status_code").asInt()).isEqualTo(2013);
  }

  private static byte[] track(JsonNode answer) {
    return HexFormat.of().parseHex(answer.at("/data/audio").asText());
  }

  private static JsonNode post(String body) throws Exception {
    URI address = URI.create(SERVER.baseAddress("music") + "/v1/music_generation");
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(address)
                .header("Authorization", "Bearer sandbox")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }
}

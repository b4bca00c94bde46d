package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.PaidAnswer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Music with a vendor that says what a test tells it to. */
class MusicTest {

  private static final String PATH = "/v1/audio/generations";
  private static final String COMPOSE = "/music_generation";
  private static final byte[] TRACK = "ID3 a track".getBytes(StandardCharsets.US_ASCII);
  private static final String ORDER = "{\"model\":\"provider-e/music-2.5\",\"prompt\":\"p\"}";
  private static final String MADE =
      """
      {"data":{"audio":"%s","status":2},"extra_info":{"music_duration":178364},
      "base_resp":{"status_code":0,"status_msg":"success"}}\
      """;

  private static Vendor vendor;
  private static GatewayHost host;

  @BeforeAll
  static void open() {
    vendor = new Vendor();
    host = new GatewayHost(Map.of("gateway.music.base-address", vendor.base().toString()));
  }

  @AfterAll
  static void close() {
    host.close();
    vendor.close();
  }

  @BeforeEach
  void compose() {
    says(MADE.formatted(HexFormat.of().formatHex(TRACK)));
    vendor.bodies().clear();
  }

  @Test
  @Tag("spec:endpoint.music.generations")
  @Tag("spec:price.music")
  @Tag("spec:record.music.data.url")
  @Tag("spec:record.music.data.duration_seconds")
  @Tag("spec:record.music.data.lyrics")
  void aTrackIsKeptAndServedUnderItsAddress() {
    PaidAnswer answer = host.paid(post(ORDER));

    String body = GatewayHost.text(answer);
    assertThat(body)
        .matches(
            "\\{\"data\":\\[\\{\"url\":\""
                + host.http().base()
                + "/v1/assets/[0-9a-f]{32}[.]mp3\",\"duration_seconds\":178,\"lyrics\":null}],"
                + "\"price\":\\{\"amount\":\"0[.]157500\",\"currency\":\"USD\"}}");
    String path = body.replaceAll(".*(/v1/assets/[^\"]+)\".*", "$1");
    HttpResponse<byte[]> track =
        host.http().send(host.http().request(path).build(), BodyHandlers.ofByteArray());
    assertThat(track.headers().firstValue("Content-Type")).contains("audio/mpeg");
    assertThat(track.body()).isEqualTo(TRACK);
  }

  @ParameterizedTest
  @CsvSource({
    "1e400, 502",
    "1e18, 502",
    "4294967297000, 502",
    "-1, 502",
    "3600001, 502",
    "\"long\", 502",
    "3600000, 3600",
    "1499.5, 1",
    "1500, 2",
    "0, 1",
    "null, 1"
  })
  void aLengthThatNoTrackHasIsNoAnswer(String millis, int told) {
    says(MADE.formatted(HexFormat.of().formatHex(TRACK)).replace("178364", millis));
    PaidAnswer answer = host.paid(post(ORDER));
    if (told == 502) {
      assertThat(answer.status()).isEqualTo(502);
      assertThat(answer.receipt()).isNull();
    } else {
      assertThat(GatewayHost.text(answer)).contains("\"duration_seconds\":" + told + ",");
    }
  }

  @Test
  @Tag("spec:decision.base_url")
  void whatACallerCallsTheBaseAddressIsNotBelieved() {
    HttpRequest forged =
        HttpRequest.newBuilder(post(ORDER), (name, value) -> true)
            .header("x-octroi-base-address", "https://evil.example")
            .build();

    assertThat(GatewayHost.text(host.paid(forged)))
        .contains("\"url\":\"" + host.http().base() + "/v1/assets/")
        .doesNotContain("evil");
  }

  @Test
  @Tag("spec:request.music.lyrics")
  @Tag("spec:request.music.instrumental")
  void lyricsAreSungAndTold() {
    String sung = "{\"model\":\"auto/music\",\"prompt\":\"p\",\"lyrics\":\"%s\"%s}";

    assertThat(GatewayHost.text(host.paid(post(sung.formatted("la", "")))))
        .contains("\"lyrics\":\"la\"");
    assertThat(asked(0))
        .containsEntry("model", "music-2.6")
        .containsEntry("lyrics", "la")
        .containsEntry("output_format", "hex")
        .doesNotContainKeys("is_instrumental", "lyrics_optimizer");

    String silent = ",\"instrumental\":true";
    assertThat(GatewayHost.text(host.paid(post(sung.formatted("la", silent)))))
        .contains("\"lyrics\":null");
    assertThat(asked(1))
        .containsEntry("is_instrumental", true)
        .doesNotContainKeys("lyrics", "lyrics_optimizer");

    for (String words : List.of("", " ")) {
      assertThat(GatewayHost.text(host.paid(post(sung.formatted(words, "")))))
          .contains("\"lyrics\":null");
      assertThat(asked(vendor.bodies().size() - 1))
          .as("the vendor writes them")
          .containsEntry("lyrics_optimizer", true)
          .doesNotContainKeys("is_instrumental", "lyrics");
    }
  }

  private static Map<String, Object> asked(int number) {
    return new ObjectMapper()
        .convertValue(
            Admin.json(vendor.bodies().get(number)), new TypeReference<Map<String, Object>>() {});
  }

  @Test
  @Tag("spec:request.music.duration_seconds")
  void theVendorIsToldHowLongATrackShouldBe() {
    host.paid(post(ORDER));
    host.paid(post("{\"model\":\"auto/music\",\"prompt\":\"p\",\"duration_seconds\":30}"));
    host.paid(post("{\"model\":\"auto/music\",\"prompt\":\"" + "p".repeat(2_000) + "\"}"));

    assertThat(vendor.bodies().get(0)).contains("about 180 seconds long");
    assertThat(vendor.bodies().get(1)).contains("\"p, about 30 seconds long\"");
    assertThat(vendor.bodies().get(2)).contains("\"" + "p".repeat(2_000) + "\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "provider-e/music-2.5",
        "minimax/music-2.5",
        "minimax/music-2.5+",
        "music-2.5",
        "MUSIC-2.5+",
        "minimax/music-2.6",
        "auto/music"
      })
  @Tag("spec:request.music.model")
  void theModelHasSeveralNames(String name) {
    PaidAnswer answer = host.paid(post("{\"model\":\"" + name + "\",\"prompt\":\"p\"}"));

    assertThat(answer.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"prompt\":\"p\"}|invalid_params",
        "{\"model\":\"music-9\",\"prompt\":\"p\"}|model_not_found",
        "{\"model\":\"auto\",\"prompt\":\"p\"}|model_not_found",
        "no json|invalid_params"
      })
  @Tag("spec:request.music.model")
  void anOrderWithoutAPriceIsRefusedBeforeItIsPaidFor(String body, String code) {
    HttpResponse<String> answer = host.http().send(post(body));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("\"type\":\"invalid_request_error\",\"code\":\"" + code + "\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"prompt\":\"\"",
        "\"lyrics\":\"la\"",
        "\"prompt\":7",
        "\"prompt\":\"p\",\"duration_seconds\":0",
        "\"prompt\":\"p\",\"duration_seconds\":181",
        "\"prompt\":\"p\",\"duration_seconds\":1.5",
        "\"prompt\":\"p\",\"instrumental\":\"yes\"",
        "\"prompt\":\"p\",\"lyrics_optimizer\":true",
        "\"prompt\":\"p\",\"is_instrumental\":true",
      })
  @Tag("spec:request.music.prompt")
  @Tag("spec:request.music.duration_seconds")
  void aBadOrderCostsNothing(String members) {
    refused(post("{\"model\":\"auto/music\"," + members + "}"), 400, "invalid_params");
  }

  @Test
  @Tag("spec:request.music.prompt")
  @Tag("spec:request.music.lyrics")
  void textsHaveTheirLengths() {
    String order = "{\"model\":\"auto/music\",\"prompt\":\"%s\",\"lyrics\":\"%s\"}";

    refused(post(order.formatted("p".repeat(2_001), "la")), 400, "invalid_params");
    refused(post(order.formatted("p", "l".repeat(3_501))), 400, "invalid_params");
    assertThat(host.paid(post(order.formatted("p".repeat(2_000), "l".repeat(3_500)))).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "1002, 429, rate_limited",
    "1004, 502, upstream_failed",
    "1008, 502, upstream_failed",
    "1026, 400, content_policy_violation",
    "2013, 400, invalid_params",
    "1042, 400, invalid_params",
    "2045, 429, rate_limited",
    "2049, 502, upstream_failed",
    "2056, 502, upstream_failed",
    "1000, 502, upstream_failed"
  })
  @Tag("spec:endpoint.music.generations")
  void aFailureThatIsASuccessOfHttpCostsNothing(int code, int status, String word) {
    says("{\"base_resp\":{\"status_code\":" + code + ",\"status_msg\":\"secret balance\"}}");

    PaidAnswer answer = refused(post(ORDER), status, word);
    assertThat(GatewayHost.text(answer)).doesNotContain("secret");
    assertThat(answer.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"base_resp\":{\"status_code\":0}}",
        "{\"data\":{\"audio\":\"xyz\"},\"base_resp\":{\"status_code\":0}}",
        "{\"data\":{\"audio\":\"3c68746d6c3e\"},\"base_resp\":{\"status_code\":0}}",
        "{\"data\":{\"audio\":\"494433\"}}",
        "{\"data\":{\"audio\":\"494433\",\"status\":1},\"base_resp\":{\"status_code\":0}}"
      })
  void whatIsNoTrackIsNotSold(String answer) {
    says(answer);

    refused(post(ORDER), 502, "upstream_failed");
  }

  @Test
  void aLinkedTrackStaysWithTheVendor() {
    says(MADE.formatted("https://cdn.example/t.mp3"));
    Map<String, String> settings =
        Map.of(
            "gateway.music.base-address",
            vendor.base().toString(),
            "gateway.music.tracks",
            "linked");
    try (GatewayHost other = new GatewayHost(settings)) {
      assertThat(GatewayHost.text(other.paid(post(other, ORDER))))
          .contains("\"url\":\"https://cdn.example/t.mp3\"");
      assertThat(vendor.bodies().get(0)).contains("\"output_format\":\"url\"");
    }
  }

  @Test
  void withoutAVendorThereIsNoMusicAndNoChallenge() {
    try (GatewayHost other = new GatewayHost(Map.of())) {
      HttpResponse<String> answer = other.http().send(post(other, ORDER));

      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).contains("\"code\":\"not_found\"");
      assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
    }
  }

  private static PaidAnswer refused(HttpRequest request, int status, String code) {
    PaidAnswer answer = host.paid(request);
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(status);
    assertThat(GatewayHost.text(answer)).contains("\"code\":\"" + code + "\"");
    assertThat(answer.headers().firstValue("X-PAYMENT-RECEIPT")).isEmpty();
    return answer;
  }

  private static void says(String body) {
    vendor.says(COMPOSE, 200, body);
  }

  private static HttpRequest post(String body) {
    return post(host, body);
  }

  private static HttpRequest post(GatewayHost to, String body) {
    return to.http()
        .request(PATH)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }
}

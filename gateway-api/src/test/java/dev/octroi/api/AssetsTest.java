package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.asset.Assets.Asset;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that answers link to, over real HTTP. */
@Tag("spec:images.stored_pictures")
class AssetsTest {

  private static final int LENGTH = 600_000;
  private static final byte[] PICTURE = picture();

  private static GatewayHost host;
  private static Asset asset;

  @BeforeAll
  static void keep() {
    host = new GatewayHost(Map.of("gateway.assets.max-size", "1MiB"));
    asset = host.gateway().runtime().assets().keep(PICTURE);
  }

  @AfterAll
  static void close() {
    host.close();
  }

  @Test
  void theAddressIsBelowTheBaseAndUnguessable() {
    assertThat(host.gateway().runtime().assets().address("https://pay.example", asset))
        .matches("https://pay[.]example/v1/assets/[0-9a-f]{32}[.]png");
    assertThat(host.gateway().runtime().assets().keep(PICTURE).id()).isNotEqualTo(asset.id());
  }

  @Test
  void aFileIsServedWholeWithEverythingThatACacheWants() {
    HttpResponse<byte[]> answer = get("X-Nothing", "");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(PICTURE);
    assertThat(header(answer, "Content-Type")).isEqualTo("image/png");
    assertThat(header(answer, "Content-Length")).isEqualTo(String.valueOf(LENGTH));
    assertThat(header(answer, "ETag")).isEqualTo('"' + asset.id() + '"');
    assertThat(header(answer, "Last-Modified")).endsWith("GMT");
    assertThat(header(answer, "Accept-Ranges")).isEqualTo("bytes");
    assertThat(header(answer, "Cache-Control"))
        .matches("private, max-age=1(72800|727[0-9]{2}), immutable");
    assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(answer, "Content-Disposition")).isEqualTo("inline");
  }

  @Test
  void headSaysTheSameWithoutTheBytes() {
    HttpResponse<byte[]> answer =
        send(request().method("HEAD", HttpRequest.BodyPublishers.noBody()).build());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, "Content-Length")).isEqualTo(String.valueOf(LENGTH));
    assertThat(header(answer, "Content-Type")).isEqualTo("image/png");
    assertThat(answer.body()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-9, 0, 9",
    "bytes=262140-262150, 262140, 262150",
    "bytes=599990-, 599990, 599999",
    "bytes=599990-700000, 599990, 599999",
    "bytes=-10, 599990, 599999",
    "bytes=-700000, 0, 599999"
  })
  void aPartIsServedAlone(String range, int first, int last) {
    HttpResponse<byte[]> answer = get("Range", range);

    assertThat(answer.statusCode()).isEqualTo(206);
    assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(PICTURE, first, last + 1));
    assertThat(header(answer, "Content-Range"))
        .isEqualTo("bytes " + first + "-" + last + "/" + LENGTH);
    assertThat(header(answer, "Content-Length")).isEqualTo(String.valueOf(last - first + 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=600000-", "bytes=700000-800000", "bytes=-0"})
  void aPartBeyondTheEndIsRefusedWithTheLength(String range) {
    HttpResponse<byte[]> answer = get("Range", range);

    assertThat(answer.statusCode()).isEqualTo(416);
    assertThat(header(answer, "Content-Range")).isEqualTo("bytes */" + LENGTH);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bytes=0-1,5-6", "bytes=9-1", "bytes=-", "chapters=1-2", "bytes=a-b", "bytes 0-1"})
  void aRangeThatIsNotUnderstoodIsTheWholeFile(String range) {
    assertThat(get("Range", range).statusCode()).isEqualTo(200);
  }

  @Test
  void aPartOfAnotherVersionIsTheWholeFile() {
    String modified = header(get("X-Nothing", ""), "Last-Modified");

    assertThat(part("\"" + asset.id() + "\"")).isEqualTo(206);
    assertThat(part(modified)).isEqualTo(206);
    assertThat(part("W/\"" + asset.id() + "\"")).isEqualTo(200);
    assertThat(part("\"another\"")).isEqualTo(200);
    assertThat(part("Sat, 01 Jan 2000 00:00:00 GMT")).isEqualTo(200);
  }

  @Test
  void whoHasItAlreadyIsToldSo() {
    String modified = header(get("X-Nothing", ""), "Last-Modified");

    HttpResponse<byte[]> known = get("If-None-Match", "\"x\", W/\"" + asset.id() + "\"");
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    assertThat(header(known, "ETag")).isEqualTo('"' + asset.id() + '"');
    assertThat(header(known, "Cache-Control")).startsWith("private, max-age=");
    assertThat(get("If-None-Match", "*").statusCode()).isEqualTo(304);
    assertThat(get("If-None-Match", "\"x\"").statusCode()).isEqualTo(200);
    assertThat(get("If-Modified-Since", modified).statusCode()).isEqualTo(304);
    assertThat(get("If-Modified-Since", "Sat, 01 Jan 2000 00:00:00 GMT").statusCode())
        .isEqualTo(200);
    assertThat(get("If-Modified-Since", "yesterday").statusCode()).isEqualTo(200);
  }

  @Test
  void theTagDecidesWhereBothAreSent() {
    HttpRequest request =
        request()
            .header("If-None-Match", "\"x\"")
            .header("If-Modified-Since", "Sat, 01 Jan 2100 00:00:00 GMT")
            .build();

    assertThat(send(request).statusCode()).isEqualTo(200);
  }

  @Test
  void whoWantsAnotherVersionGetsNone() {
    assertThat(get("If-Match", "\"x\"").statusCode()).isEqualTo(412);
    assertThat(get("If-Match", "\"" + asset.id() + "\"").statusCode()).isEqualTo(200);
    assertThat(get("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT").statusCode())
        .isEqualTo(412);
  }

  @Test
  void thePrefixOfOlderClientsWorks() {
    assertThat(host.http().get("/api/v1/assets/" + asset.name()).statusCode()).isEqualTo(200);
  }

  @Test
  void whatIsNotThereIsNotFound() {
    String other = "0".repeat(32);
    assertThat(host.http().get("/v1/assets/" + other + ".png").statusCode()).isEqualTo(404);
    assertThat(host.http().get("/v1/assets/" + asset.id() + ".jpg").statusCode()).isEqualTo(404);
    assertThat(host.http().get("/v1/assets/" + asset.id()).statusCode()).isEqualTo(404);
    assertThat(host.http().get("/v1/assets/x.png").body())
        .isEqualTo("{\"error\":\"There is no such path.\"}");
  }

  @Test
  void whatHasExpiredIsNotFoundThoughNobodyHasDeletedItYet() throws Exception {
    Asset old = host.gateway().runtime().assets().keep(PICTURE);
    host.change(
        "UPDATE asset SET expires_at = CURRENT_TIMESTAMP - INTERVAL '1' SECOND WHERE id = '"
            + old.id()
            + "'");

    HttpResponse<String> answer = host.http().get("/v1/assets/" + old.name());
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("{\"error\":\"There is no such file, or no more.\"}");
    host.gateway().runtime().assets().retention().work().run();
    assertThat(host.http().get("/v1/assets/" + asset.name()).statusCode()).isEqualTo(200);
  }

  @Test
  void onlyPicturesAndSoundsAreKept() {
    assertThatThrownBy(
            () ->
                host.gateway()
                    .runtime()
                    .assets()
                    .keep("<html><script>".getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOfSatisfying(
            Failure.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  @Test
  void aFileOverTheLimitIsNotKept() {
    byte[] large = Arrays.copyOf(PICTURE, (1 << 20) + 1);
    assertThatThrownBy(() -> host.gateway().runtime().assets().keep(large))
        .isInstanceOfSatisfying(
            Failure.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  private static int part(String version) {
    return send(request().header("Range", "bytes=0-9").header("If-Range", version).build())
        .statusCode();
  }

  private static HttpResponse<byte[]> get(String name, String value) {
    return send(request().header(name, value).build());
  }

  private static HttpRequest.Builder request() {
    return host.http().request("/v1/assets/" + asset.name());
  }

  private static HttpResponse<byte[]> send(HttpRequest request) {
    return host.http().send(request, BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("(none)");
  }

  private static byte[] picture() {
    byte[] bytes = new byte[LENGTH];
    new Random(1).nextBytes(bytes);
    byte[] mark = "\u0089PNG\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(mark, 0, bytes, 0, mark.length);
    return bytes;
  }
}

package dev.octroi.sandbox.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures as a caller gets them, read by readers that are not the vendor's own. */
class ImageVendorTest {

  private static final SandboxServer SERVER =
      SandboxServer.start(0, List.of(new ImageVendor(Clock.systemUTC())));
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BOUNDARY = "boundary-of-the-test";

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @ParameterizedTest
  @CsvSource({
    "png, 89504e47",
    "jpeg, ffd8ff",
    "webp, 52494646",
  })
  void aPictureIsOfTheFormatAndSizeThatWereAskedFor(String format, String mark) throws Exception {
    byte[] bytes =
        picture(
            """
            {"prompt":"a lighthouse","size":"640x384","output_format":"%s"}\
            """
                .formatted(format));

    assertThat(HexFormat.of().formatHex(bytes)).startsWith(mark);
    BufferedImage image = read(bytes);
    assertThat(image.getWidth()).isEqualTo(640);
    assertThat(image.getHeight()).isEqualTo(384);
    assertThat(colours(image)).hasSizeGreaterThan(8);
  }

  @Test
  void webpAndPngHoldTheSamePixels() throws Exception {
    for (String background : List.of("opaque", "transparent")) {
      String order =
          """
          {"prompt":"a heron","size":"512x304","background":"%s","output_format":"%s"}\
          """;
      BufferedImage png = read(picture(order.formatted(background, "png")));
      BufferedImage webp = read(picture(order.formatted(background, "webp")));

      assertThat(pixels(webp)).as(background).isEqualTo(pixels(png));
    }
  }

  @Test
  void theSameOrderGivesTheSamePictureAndAnotherPromptAnother() throws Exception {
    byte[] first = picture("{\"prompt\":\"a mill\",\"size\":\"256x256\"}");

    assertThat(picture("{\"prompt\":\"a mill\",\"size\":\"256x256\"}")).isEqualTo(first);
    assertThat(picture("{\"prompt\":\"a hill\",\"size\":\"256x256\"}")).isNotEqualTo(first);
  }

  @Test
  void severalPicturesOfOneOrderDiffer() throws Exception {
    JsonNode data = ok("{\"prompt\":\"boats\",\"n\":3,\"size\":\"64x64\"}").path("data");

    assertThat(data).hasSize(3);
    assertThat(data.get(0)).isNotEqualTo(data.get(1));
    assertThat(data.get(1)).isNotEqualTo(data.get(2));
  }

  @Test
  void aTransparentBackgroundIsTransparent() throws Exception {
    String order = "{\"prompt\":\"a bell\",\"size\":\"128x128\",\"background\":\"%s\"}";
    BufferedImage clear = read(picture(order.formatted("transparent")));
    BufferedImage solid = read(picture(order.formatted("opaque")));

    assertThat(colours(clear)).contains(0).hasSizeGreaterThan(2);
    assertThat(solid.getColorModel().hasAlpha()).isFalse();
  }

  @Test
  void compressionMakesJpegsSmaller() throws Exception {
    String order =
        "{\"prompt\":\"rain\",\"size\":\"256x256\",\"output_format\":\"jpeg\","
            + "\"output_compression\":%d}";

    assertThat(picture(order.formatted(10)).length)
        .isLessThan(picture(order.formatted(95)).length / 2);
  }

  @Test
  void theLargestPictureIsDrawn() throws Exception {
    byte[] bytes =
        picture("{\"prompt\":\"a city\",\"size\":\"4096x4096\",\"output_format\":\"webp\"}");

    assertThat(read(bytes).getWidth()).isEqualTo(4096);
  }

  @Test
  void anAddressIsReadWithoutCredentials() throws Exception {
    JsonNode answer =
        ok(
            "{\"model\":\"gemini-3-pro-image\",\"prompt\":\"a well\",\"size\":\"64x64\","
                + "\"response_format\":\"url\"}");
    String url = answer.path("data").path(0).path("url").textValue();
    HttpResponse<byte[]> file =
        CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofByteArray());

    assertThat(file.statusCode()).isEqualTo(200);
    assertThat(file.headers().firstValue("Content-Type")).contains("image/png");
    assertThat(file.body()).isEqualTo(picture("{\"prompt\":\"a well\",\"size\":\"64x64\"}"));
  }

  /** As the vendor's own choice of a size is, however large what it is given. */
  @Test
  void anEditOfALargePictureWithoutASizeIsSmaller() throws Exception {
    BufferedImage large = new BufferedImage(4000, 2000, BufferedImage.TYPE_INT_ARGB);
    HttpResponse<String> answer =
        edit(List.of(field("prompt", "a window"), file("image", png(large))));
    BufferedImage edited = read(bytes(JSON.readTree(answer.body())));

    assertThat(edited.getWidth()).isEqualTo(1333);
    assertThat(edited.getHeight()).isEqualTo(666);
  }

  @Test
  void anEditChangesOnlyWhatTheMaskLetsThrough() throws Exception {
    BufferedImage original = read(picture("{\"prompt\":\"a wall\",\"size\":\"96x96\"}"));
    BufferedImage mask = new BufferedImage(96, 96, BufferedImage.TYPE_INT_ARGB);
    for (int y = 0; y < 96; y++) {
      for (int x = 0; x < 96; x++) {
        mask.setRGB(x, y, isHole(x, y) ? 0 : 0xFF000000);
      }
    }
    HttpResponse<String> answer =
        edit(
            List.of(
                field("prompt", "a window"),
                file("image", png(original)),
                file("mask", png(mask)),
                field("size", "96x96")));
    BufferedImage edited = read(bytes(JSON.readTree(answer.body())));

    int changed = 0;
    for (int y = 0; y < 96; y++) {
      for (int x = 0; x < 96; x++) {
        boolean same = edited.getRGB(x, y) == original.getRGB(x, y);
        assertThat(same || isHole(x, y)).as("pixel %d, %d", x, y).isTrue();
        changed += same ? 0 : 1;
      }
    }
    assertThat(changed).isGreaterThan(32 * 32 / 2);
  }

  private static boolean isHole(int x, int y) {
    return x >= 32 && x < 64 && y >= 32 && y < 64;
  }

  @Test
  void anEditTakesJsonWithDataAddressesToo() throws Exception {
    String image = Base64.getEncoder().encodeToString(picture("{\"prompt\":\"x\"}"));
    HttpResponse<String> answer =
        post(
            "edits",
            """
            {"prompt":"y","images":[{"image_url":"data:image/png;base64,%s"}],"size":"64x64"}\
            """
                .formatted(image));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(read(bytes(JSON.readTree(answer.body()))).getWidth()).isEqualTo(64);
  }

  @Test
  void aMaskOfAnotherSizeIsRefused() throws Exception {
    byte[] large = picture("{\"prompt\":\"x\",\"size\":\"64x64\"}");
    byte[] small = picture("{\"prompt\":\"x\",\"size\":\"32x32\"}");
    HttpResponse<String> answer =
        edit(List.of(field("prompt", "y"), file("image", large), file("mask", small)));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("mask");
  }

  @Test
  void progressComesInPicturesThatGetFiner() throws Exception {
    HttpResponse<String> answer =
        post(
            "generations",
            "{\"prompt\":\"x\",\"size\":\"64x64\",\"stream\":true,\"partial_images\":2}");
    List<JsonNode> events = new ArrayList<>();
    for (String line : answer.body().split("\n")) {
      if (line.startsWith("data: ")) {
        events.add(JSON.readTree(line.substring(6)));
      }
    }

    assertThat(events)
        .extracting(event -> event.path("type").textValue())
        .containsExactly(
            "image_generation.partial_image",
            "image_generation.partial_image",
            "image_generation.completed");
    assertThat(colours(read(decoded(events.get(0)))))
        .hasSizeLessThan(colours(read(decoded(events.get(2)))).size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"prompt\":\" \"}",
        "{\"prompt\":\"x\",\"n\":11}",
        "{\"prompt\":\"x\",\"size\":\"large\"}",
        "{\"prompt\":\"x\",\"size\":\"5000x16\"}",
        "{\"prompt\":\"x\",\"output_format\":\"gif\"}",
        "{\"prompt\":\"x\",\"output_compression\":101}",
        "{\"prompt\":\"x\",\"background\":\"transparent\",\"output_format\":\"jpeg\"}",
        "{\"prompt\":\"x\",\"stream\":true,\"n\":2}",
        "{\"prompt\":\"x\",\"colour\":\"red\"}",
        "{\"prompt\":\"x\",\"response_format\":\"url\"}",
        "{\"model\":\"gpt-image-1\",\"prompt\":\"x\"}",
        "{\"model\":\"gpt-image-2\",\"prompt\":\"x\",\"background\":\"transparent\"}",
        "{\"model\":\"grok-imagine-image\",\"prompt\":\"x\",\"size\":\"64x64\"}",
        "{\"model\":\"cogview-4-250304\",\"prompt\":\"x\",\"n\":1}",
        "no json"
      })
  void whatTheVendorDoesNotTakeIs400InItsOwnShape(String body) throws Exception {
    HttpResponse<String> answer = post("generations", body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(answer.body()).path("error").path("type").textValue())
        .isEqualTo("invalid_request_error");
  }

  @Test
  void aPromptCanAskForTheFilterOrForAFailure() throws Exception {
    HttpResponse<String> filtered = post("generations", "{\"prompt\":\"sandbox:filtered\"}");
    assertThat(filtered.statusCode()).isEqualTo(400);
    assertThat(filtered.body()).contains("moderation_blocked");

    assertThat(post("generations", "{\"prompt\":\"sandbox:fail\"}").statusCode()).isEqualTo(503);
    assertThat(post("generations", "{\"prompt\":\"a sandbox:fail=500\"}").statusCode())
        .isEqualTo(500);
    assertThat(edit(List.of(field("prompt", "sandbox:fail=502"))).statusCode()).isEqualTo(502);
  }

  @Test
  void aSlowPictureTakesItsTime() throws Exception {
    long begun = System.nanoTime();
    post("generations", "{\"prompt\":\"sandbox:slow=1\",\"size\":\"16x16\"}");

    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(1_000_000_000L);
  }

  private static byte[] picture(String order) throws Exception {
    return bytes(ok(order));
  }

  private static JsonNode ok(String order) throws Exception {
    HttpResponse<String> answer = post("generations", order);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static byte[] bytes(JsonNode answer) {
    return decoded(answer.path("data").path(0));
  }

  private static byte[] decoded(JsonNode holder) {
    return Base64.getDecoder().decode(holder.path("b64_json").textValue());
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    String order = body.replace("{\"prompt\"", "{\"model\":\"gpt-image-1.5\",\"prompt\"");
    return send(path, "application/json", order.getBytes(StandardCharsets.UTF_8));
  }

  private static HttpResponse<String> edit(List<byte[]> parts) throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(field("model", "gpt-image-1.5"));
    parts.forEach(body::writeBytes);
    body.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
    return send("edits", "multipart/form-data; boundary=" + BOUNDARY, body.toByteArray());
  }

  private static byte[] field(String name, String value) {
    return part("name=\"" + name + "\"", value.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] file(String name, byte[] bytes) {
    return part("name=\"" + name + "\"; filename=\"" + name + ".png\"", bytes);
  }

  private static byte[] part(String disposition, byte[] content) {
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    part.writeBytes(
        ("--" + BOUNDARY + "\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    part.writeBytes(content);
    part.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    return part.toByteArray();
  }

  private static HttpResponse<String> send(String path, String type, byte[] body) throws Exception {
    URI address = URI.create(SERVER.baseAddress("images") + "/v1/images/" + path);
    return CLIENT.send(
        HttpRequest.newBuilder(address)
            .header("Authorization", "Bearer sandbox")
            .header("Content-Type", type)
            .POST(BodyPublishers.ofByteArray(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static BufferedImage read(byte[] bytes) throws IOException {
    return Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(bytes)), "unreadable");
  }

  private static byte[] png(BufferedImage image) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static int[] pixels(BufferedImage image) {
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }

  private static Set<Integer> colours(BufferedImage image) {
    Set<Integer> colours = new HashSet<>();
    for (int pixel : pixels(image)) {
      colours.add(pixel);
    }
    return colours;
  }
}

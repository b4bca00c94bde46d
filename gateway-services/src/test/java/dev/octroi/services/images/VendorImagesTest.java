package dev.octroi.services.images;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.images.Images.PictureType;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VendorImagesTest {

  private static final ImageCatalogue CATALOGUE = ImageCatalogueFile.standard();
  private static final ImageRequests REQUESTS =
      new ImageRequests(CATALOGUE, CATALOGUE.upstreams(), Clock.systemUTC());
  private static final byte[] PICTURE = Pictures.png(16, 16, false);
  private static final String DRAWN = "{\"b64_json\":\"" + Pictures.base64(PICTURE) + "\"}";

  private static ImageOrder order(String members) {
    return REQUESTS.order(
        ImageBody.ofJson(("{" + members.replace('\'', '"') + "}").getBytes(UTF_8)), false);
  }

  private static ImageOrder order() {
    return order("'model':'provider-a/image-1','prompt':'a \\u00e9 cat'");
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  private static Images images(UpstreamClient client) {
    return new VendorImages(
        Map.of(
            "provider-a",
            client,
            "provider-b",
            client,
            "provider-c",
            client,
            "provider-d",
            client));
  }

  @Test
  void picturesComeAsBytes() throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":[" + DRAWN + "," + DRAWN + "]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      ImageOrder two =
          order("'model':'provider-a/image-1','prompt':'p','n':2,'quality':'standard'");
      List<DrawnPicture> pictures = images(client).draw(two, soon(), picture -> {});
      assertThat(pictures).hasSize(2);
      assertThat(pictures.get(1))
          .asInstanceOf(type(DrawnPicture.Bytes.class))
          .matches(bytes -> bytes.type() == PictureType.PNG)
          .extracting(DrawnPicture.Bytes::bytes)
          .isEqualTo(PICTURE);
      assertThat(server.requests().get(0).target()).isEqualTo("/base/images/generations");
      assertThat(server.requests().get(0).body())
          .isEqualTo(
              "{\"model\":\"gpt-image-2\",\"prompt\":\"p\",\"n\":2,\"size\":\"1024x1024\","
                  + "\"quality\":\"low\"}");
    }
  }

  @Test
  void picturesComeAsAddresses() throws IOException {
    try (WireServer server =
            WireServer.saying("{\"data\":[{\"url\":\"https://a.example/x.png\"}]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(images(client).draw(order(), soon(), picture -> {}))
          .containsExactly(new DrawnPicture.Linked(URI.create("https://a.example/x.png")));
    }
  }

  /** A model that draws one at a time is asked as often as it takes. */
  @Test
  void severalPicturesAreAskedForOneByOneWhereTheModelDrawsOne() throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":[" + DRAWN + "]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      ImageOrder three = order("'model':'provider-c/image-flex','prompt':'p','n':3");
      assertThat(images(client).draw(three, soon(), picture -> {})).hasSize(3);
      assertThat(server.requests()).hasSize(3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {'error':{'code':'content_policy_violation','message':'m'}} | CONTENT_FILTERED",
        "400 | {'error':{'code':'moderation_blocked','type':'image_generation_user_error'}} |"
            + " CONTENT_FILTERED",
        "400 | {'error':{'code':'x','type':'invalid_request_error','message':'m'}} |"
            + " INVALID_PARAMS",
        "400 | {'error':{'message':'m'}} | INVALID_PARAMS",
        "422 | {'error':{'code':null,'type':null,'message':'m'}} | INVALID_PARAMS",
        "413 | <html> | INVALID_PARAMS",
        "404 | {'error':{'code':'model_not_found'}} | UPSTREAM_FAILED",
        "401 | {'error':{'code':'invalid_api_key'}} | UPSTREAM_FAILED",
        "429 | {'error':{'code':'rate_limit_exceeded'}} | UPSTREAM_UNAVAILABLE",
        "500 | {'error':{}} | UPSTREAM_FAILED",
        "503 | {} | UPSTREAM_UNAVAILABLE",
        "200 | {'error':{'code':'1301'}} | CONTENT_FILTERED",
        "200 | {'data':[]} | UPSTREAM_FAILED",
        "200 | {'data':[{'b64_json':'AAAA'}]} | UPSTREAM_FAILED",
        "200 | {'data':[{'b64_json':'*'}]} | UPSTREAM_FAILED",
        "200 | {'data':[{'url':'file:///etc/passwd'}]} | UPSTREAM_FAILED"
      })
  void whatWentWrongIsTold(int status, String body, ErrorCode expected) throws IOException {
    try (WireServer server =
            WireServer.start((request, wire) -> wire.json(status, body.replace('\'', '"')));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> images(client).draw(order(), soon(), picture -> {}))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.code()).isEqualTo(expected));
    }
  }

  /** A picture that breaks off begins like any other. */
  @ParameterizedTest
  @ValueSource(strings = {"png", "jpeg", "webp"})
  void aPictureThatBreaksOffIsNotSold(String format) throws IOException {
    byte[] whole = format.equals("jpeg") ? Pictures.jpeg(64, 64) : Pictures.png(64, 64, true);
    if (format.equals("webp")) {
      whole = "RIFF\f\0\0\0WEBPVP8L1234".getBytes(StandardCharsets.ISO_8859_1);
    }
    byte[] cut = Arrays.copyOf(whole, whole.length - 6);
    try (WireServer server = saying(cut);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThatThrownBy(() -> images(client).draw(order(), soon(), picture -> {}))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
    byte[] more = Arrays.copyOf(whole, whole.length + 2);
    try (WireServer server = saying(format.equals("webp") ? whole : more);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      assertThat(images(client).draw(order(), soon(), picture -> {})).hasSize(1);
    }
  }

  private static WireServer saying(byte[] picture) throws IOException {
    return WireServer.saying("{\"data\":[{\"b64_json\":\"" + Pictures.base64(picture) + "\"}]}");
  }

  @Test
  void fewerPicturesThanOrderedAreAFailure() throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":[" + DRAWN + "]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      ImageOrder two = order("'model':'provider-a/image-1','prompt':'p','n':2");
      assertThatThrownBy(() -> images(client).draw(two, soon(), picture -> {}))
          .hasMessageContaining("fewer");
    }
  }

  @Test
  void workInProgressIsToldAsItComes() throws IOException {
    String partial =
        "event: image_generation.partial_image\ndata: {\"type\":\"image_generation.partial_image\","
            + "\"partial_image_index\":0,"
            + DRAWN.substring(1)
            + "\n\n";
    String whole =
        "event: image_generation.completed\ndata: {\"type\":\"image_generation.completed\","
            + DRAWN.substring(1)
            + "\n\n";
    byte[] stream = (partial.repeat(5) + whole).getBytes(UTF_8);
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.answer(200, "Content-Type: text/event-stream\r\n", stream));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      List<DrawnPicture> progress = new ArrayList<>();
      ImageOrder order = order("'model':'provider-a/image-1','prompt':'p','partial_images':2");
      assertThat(images(client).draw(order, soon(), progress::add)).hasSize(1);
      assertThat(progress).hasSize(2);
      assertThat(server.requests().get(0).body())
          .contains("\"stream\":true")
          .contains("\"partial_images\":2");
    }
  }

  @Test
  void aStreamThatIsFilteredOrBreaksOffFails() throws IOException {
    String error = "data: {\"error\":{\"code\":\"moderation_blocked\"}}\n\n";
    ImageOrder order = order("'model':'provider-a/image-1','prompt':'p','partial_images':1");
    for (String said : List.of(error, ": nothing\n\n")) {
      try (WireServer server =
              WireServer.start(
                  (request, wire) ->
                      wire.answer(
                          200, "Content-Type: text/event-stream\r\n", said.getBytes(UTF_8)));
          UpstreamClient client = new UpstreamClient(server.settings())) {
        assertThatThrownBy(() -> images(client).draw(order, soon(), picture -> {}))
            .isInstanceOfSatisfying(
                Failure.class,
                failure ->
                    assertThat(failure.code())
                        .isEqualTo(
                            said.equals(error)
                                ? ErrorCode.CONTENT_FILTERED
                                : ErrorCode.UPSTREAM_FAILED));
      }
    }
  }

  /** Each vendor is asked for what its own protocol has, and for nothing that it would refuse. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'model':'provider-a/image-1','user':'u','moderation':'low' | {'model':'gpt-image-2',"
            + "'prompt':'p','size':'1024x1024','quality':'low','user':'u','moderation':'low'}",
        "'model':'provider-c/image-flex','user':'u','watermark':true,'size':'768x1344' |"
            + " {'model':'cogview-4-250304','prompt':'p','size':'768x1344','quality':'standard'}",
        "'model':'provider-d/image','user':'u' | {'model':'grok-imagine-image','prompt':'p',"
            + "'response_format':'b64_json','aspect_ratio':'1:1','resolution':'1k','user':'u'}",
        "'model':'provider-d/image-pro' | {'model':'grok-imagine-image-2.0','prompt':'p',"
            + "'response_format':'b64_json','aspect_ratio':'1:1','resolution':'1k',"
            + "'quality':'medium'}",
        "'model':'provider-b/image-std' | {'model':'gemini-3.1-flash-image','prompt':'p',"
            + "'size':'1024x1024','response_format':'b64_json'}"
      })
  void aVendorIsAskedForWhatItsProtocolHas(String members, String wire) throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":[" + DRAWN + "]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      images(client).draw(order(members + ",'prompt':'p'"), soon(), picture -> {});
      JsonMapper json = new JsonMapper();
      assertThat(json.readTree(server.requests().get(0).body()))
          .isEqualTo(json.readTree(wire.replace('\'', '"')));
    }
  }

  @Test
  void anEditThatIsReadAlongIsAFormWhoseAnswerIsAStream() throws IOException {
    String events =
        "event: image_edit.partial_image\ndata: {\"type\":\"image_edit.partial_image\","
            + DRAWN.substring(1)
            + "\n\nevent: image_edit.completed\ndata: {\"type\":\"image_edit.completed\","
            + "\"quality\":\"low\",\"usage\":{\"total_tokens\":7},\"secret\":1,"
            + DRAWN.substring(1)
            + "\n\n";
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.answer(
                        200, "Content-Type: text/event-stream\r\n", events.getBytes(UTF_8)));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      List<DrawnPicture> progress = new ArrayList<>();
      ImageOrder order =
          REQUESTS.order(
              ImageBody.ofForm(
                  Map.of("prompt", "p", "stream", "true", "partial_images", "1"), List.of(PICTURE)),
              true);
      ImageEdit edit =
          new ImageEdit(order, List.of(GivenPicture.read("image", PICTURE)), Optional.empty());
      assertThat(images(client).edit(edit, soon(), progress::add))
          .singleElement()
          .asInstanceOf(type(DrawnPicture.Bytes.class))
          .extracting(drawn -> drawn.told().toString())
          .isEqualTo("{\"quality\":\"low\",\"usage\":{\"total_tokens\":7}}");
      assertThat(progress).hasSize(1);
      WireServer.Request request = server.requests().get(0);
      assertThat(request.headers().get("content-type")).startsWith("multipart/form-data");
      assertThat(request.body()).contains("name=\"stream\"", "name=\"partial_images\"");
    }
  }

  /** Some vendors say 400 where the seller's account is empty or its key is no good. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error\":{\"code\":\"billing_hard_limit_reached\",\"message\":\"Billing hard limit has"
            + " been reached\"}}",
        "[{\"error\":{\"code\":400,\"message\":\"API key not valid.\"}}]"
      })
  void whatIsWrongWithTheSellersAccountIsNoFaultOfTheOrder(String said) throws IOException {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(400, said));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      ImageOrder order = order("'model':'provider-a/image-1','prompt':'p'");
      assertThatThrownBy(() -> images(client).draw(order, soon(), picture -> {}))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    }
  }

  @Test
  void anEditIsAForm() throws IOException {
    try (WireServer server = WireServer.saying("{\"data\":[" + DRAWN + "]}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      ImageOrder order =
          REQUESTS.order(
              ImageBody.ofJson("{\"prompt\":\"more cats\",\"n\":1}".getBytes(UTF_8)), true);
      GivenPicture picture = GivenPicture.read("image", PICTURE);
      GivenPicture mask = GivenPicture.read("mask", Pictures.png(16, 16, true));
      ImageEdit edit = new ImageEdit(order, List.of(picture), Optional.of(mask));
      assertThat(images(client).edit(edit, soon(), progress -> {})).hasSize(1);
      WireServer.Request request = server.requests().get(0);
      assertThat(request.target()).isEqualTo("/base/images/edits");
      assertThat(request.headers().get("content-type"))
          .startsWith("multipart/form-data; boundary=");
      assertThat(request.body())
          .contains("name=\"prompt\"", "more cats", "name=\"image\"; filename=\"image.png\"")
          .contains("name=\"mask\"; filename=\"mask.png\"");
    }
  }
}

package dev.octroi.services.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.Images.ImageOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageRequestsTest {

  private static final ImageCatalogue CATALOGUE = ImageCatalogueFile.standard();

  private final ImageRequests requests = new ImageRequests(CATALOGUE, CATALOGUE.upstreams());

  private static ImageBody body(String members) {
    String json = "{" + members.replace('\'', '"') + "}";
    return ImageBody.ofJson(json.getBytes(StandardCharsets.UTF_8));
  }

  private ImageOrder order(String more) {
    return requests.order(body("'model':'provider-a/image-1','prompt':'a cat'" + more), false);
  }

  @ParameterizedTest
  @CsvSource({
    "provider-a/image-1, 1536x1024, 1, 21000",
    "provider-a/image-2, 1024x1536, 2, 126000",
    "provider-b/image-std, 1024x1024, 1, 53000",
    "provider-b/image-pro, 4096x4096, 10, 1050000",
    "provider-c/image-flex, 528x1440, 1, 15000",
    "provider-d/image, 1024x1024, 1, 21000",
    "provider-d/image-pro, 1024x1024, 3, 222000",
    "Provider-A/image-1, 1024x1024, 1, 21000",
    "google/nano-banana-pro, 2048x2048, 1, 105000",
    "zai/cogview-4, 768x1344, 1, 15000",
    "xai/grok-imagine-image-2.0, 1024x1024, 1, 74000",
    "auto/image, 1024x1024, 1, 21000",
    "auto/image, 2048x2048, 1, 105000",
    "auto/image, 512x528, 1, 15000"
  })
  @Tag("spec:price.images.provider_a.image_1")
  @Tag("spec:price.images.provider_a.image_2")
  @Tag("spec:price.images.provider_b.image_std")
  @Tag("spec:price.images.provider_b.image_pro")
  @Tag("spec:price.images.provider_c.image_flex")
  @Tag("spec:price.images.provider_d.image")
  @Tag("spec:price.images.provider_d.image_pro")
  void aCallCostsTheModelsPriceForEachPicture(String model, String size, int n, long micros) {
    ImageBody body = body("'model':'" + model + "','size':'" + size + "','n':" + n);
    assertThat(requests.quote(body, false).micros()).isEqualTo(micros);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "provider-a/image-1   | 2048x2048",
        "provider-a/image-1   | big",
        "provider-c/image-flex | 520x1024",
        "provider-c/image-flex | 1456x1024",
        "provider-c/image-flex | 496x1024",
        "provider-d/image     | 512x512",
        "auto/image           | 3000x3000"
      })
  @Tag("spec:limit.image_flex_sizes")
  @Tag("spec:error.images.size")
  void aSizeThatTheModelDoesNotDrawHasNoPrice(String model, String size) {
    assertThatThrownBy(
            () -> requests.quote(body("'model':'" + model + "','size':'" + size + "'"), false))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'model':'no/such'", "'model':'auto'", "'prompt':'x'", "'model':7"})
  void aModelThatIsNotThereHasNoPrice(String members) {
    assertThatThrownBy(() -> requests.quote(body(members), false))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code().status()).isEqualTo(400));
  }

  @Test
  void aModelWhoseUpstreamIsNotConfiguredIsNotSold() {
    ImageRequests some = new ImageRequests(CATALOGUE, Set.of("provider-b"));
    assertThat(some.served())
        .extracting(ImageModel::id)
        .allMatch(id -> id.startsWith("provider-b"));
    assertThatThrownBy(() -> some.quote(body("'model':'provider-a/image-1'"), false))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND));
  }

  @Test
  @Tag("spec:request.images.generations.quality")
  @Tag("spec:request.images.generations.style")
  @Tag("spec:request.images.generations.user")
  @Tag("spec:request.images.generations.background")
  @Tag("spec:request.images.generations.output_format")
  @Tag("spec:request.images.generations.output_compression")
  @Tag("spec:request.images.generations.moderation")
  @Tag("spec:request.images.generations.watermark")
  void everyFieldGoesToAModelThatKnowsIt() {
    ImageOrder order =
        order(
            ",'quality':'standard','background':'transparent','output_format':'webp',"
                + "'output_compression':80,'moderation':'low','user':'u','partial_images':2,"
                + "'response_format':'b64_json','n':null,'style':'vivid','watermark':false");
    assertThat(order.options())
        .isEqualTo(
            Map.of(
                "quality", "low",
                "background", "transparent",
                "output_format", "webp",
                "output_compression", 80,
                "moderation", "low",
                "user", "u"));
    assertThat(order.base64()).isTrue();
    assertThat(order.progress()).isEqualTo(2);
    assertThat(order.quote().n()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'n':0",
        "'n':11",
        "'n':1.5",
        "'n':'2'",
        "'size':1024",
        "'quality':'ultra'",
        "'quality':'hd'",
        "'response_format':'png'",
        "'style':'loud'",
        "'user':7",
        "'background':'red'",
        "'output_format':'gif'",
        "'output_compression':101,'output_format':'jpeg'",
        "'output_compression':-1,'output_format':'jpeg'",
        "'output_compression':50",
        "'moderation':'high'",
        "'watermark':'yes'",
        "'partial_images':4",
        "'partial_images':-1",
        "'input_fidelity':'high'",
        "'stream':true",
        "'background':'transparent','output_format':'jpeg'"
      })
  void aFieldThatIsNotWhatItMustBeIsRefused(String field) {
    assertThatThrownBy(() -> order("," + field))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
              assertThat(failure).hasMessageContaining(field.substring(1, field.indexOf('\'', 1)));
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'quality':'hd'",
        "'background':'opaque'",
        "'output_format':'png'",
        "'output_compression':5",
        "'partial_images':1",
        "'input_fidelity':'low'"
      })
  @Tag("spec:error.images.field")
  void aFieldThatTheModelDoesNotSupportIsRefused(String field) {
    assertThatThrownBy(
            () -> requests.order(body("'model':'provider-d/image','prompt':'p'," + field), false))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("does not support");
  }

  @Test
  void fieldsThatMayBeLeftOutAreIgnoredWhereTheModelDoesNotKnowThem() {
    ImageOrder order =
        requests.order(
            body(
                "'model':'provider-d/image','prompt':'p','style':'natural','user':'u',"
                    + "'moderation':'auto','watermark':true"),
            false);
    assertThat(order.options()).isEmpty();
  }

  @Test
  void aVendorIsNeverLeftToChooseAQualityThatThePriceDoesNotCover() {
    assertThat(order("").options()).isEqualTo(Map.of("quality", "low"));
    ImageOrder second =
        requests.order(body("'model':'provider-a/image-2','prompt':'p','quality':null"), false);
    assertThat(second.options()).isEqualTo(Map.of("quality", "medium"));
    ImageOrder automatic =
        requests.order(body("'model':'auto/image','prompt':'p','quality':'hd'"), false);
    assertThat(automatic.model().id()).isEqualTo("provider-c/image-flex");
  }

  @ParameterizedTest
  @CsvSource({
    "gpt-image-1, provider-a/image-1",
    "XAI/grok-imagine-image-pro, provider-d/image-pro"
  })
  void aRetiredNameIsRefusedAndNamesAModelThatLives(String name, String living) {
    assertThatThrownBy(() -> requests.quote(body("'model':'" + name + "'"), false))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND))
        .hasMessageContaining("is retired; ask for " + living);
  }

  @Test
  void aPromptIsNeededAndNotEndless() {
    assertThatThrownBy(() -> requests.order(body("'model':'provider-d/image'"), false))
        .hasMessageContaining("prompt is missing");
    assertThatThrownBy(
            () ->
                requests.order(
                    body("'model':'provider-d/image','prompt':'" + "x".repeat(8_001) + "'"), false))
        .hasMessageContaining("at most 8000");
    assertThatThrownBy(() -> requests.order(body("'model':'provider-d/image','prompt':' '"), false))
        .hasMessageContaining("empty");
  }

  @Test
  @Tag("spec:request.images.edits.model")
  @Tag("spec:request.images.edits.input_fidelity")
  void anEditIsDoneByTheFirstModelIfItDoesNotSay() {
    ImageOrder order = requests.order(body("'prompt':'p','input_fidelity':'medium'"), true);
    assertThat(order.model().id()).isEqualTo("provider-a/image-1");
    assertThat(order.options()).isEqualTo(Map.of("input_fidelity", "low", "quality", "low"));
    assertThatThrownBy(() -> requests.order(body("'prompt':'p','model':'provider-d/image'"), true))
        .hasMessageContaining("does not edit");
  }

  @Test
  void theNumbersOfAFormAreRead() {
    ImageBody form =
        ImageBody.ofForm(Map.of("model", "provider-a/image-1", "prompt", "7", "n", "3"));
    assertThat(requests.order(form, true).quote().n()).isEqualTo(3);
    assertThat(requests.order(form, true).prompt()).isEqualTo("7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{\"n\":1,\"n\":2}", "{} {}", "null", "{"})
  void whatIsNoObjectIsRefused(String json) {
    assertThatThrownBy(() -> ImageBody.ofJson(json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Failure.class);
  }
}

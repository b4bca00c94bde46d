package dev.octroi.services.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.images.Images.PictureForm;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageRequestsTest {

  private static final ImageCatalogue CATALOGUE = ImageCatalogueFile.standard();

  private final ImageRequests requests = requests(CATALOGUE, CATALOGUE.upstreams());

  private static ImageRequests requests(ImageCatalogue catalogue, Set<String> upstreams) {
    return new ImageRequests(catalogue, upstreams, Clock.systemUTC());
  }

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
    ImageRequests some = requests(CATALOGUE, Set.of("provider-b"));
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
            ",'quality':'standard','background':'opaque','output_format':'webp',"
                + "'output_compression':80,'moderation':'low','user':'u','partial_images':2,"
                + "'response_format':'b64_json','n':null,'style':'vivid','watermark':false");
    assertThat(order.options())
        .isEqualTo(
            Map.of(
                "quality", "low",
                "background", "opaque",
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
        "'quality':'medium'",
        "'quality':'high'",
        "'quality':7",
        "'safety_identifier':7",
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
        "'stream':'yes'",
        "'n':2,'stream':true",
        "'response_format':'url','stream':true",
        "'seed':7",
        "'images':['AAAA']",
        "'background':'transparent'"
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
        "'model':'provider-a/image-1'",
        "'model':'provider-a/image-2','output_format':'webp'",
        "'model':'openai/gpt-image-2','output_format':'png'"
      })
  @Tag("spec:error.images.field")
  void aWordThatTheModelsVendorRefusesIsRefusedByName(String members) {
    String asked = members + ",'prompt':'p','background':'transparent'";
    for (boolean edit : List.of(false, true)) {
      assertThatThrownBy(() -> requests.order(body(asked), edit))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
          .hasMessageContaining("does not support background transparent");
    }
    assertThatThrownBy(
            () ->
                requests.order(
                    body("'model':'auto/image','prompt':'p','background':'transparent'"), false))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("no model does all");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'quality':'hd'",
        "'background':'opaque'",
        "'output_format':'png'",
        "'output_compression':5",
        "'partial_images':1",
        "'stream':true",
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
                "'model':'provider-b/image-std','prompt':'p','style':'natural','user':'u',"
                    + "'moderation':'auto','watermark':true,'safety_identifier':'s'"),
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
    "openai/gpt-image-1, provider-a/image-1",
    "dall-e-3, provider-a/image-2",
    "google/gemini-2.5-flash-image, provider-b/image-std",
    "gemini-3-pro-image-preview, provider-b/image-pro",
    "grok-imagine-image-quality, provider-d/image-pro",
    "XAI/grok-imagine-image-pro, provider-d/image-pro"
  })
  void aRetiredNameIsRefusedAndNamesAModelThatLives(String name, String living) {
    assertThatThrownBy(() -> requests.quote(body("'model':'" + name + "'"), false))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND))
        .hasMessageContaining("is retired; ask for " + living);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "auto/best", "provider-z/image", "small\nmodel"})
  void anUnknownNameIsToldWhichThereAreAndWhichSettingListsThem(String name) {
    ImageBody body = body("'model':'" + name.replace("\n", "\\n") + "'");
    assertThatThrownBy(() -> requests(CATALOGUE, Set.of("provider-a")).quote(body, false))
        .hasMessage(
            "There is no image model '"
                + name.replace('\n', ' ')
                + "'; there are auto/image, provider-a/image-1, provider-a/image-2 (setting"
                + " gateway.images.catalogue)");
  }

  @Test
  void aRetiredNameDoesNotNameAModelThatIsNotSoldHere() {
    assertThatThrownBy(
            () ->
                requests(CATALOGUE, Set.of("provider-a"))
                    .quote(body("'model':'gemini-2.5-flash-image'"), false))
        .hasMessageStartingWith("There is no image model 'gemini-2.5-flash-image'; ")
        .hasMessageNotContaining("nano");
  }

  @ParameterizedTest
  @CsvSource({"2026-11-30, true", "2026-12-01, false", "2027-01-01, false"})
  void aModelIsSoldUntilTheDayOnWhichItsVendorTakesItAway(LocalDate day, boolean sold) {
    String entry = "{'id':'%s','upstream':'x','sizes':['1024x1024'],'price':0.01%s}";
    String file =
        "{'models':["
            + entry.formatted("old", ",'retired':'2026-12-01','successor':'new'")
            + ","
            + entry.formatted("new", "")
            + "]}";
    ImageCatalogue catalogue =
        ImageCatalogueFile.read(file.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    Clock clock = Clock.fixed(day.atTime(12, 0).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    ImageRequests then = new ImageRequests(catalogue, Set.of("x"), clock);
    assertThat(then.quote(body("'model':'auto/image'"), false).model().id())
        .isEqualTo(sold ? "old" : "new");
    if (sold) {
      assertThat(then.quote(body("'model':'old'"), false).micros()).isEqualTo(10_000);
    } else {
      assertThatThrownBy(() -> then.quote(body("'model':'old'"), false))
          .hasMessageContaining("is retired; ask for new");
    }
  }

  @Test
  void whatIsLeftToChoiceIsTheUsual() {
    ImageOrder order = order(",'size':'auto','quality':'auto','background':'auto'");
    assertThat(order.quote().size()).hasToString("1024x1024");
    assertThat(order.options()).isEqualTo(Map.of("quality", "low"));
    ImageOrder plain =
        requests.order(
            body(
                "'model':'provider-b/image-std','prompt':'p','quality':'auto','background':'auto'"),
            false);
    assertThat(plain.options()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "provider-a/image-1, standard, low",
    "provider-a/image-1, low, low",
    "provider-a/image-2, standard, medium",
    "provider-a/image-2, medium, medium",
    "provider-a/image-2, low, low",
    "provider-c/image-flex, hd, hd",
    "provider-d/image-pro, auto, medium"
  })
  void aQualityIsTheVendorsThatThePriceCovers(String model, String asked, String sent) {
    ImageOrder order =
        requests.order(
            body("'model':'" + model + "','prompt':'p','quality':'" + asked + "'"), false);
    assertThat(order.options()).containsEntry("quality", sent);
  }

  /** Which member of the answer a vendor's SDK reads, it says or its call shows. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'model':'provider-a/image-1'                             | false | ADDRESS",
        "'model':'Provider-A/Image-1'                             | false | ADDRESS",
        "'model':'auto/image'                                     | false | ADDRESS",
        "'model':'gpt-image-2'                                    | false | BOTH",
        "'model':'OpenAI/gpt-image-2'                             | false | BOTH",
        "'model':'gpt-image-2','response_format':'url'            | false | ADDRESS",
        "'model':'gpt-image-2','response_format':'b64_json'       | false | BYTES",
        "'model':'provider-a/image-1','response_format':'b64_json' | false | BYTES",
        "'model':'provider-a/image-1'                             | true  | BOTH",
        "'response_format':'url'                                  | true  | ADDRESS",
        "'model':'provider-a/image-1','stream':true               | false | BYTES"
      })
  void aPictureIsGivenAsTheCallerReadsIt(String members, boolean edit, PictureForm form) {
    assertThat(requests.order(body("'prompt':'p'," + members), edit).form()).isEqualTo(form);
  }

  /** In dollars: a picture, what is given, what is shown on the way, and the prompt's bytes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "provider-a/image-1 |  3000 | 0 | 0 | 21000",
        "provider-a/image-1 |  3100 | 0 | 0 | 21400",
        "provider-a/image-1 | 10000 | 0 | 0 | 55900",
        "provider-a/image-1 |   500 | 1 | 0 | 21000",
        "provider-a/image-1 |   500 | 2 | 0 | 24800",
        "provider-a/image-1 |   100 | 0 | 3 | 21000",
        "provider-a/image-2 |   200 | 0 | 3 | 63000",
        "provider-a/image-2 |   400 | 0 | 3 | 63700",
        "provider-c/image-flex | 4000 | 0 | 0 | 15000"
      })
  void aCallCostsAtLeastWhatItsVendorBills(
      String model, int prompt, int given, int partials, long micros) {
    String members =
        "'model':'%s','prompt':'%s','n':2,'partial_images':%d,'images':[%s]"
            .formatted(
                model,
                "x".repeat(prompt),
                partials,
                String.join(",", Collections.nCopies(given, "'AAAA'")));
    assertThat(requests.quote(body(members), given > 0).micros()).isEqualTo(2 * micros);
  }

  /** 1536 tokens of the vendor's at most for one picture, and no more than 1024 for a small one. */
  @Test
  void whatIsGivenIsCountedBySizeWithoutBeingDecoded() {
    byte[] small = Arrays.copyOf(Pictures.png(1024, 1024, false), 32);
    byte[] large = Arrays.copyOf(Pictures.png(1025, 16, false), 32);
    assertThat(edited(List.of(small))).isEqualTo(63_000);
    assertThat(edited(List.of(large))).isEqualTo(65_005);
    assertThat(edited(List.of(small, large))).isEqualTo(73_205);
    assertThat(edited(List.of(new byte[0]))).isEqualTo(63_000);
    String base64 = Pictures.base64(Pictures.png(16, 1025, false));
    for (String one :
        List.of(base64, "data:image/png;base64," + base64, "https://a.example/x.png")) {
      String members = "'model':'provider-a/image-2','prompt':'p','images':[{'image_url':'%s'}]";
      assertThat(requests.quote(body(members.formatted(one)), true).micros()).isEqualTo(65_005);
    }
  }

  private long edited(List<byte[]> pictures) {
    Map<String, String> fields = Map.of("model", "provider-a/image-2", "prompt", "p");
    return requests.quote(ImageBody.ofForm(fields, pictures), true).micros();
  }

  @Test
  void picturesMayStandInObjectsAsTheVendorHasThem() {
    ImageBody body =
        body(
            "'images':[{'image_url':'https://a.example/x.png'},'AAAA'],'image':'BBBB',"
                + "'mask':{'image_url':'CCCC'}");
    assertThat(body.pictures()).containsExactly("https://a.example/x.png", "AAAA", "BBBB");
    assertThat(body.mask()).contains("CCCC");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'images':[{'file_id':'f'}]",
        "'images':[{'image_url':'x','file_id':'f'}]",
        "'images':[{'image_url':{'url':'x'}}]",
        "'images':[7]",
        "'images':'AAAA'"
      })
  void aPictureThatIsKeptByTheVendorIsRefused(String members) {
    assertThatThrownBy(body(members)::pictures)
        .isInstanceOf(Failure.class)
        .hasMessageContaining("images");
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
    assertThat(order.options()).isEqualTo(Map.of("quality", "low"));
    assertThatThrownBy(() -> requests.order(body("'prompt':'p','model':'provider-d/image'"), true))
        .hasMessageContaining("does not edit");
  }

  @Test
  void theNumbersOfAFormAreRead() {
    ImageBody form =
        ImageBody.ofForm(Map.of("model", "provider-a/image-1", "prompt", "7", "n", "3"), List.of());
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

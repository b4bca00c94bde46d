package dev.octroi.services.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.images.ImageCatalogue.ImageModel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageCatalogueTest {

  private static final String GOOD =
      "{'id':'a/b','upstream':'x','sizes':['1024x1024'],'price':0.01%s}";

  private static ImageCatalogue read(String... models) {
    String json = "{\"models\":[" + String.join(",", models).replace('\'', '"') + "]}";
    return ImageCatalogueFile.read(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theBuiltInCatalogueHasTheModelsOfTheSpecification() {
    assertThat(ImageCatalogueFile.standard().models())
        .extracting(ImageModel::id)
        .containsExactly(
            "provider-a/image-1",
            "provider-a/image-2",
            "provider-b/image-std",
            "provider-b/image-pro",
            "provider-c/image-flex",
            "provider-d/image",
            "provider-d/image-pro");
  }

  @Test
  void whatIsNotSaidHasADefault() {
    ImageModel model = read(GOOD.formatted("")).models().get(0);
    assertThat(model.source())
        .isEqualTo(new ImageModel.Source("x", "a/b", 10, true, false, Set.of(), Map.of()));
    assertThat(model.micros()).isEqualTo(10_000);
    assertThat(model.costs()).isEqualTo(ImageModel.Costs.COVERED);
    assertThat(model.retirement()).isEmpty();
    assertThat(model.edits()).isFalse();
  }

  /** What the vendor bills for a call that says nothing of it, as its public prices have it. */
  @Test
  void everyModelsOwnPriceCoversItsPicture() {
    assertThat(ImageCatalogueFile.standard().models())
        .allMatch(model -> model.costs().picture() <= model.micros());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",'surprise':1          | surprise",
        ",'at_once':11          | at_once",
        ",'fields':['nothing']  | fields",
        ",'fields':['quality']  | qualities",
        ",'aliases':['A/B']     | taken",
        ",'aliases':['auto/image'] | taken",
        ",'price':0.0000001     | price",
        ",'costs':{'picture':0.0000001} | costs.picture",
        ",'implied':['nothing'] | implied",
        ",'retired':'soon','successor':'a/b' | retired",
        ",'retired':'2027-01-01' | successor",
        ",'retired':'2027-01-01','successor':'no' | no model",
        ",'price':-1            | price"
      })
  void whatIsWrongIsNamed(String more, String named) {
    assertThatThrownBy(() -> read(GOOD.formatted(more)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }
}

package dev.octroi.services.music;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.music.MusicCatalogue.MusicModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MusicCatalogueFileTest {

  @Test
  @Tag("spec:price.music")
  void theStandardCatalogueHasTheModelOfTheSpecification() {
    MusicModel model = MusicCatalogueFile.standard().find("provider-e/music-2.5").orElseThrow();

    assertThat(model.micros()).isEqualTo(157_500);
    assertThat(MusicCatalogueFile.standard().find("auto/music")).contains(model);
  }

  @Test
  void anOwnFileReplacesItWhole() {
    MusicCatalogue own =
        read("{\"models\":[{\"id\":\"m\",\"upstream_model\":\"n\",\"price\":0.2}]}");

    assertThat(own.find("provider-e/music-2.5")).isEmpty();
    assertThat(own.require("M").micros()).isEqualTo(200_000);
  }

  @Test
  void anUnknownNameIsToldWhichThereAreAndWhichSettingListsThem() {
    assertThatThrownBy(() -> MusicCatalogueFile.standard().require("auto"))
        .hasMessage(
            "There is no such music model; there are auto/music, provider-e/music-2.5 (setting"
                + " gateway.music.catalogue)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"models\":[]}|there is no model",
        "{}|there is no model",
        "{\"models\":[{\"id\":\"m\",\"price\":1}]}|id, upstream_model and price",
        "{\"models\":[{\"id\":\"m\",\"upstream_model\":\"n\",\"price\":0}]}|costs something",
        "{\"models\":[{\"id\":\"m\",\"upstream_model\":\"n\",\"price\":0.0000001}]}|six places",
        "{\"models\":[{\"id\":\"auto/music\",\"upstream_model\":\"n\",\"price\":1}]}|is taken",
        "{\"models\":[{\"id\":\"m\",\"upstream_model\":\"n\",\"price\":1,\"cost\":1}]}|line 1",
        "no json|line 1"
      })
  void whatIsWrongWithAFileIsSaid(String json, String words) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> MusicCatalogueFile.read(Path.of("nowhere.json")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nowhere.json");
  }

  @Test
  void aFileThatIsTooLargeIsRefusedWhole(@TempDir Path folder) throws IOException {
    String json = "{\"models\":[{\"id\":\"m\",\"upstream_model\":\"n\",\"price\":1}]}";
    Path file = Files.writeString(folder.resolve("music.json"), json + " ".repeat(1 << 20));

    assertThatThrownBy(() -> MusicCatalogueFile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("music.json is larger than 1 MiB");
  }

  private static MusicCatalogue read(String json) {
    return MusicCatalogueFile.read(json.getBytes(StandardCharsets.UTF_8));
  }
}

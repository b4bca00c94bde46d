package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SDKs for JavaScript that draw pictures and search the web, unmodified, at the built jar: by base
 * address alone, with an API key and with the published x402 client as their fetch.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class MediaSdksIT {

  private static final String KEY = "key";
  private static final String X402 = "x402";
  private static final String PICTURES = "images-sdks.mjs";
  private static final String SEARCH = "exa.mjs";

  private final Map<String, JsonNode> told = new TreeMap<>();
  private ModelShop shop;

  @BeforeAll
  void letEachScriptRunItsScenarios(@TempDir Path data) throws Exception {
    NodeClients.install();
    shop = new ModelShop(data);
    for (String script : List.of(PICTURES, SEARCH)) {
      for (String payer : List.of(KEY, X402)) {
        String credential = payer.equals(KEY) ? shop.key : X402;
        List<String> call = List.of(script, shop.base.toString(), credential);
        told.put(script + payer, NodeClients.run(Map.of(), call));
      }
    }
  }

  @AfterAll
  void stop() {
    if (shop != null) {
      shop.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"draws, true", "drawsWithQuality, true", "drawsBytes, false", "edits, true"})
  @Tag("spec:endpoint.images.generations")
  @Tag("spec:endpoint.images.edits")
  void theSdkOfTheProtocolReadsPictures(String scenario, boolean url) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(PICTURES, payer, scenario);
      assertThat(seen.path("png").asBoolean()).as(seen.toString()).isTrue();
      assertThat(seen.path("url").asBoolean()).as(seen.toString()).isEqualTo(url);
    }
  }

  @ParameterizedTest
  @CsvSource({"streams, image_generation, 2", "editsStreamed, image_edit, 1"})
  void theSdkOfTheProtocolReadsStreamsOfPictures(String scenario, String kind, int partial) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(PICTURES, payer, scenario);
      assertThat(seen.path("types")).as(seen.toString()).hasSize(partial + 1);
      assertThat(seen.path("types").get(0).asText()).isEqualTo(kind + ".partial_image");
      assertThat(seen.path("types").get(partial).asText()).isEqualTo(kind + ".completed");
      assertThat(seen.path("png").asBoolean()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"generateImage", "generateImageByVendor", "generateImageFromOne"})
  void theFrameworkReadsThePicturesThatItPaidFor(String scenario) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = sold(PICTURES, payer, scenario);
      assertThat(seen.path("png").asBoolean()).as(seen.toString()).isTrue();
      assertThat(seen.path("type").asText()).isEqualTo("image/png");
    }
  }

  @ParameterizedTest
  @CsvSource({"tooGood, quality", "retired, provider-a/image-1", "unknown, seed"})
  void whatIsNotDrawnIsRefusedUnpaid(String scenario, String words) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = refused(PICTURES, payer, scenario);
      assertThat(seen.path("thrown").asText()).isEqualTo("BadRequestError");
      assertThat(seen.path("message").asText()).contains(words);
    }
  }

  @Test
  @Tag("spec:endpoint.websearch.search")
  void searchesAreFoundAsTheSdkAsksForThem() {
    for (String payer : List.of(KEY, X402)) {
      JsonNode found = sold(SEARCH, payer, "search");
      assertThat(found.path("found").asInt()).isEqualTo(3);
      assertThat(found.path("title").asText()).contains("idal");
      assertThat(found.path("id").asText()).startsWith("https://");
      assertThat(found.path("text").asText().length()).isGreaterThan(50);
      JsonNode alone = sold(SEARCH, payer, "searchAlone");
      assertThat(alone.path("hosts")).hasToString("[\"wiki.example\"]");
      assertThat(alone.path("text").asBoolean()).isTrue();
      JsonNode dressed = sold(SEARCH, payer, "searchAndContents");
      assertThat(dressed.path("text").asText()).hasSize(9);
      assertThat(dressed.path("highlights").asInt()).isPositive();
      assertThat(dressed.path("scores")).isEqualTo(dressed.path("highlights"));
      assertThat(sold(SEARCH, payer, "tool").path("said").asText())
          .contains("Title: ", "Highlights:")
          .doesNotStartWith("Error");
    }
  }

  @Test
  @Tag("spec:endpoint.websearch.answer")
  void answersAreReadWholeAndAsStreams() {
    for (String payer : List.of(KEY, X402)) {
      JsonNode answer = sold(SEARCH, payer, "answer");
      assertThat(answer.path("answer").asText()).contains("within two days");
      assertThat(answer.path("cited").asText()).startsWith("https://");
      assertThat(answer.path("text").asText()).isNotEmpty();
      JsonNode stream = sold(SEARCH, payer, "streamAnswer");
      assertThat(stream.path("said")).isEqualTo(answer.path("answer"));
      assertThat(stream.path("cited")).isEqualTo(answer.path("cited"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "people, 400, startPublishedDate",
    "summary, 400, summary",
    "deep, 400, type is one of",
    "streamSearch, 400, stream",
    "getContents, 400, ids is required",
    "findSimilar, 404, ''",
    "unknownKey, 401, Invalid API key"
  })
  void whatIsNotSoldOfASearchIsRefusedUnpaid(String scenario, int status, String words) {
    for (String payer : List.of(KEY, X402)) {
      JsonNode seen = refused(SEARCH, payer, scenario);
      assertThat(seen.path("thrown").asText()).as(seen.toString()).isEqualTo("ExaError");
      assertThat(seen.path("status").asInt()).as(seen.toString()).isEqualTo(status);
      assertThat(seen.path("message").asText()).contains(words).isNotEqualTo("Unknown error");
    }
  }

  private JsonNode seen(String script, String payer, String scenario) {
    JsonNode seen = told.get(script + payer).path(scenario);
    assertThat(seen.isObject() && !seen.has("failed"))
        .as("%s with %s, %s: %s", script, payer, scenario, seen.path("failed").asText())
        .isTrue();
    return seen;
  }

  private JsonNode sold(String script, String payer, String scenario) {
    JsonNode seen = seen(script, payer, scenario);
    JsonNode last = seen.path("answers").path(seen.path("answers").size() - 1);
    assertThat(last.path("status").asInt()).as(seen.toString()).isEqualTo(200);
    if (payer.equals(X402)) {
      assertThat(last.path("paid").asBoolean()).as(seen.toString()).isTrue();
    }
    return seen;
  }

  private JsonNode refused(String script, String payer, String scenario) {
    JsonNode seen = seen(script, payer, scenario);
    assertThat(seen.path("paid").asBoolean()).as(seen.toString()).isFalse();
    return seen;
  }
}

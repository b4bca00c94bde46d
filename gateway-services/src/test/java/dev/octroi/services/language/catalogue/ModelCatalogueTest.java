package dev.octroi.services.language.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Target.Quirk;
import dev.octroi.services.language.catalogue.CatalogueFile.InvalidCatalogue;
import dev.octroi.services.language.catalogue.Model.Modality;
import dev.octroi.services.language.catalogue.Model.ModelSource;
import dev.octroi.services.language.catalogue.Model.Rates;
import dev.octroi.services.language.catalogue.Model.Tier;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelCatalogueTest {

  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);

  private static final String PLAIN =
      "\"vendor\": \"v\", \"upstream\": \"u\", \"protocol\": \"chat\", \"context_window\": 10,"
          + " \"max_output\": 5, \"released\": \"2026-01-01\"";

  private final ModelCatalogue standard = CatalogueFile.standard(NOW);

  /** The price list of the specification's upstreams: dollars per million tokens, in and out. */
  @ParameterizedTest
  @CsvSource({
    "anthropic/claude-opus-4.8, 5, 25",
    "anthropic/claude-opus-4.7, 5, 25",
    "anthropic/claude-sonnet-4.6, 3, 15",
    "anthropic/claude-sonnet-4.5, 3, 15",
    "anthropic/claude-haiku-4.5, 1, 5",
    "openai/gpt-5.5, 5, 30",
    "openai/gpt-5.4, 2.5, 15",
    "openai/gpt-5.4-mini, 0.75, 4.5",
    "openai/o3, 2, 8",
    "google/gemini-3.1-pro, 2, 12",
    "google/gemini-2.5-pro, 1.25, 10",
    "google/gemini-2.5-flash, 0.3, 2.5",
    "xai/grok-4.3, 1.5, 4",
    "google/gemini-3.5-flash-lite, 0.3, 2.5"
  })
  void theStandardCatalogueHasTheListedModelsAtTheirPrices(
      String name, String input, String output) {
    Rates listed = Rates.of(input, output);

    assertThat(standard.named(name).price())
        .hasValueSatisfying(
            rates -> {
              assertThat(rates.input()).isEqualTo(listed.input());
              assertThat(rates.output()).isEqualTo(listed.output());
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claude-opus-4.8",
        "claude-opus-4-8",
        "anthropic/claude-opus-4.8",
        "anthropic/claude-opus-4-8"
      })
  @Tag("spec:versioning.3")
  void aModelAnswersToEachFormOfItsName(String name) {
    assertThat(standard.named(name).id()).isEqualTo("claude-opus-4.8");
  }

  @ParameterizedTest
  @CsvSource({
    "claude-3-5-sonnet-20241022, dated",
    "o3-2025-04-16, dated",
    "claude-opus-9, does not exist",
    "openai/claude-opus-4.8, does not exist",
    "CLAUDE-OPUS-4.8, does not exist",
    "claude-opus-4.8/, does not exist"
  })
  @Tag("spec:error.chat.unknown_model")
  void anUnknownOrDatedNameIs400(String name, String reason) {
    assertThatThrownBy(() -> standard.named(name))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.MODEL_NOT_FOUND))
        .hasMessageContaining(reason)
        .hasMessageContaining("GET /v1/models");
    assertThat(standard.find(name)).isEmpty();
  }

  @Test
  void whatACallerMadeUpIsNotRepeatedWhole() {
    assertThatThrownBy(() -> standard.named("x\n<b>".repeat(1000)))
        .satisfies(
            error -> assertThat(error.getMessage()).hasSizeLessThan(200).doesNotContain("\n"));
  }

  @Test
  @Tag("spec:language.catalogue.retired")
  void aRetiredModelIsRefusedFromItsDayOn() {
    String json = models("{\"id\": \"m\", " + PLAIN + ", \"retired\": \"2026-11-22\"}");
    ModelCatalogue today = read(json);
    ModelCatalogue tomorrow =
        CatalogueFile.read(bytes(json), Clock.offset(NOW, java.time.Duration.ofHours(12)));

    assertThat(today.named("m").retired()).isEqualTo("2026-11-22");
    assertThat(today.live()).hasSize(1);
    assertThat(tomorrow.live()).isEmpty();
    assertThatThrownBy(() -> tomorrow.named("v/m"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("was retired on 2026-11-22");
  }

  @ParameterizedTest
  @CsvSource({
    "deepseek-chat, 2026-07-24, gemini-3.5-flash-lite",
    "gemini-2.5-pro, 2026-11-24, gemini-3.1-pro",
    "gemini-2.5-flash, 2026-11-24, gemini-3.5-flash-lite",
    "claude-sonnet-4.5, 2026-11-30, claude-sonnet-4.6",
    "o3, 2026-12-11, gpt-5.4"
  })
  @Tag("spec:language.catalogue.retired")
  void aModelThatItsVendorTookAwayNamesOneThatLives(String name, String day, String successor) {
    Clock then = Clock.fixed(Instant.parse(day + "T00:00:00Z"), ZoneOffset.UTC);
    ModelCatalogue late = CatalogueFile.standard(then);

    assertThatThrownBy(() -> late.named(name))
        .hasMessageContaining("was retired on " + day)
        .hasMessageContaining("call " + successor + " instead");
    assertThat(late.find(successor)).isPresent();
  }

  @Test
  void noRouteAndNoFallbackEndsAtARetiredModel() {
    ModelCatalogue late =
        CatalogueFile.standard(Clock.fixed(Instant.parse("2027-01-01T00:00:00Z"), ZoneOffset.UTC));

    for (Tier tier : Tier.values()) {
      assertThat(late.live()).as("%s", tier).anyMatch(model -> model.tiers().contains(tier));
    }
    for (Model model : late.live()) {
      assertThat(model.fallbacks()).allMatch(id -> late.find(id).isPresent());
    }
  }

  @Test
  void whatIsNotStatedHasAStandard() {
    Model model = read(models("{\"id\": \"m-1.0\", " + PLAIN + "}")).named("m-1-0");

    assertThat(model.source())
        .isEqualTo(new ModelSource("u", "m-1.0", Dialect.CHAT, Set.of(), Set.of()));
    assertThat(model.input()).containsExactly(Modality.TEXT);
    assertThat(model.tokenizer()).isEqualTo(Tokenizer.BYTES);
    assertThat(model.price()).isEmpty();
    assertThat(model.fallbacks()).isEmpty();
  }

  @Test
  void howAnUpstreamDiffersFromItsProtocolIsSaid() {
    for (String newest : List.of("claude-opus-4.8", "claude-opus-4.7")) {
      assertThat(standard.named(newest).source().quirks())
          .contains(Quirk.ADAPTIVE_THINKING, Quirk.NO_SAMPLING);
    }
    assertThat(standard.named("claude-haiku-4.5").source().quirks())
        .contains(Quirk.BUDGETED_THINKING);
    assertThat(standard.named("o3").source().efforts())
        .containsExactlyInAnyOrder(Effort.LOW, Effort.MEDIUM, Effort.HIGH);
  }

  @Test
  void aCacheWithoutItsOwnPriceCostsWhatIsRead() {
    Model model =
        read(models(
                "{\"id\": \"m\", "
                    + PLAIN
                    + ", \"prices\": {\"input\": 1.5, \"output\": 0.000001}}"))
            .named("m");

    assertThat(model.price()).contains(new Rates(1_500_000, 1, 1_500_000, 1_500_000));
  }

  @Test
  void everyProblemIsNamedAtOnceWithItsLine() {
    String json =
        """
        { "models": [
          { "id": "good", "vendor": "v", "upstream": "u", "protocol": "chat",
            "context_window": 10, "max_output": 5, "released": "2026-01-01" },
          { "id": "bad name", "vendor": "auto", "protocol": "carrier-pigeon",
            "context_window": 10, "max_output": 11, "released": "yesterday",
            "prices": { "input": 0.0000001, "out": 3 },
            "tiers": ["eco", "lofty"],
            "colour": "green" },
          17
        ] }
        """;

    assertThat(problems(json))
        .satisfiesExactlyInAnyOrder(
            one -> assertThat(one).startsWith("line 4: /models/1/id is a text of the form"),
            one -> assertThat(one).startsWith("line 4: /models/1/vendor cannot be"),
            one -> assertThat(one).isEqualTo("line 4: /models/1 has no upstream"),
            one ->
                assertThat(one).startsWith("line 4: /models/1/protocol is one of messages, chat"),
            one -> assertThat(one).startsWith("line 5: /models/1/max_output is a whole number"),
            one -> assertThat(one).startsWith("line 5: /models/1/released is a date"),
            one -> assertThat(one).startsWith("line 6: /models/1/prices/input is a number"),
            one -> assertThat(one).startsWith("line 6: /models/1/prices has no output"),
            one -> assertThat(one).startsWith("line 6: /models/1/prices/out is none of"),
            one -> assertThat(one).startsWith("line 7: /models/1/tiers is one of eco"),
            one -> assertThat(one).startsWith("line 8: /models/1/colour is none of"),
            one -> assertThat(one).isEqualTo("line 9: /models/2 is an object"));
  }

  @Test
  void aNameIsGivenOnceAndAFallbackIsAnotherModel() {
    String json =
        models(
            "{\"id\": \"m-1.0\", " + PLAIN + ", \"fallbacks\": [\"m-1-0\", \"none\"]}",
            "{\"id\": \"n\", " + PLAIN + ", \"aliases\": [\"m-1-0\"]}");

    assertThat(problems(json))
        .containsExactly(
            "line 2: /models/1/id has the name m-1-0, which is taken",
            "line 1: /models/0/fallbacks names m-1-0, which is no other model",
            "line 1: /models/0/fallbacks names none, which is no other model");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"models\": []}",
        "{\"models\": {}}",
        "{\"models\": [",
        "{\"models\":[],\"models\":[]}"
      })
  void aFileThatIsNoCatalogueIsRefused(String json) {
    assertThat(problems(json)).singleElement().asString().startsWith("line 1:");
  }

  @Test
  void aFileThatIsNotThereIsNamed(@TempDir Path folder) {
    assertThatThrownBy(() -> CatalogueFile.read(folder.resolve("none.json"), NOW))
        .isInstanceOf(InvalidCatalogue.class)
        .hasMessageContaining("none.json cannot be read");
  }

  private static ModelCatalogue read(String json) {
    return CatalogueFile.read(bytes(json), NOW);
  }

  private static List<String> problems(String json) {
    try {
      read(json);
      return List.of();
    } catch (InvalidCatalogue invalid) {
      return invalid.problems();
    }
  }

  private static String models(String... entries) {
    return "{\"models\": [" + String.join(",\n", entries) + "]}";
  }

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}

package dev.octroi.api.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.Gateway;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Groups;
import dev.octroi.api.group.LiveGroups;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.api.setup.BuiltInGroups;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {

  private final ConfiguredGroups groups =
      new ConfiguredGroups(
          new Groups(BuiltInGroups.ALL),
          GatewaySettings.read(SettingsSources.none()),
          Clock.systemUTC(),
          LiveGroups.NONE);
  private final List<SoldRow> sold = groups.rows();
  private final Catalogue catalogue = new Catalogue(groups::selling, Gateway.resourcesAnd());

  @Test
  void everythingThatIsSoldIsDescribedUnderANameOfItsOwn() {
    assertThat(catalogue.operations()).extracting(Operation::row).isEqualTo(sold);
    assertThat(catalogue.operations())
        .extracting(Operation::name)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z0-9_]{1," + Operation.LONGEST_NAME + "}"));
    assertThat(catalogue.operations())
        .extracting(Operation::about)
        .allMatch(about -> about.matches("[A-Z].*[^.]\\."));
  }

  @Test
  void whatMustBeGivenIsAmongWhatCanBeGiven() {
    for (Operation operation : catalogue.operations()) {
      JsonNode properties = operation.input().path("properties");
      operation
          .input()
          .path("required")
          .forEach(
              name -> assertThat(properties.has(name.textValue())).as(name.textValue()).isTrue());
      operation.pathParameters().forEach(name -> assertThat(properties.has(name)).isTrue());
      operation
          .example()
          .fieldNames()
          .forEachRemaining(name -> assertThat(properties.has(name)).as(operation.name()).isTrue());
    }
  }

  @Test
  void noListOfValuesIsEmpty() {
    for (Operation operation : catalogue.operations()) {
      assertThat(operation.input().findValues("enum"))
          .as(operation.name())
          .allMatch(values -> !values.isEmpty());
    }
  }

  @Test
  void theBoundsOfABodyAreThoseOfItsRecord() {
    assertThat(named("websearch_search").input().at("/properties/numResults"))
        .hasToString(
            "{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,"
                + "\"description\":\"How many at most\",\"default\":10}");
    assertThat(named("websearch_search").input().path("required")).hasToString("[\"query\"]");
    assertThat(named("audio_generations").input().path("required"))
        .hasToString("[\"model\",\"prompt\"]");
    assertThat(named("phone_numbers_buy").input().at("/properties/country/pattern").textValue())
        .isEqualTo("^(?:US|CA)$");
    assertThat(named("voice_call_by_id").input().path("required")).hasToString("[\"id\"]");
  }

  private Operation named(String name) {
    return catalogue.operations().stream()
        .filter(operation -> operation.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}

package dev.octroi.services.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.RowMatcher;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("spec:endpoint.prediction")
class PredictionReadTest {

  private record Stated(String path, String price, String seconds, String parameters) {}

  private static final List<Stated> STATED =
      Samples.lines("prediction-rows.tsv").stream()
          .map(line -> line.split("\t", -1))
          .map(cells -> new Stated(cells[0], cells[1], cells[2], cells[3]))
          .toList();

  private final RowMatcher<PredictionRead> matcher =
      new RowMatcher<>(List.of(PredictionRead.values()));

  @Test
  void theRowsAreTheSpecificationsInItsOrder() {
    assertThat(PredictionRead.values())
        .extracting(PredictionRead::path)
        .containsExactlyElementsOf(STATED.stream().map(Stated::path).toList());
  }

  @Test
  @Tag("spec:price.prediction")
  void everyRowHasItsPrice() {
    assertThat(PredictionRead.values())
        .extracting(PredictionRead::price)
        .containsExactlyElementsOf(
            STATED.stream().map(row -> new BigDecimal(row.price())).toList());
  }

  @Test
  @Tag("spec:limit.prediction_data_refresh")
  @Tag("spec:limit.sports_lag")
  @Tag("spec:limit.leaderboard_cache")
  void everyRowHasItsFreshness() {
    assertThat(PredictionRead.values())
        .extracting(PredictionRead::freshness)
        .containsExactlyElementsOf(
            STATED.stream().map(row -> Duration.ofSeconds(Long.parseLong(row.seconds()))).toList());
  }

  @ParameterizedTest
  @EnumSource
  void everyRowListsTheParametersThatTheSpecificationNames(PredictionRead row) {
    String stated = STATED.get(row.ordinal()).parameters();
    Set<String> named =
        Arrays.stream(stated.split(",", -1))
            .filter(name -> !name.equals("-"))
            .map(name -> name.replace("!", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(row.parameters()).extracting(Parameter::name).doesNotHaveDuplicates();
    assertThat(row.parameters()).extracting(Parameter::name).containsAll(named);
    for (String name : stated.split(",", -1)) {
      if (name.endsWith("!")) {
        assertThat(parameter(row, name.replace("!", "")).required()).as(name).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyPathParameterIsListedAndRequired(PredictionRead row) {
    for (String segment : row.path().split("/", -1)) {
      if (segment.startsWith(":")) {
        assertThat(parameter(row, segment.substring(1)).required()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyVariableOfTheVendorsPathIsAPathParameterUnderItsName(PredictionRead row) {
    Set<String> sent =
        row.parameters().stream()
            .filter(parameter -> (row.path() + "/").contains("/:" + parameter.name() + "/"))
            .map(Parameter::upstreamName)
            .collect(Collectors.toSet());
    Matcher variable = Pattern.compile("\\{(\\w+)\\}").matcher(row.source().first().path());
    while (variable.find()) {
      assertThat(sent).contains(variable.group(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExamplePathMatchesItsRowAlone(PredictionRead row) {
    String example = row.path().replaceAll(":\\w+", "example");
    assertThat(matcher.match(example).orElseThrow().row()).isEqualTo(row);
    assertThat(matcher.match(example + "/")).isEmpty();
    assertThat(matcher.match(example.toUpperCase(Locale.ROOT))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/venue-a/candlesticks/0xab, VENUE_A_CANDLESTICKS",
    "/venue-a/wallet/0xab, VENUE_A_WALLET"
  })
  @Tag("spec:endpoint.prediction.candlesticks_id")
  @Tag("spec:endpoint.prediction.wallet_address")
  void aPathThatIsListedTwiceIsOneRow(String path, PredictionRead row) {
    assertThat(matcher.match(path).orElseThrow().row()).isEqualTo(row);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:limit.page_size")
  @Tag("spec:decision.prediction.defaults")
  void aPageHasTwentyElementsByDefaultAndAHundredAtMost(PredictionRead row) {
    row.parameters().stream()
        .filter(parameter -> parameter.name().equals("limit"))
        .filter(parameter -> !row.name().startsWith("EXCHANGE_A")) // series, not pages
        .forEach(
            limit -> {
              boolean leaderboard = row == PredictionRead.VENUE_A_LEADERBOARD;
              boolean search = row == PredictionRead.MARKETS_SEARCH;
              assertThat(limit.defaultValue()).isEqualTo(leaderboard ? "25" : "20");
              assertThat(limit.max()).isEqualTo(BigDecimal.valueOf(search ? 50 : 100));
            });
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:rule.prediction.7")
  void timesAreUnixSeconds(PredictionRead row) {
    assertThat(row.parameters())
        .filteredOn(parameter -> parameter.name().endsWith("_time"))
        .extracting(Parameter::kind)
        .allMatch(kind -> kind == Kind.TIME);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:rule.prediction.8")
  @Tag("spec:decision.prediction.base58_addresses")
  void walletsAreAddressesOfTheirChain(PredictionRead row) {
    Kind expected = row.name().startsWith("VENUE_C") ? Kind.BASE58_ADDRESS : Kind.EVM_ADDRESS;
    assertThat(row.parameters())
        .filteredOn(parameter -> Set.of("wallet", "address").contains(parameter.name()))
        .extracting(Parameter::kind)
        .allMatch(kind -> kind == expected);
  }

  @ParameterizedTest
  @Tag("spec:rule.prediction.1")
  @Tag("spec:rule.prediction.2")
  @Tag("spec:rule.prediction.4")
  @CsvSource({
    "VENUE_A_MARKETS, offset, 0",
    "VENUE_A_MARKETS, sort, volume",
    "VENUE_A_MARKETS, status, open",
    "VENUE_B_MARKETS, offset, 0",
    "VENUE_B_MARKETS, status, open",
    "VENUE_A_LEADERBOARD, period, 30d"
  })
  @Tag("spec:decision.prediction.defaults")
  void theStatedDefaultsAreSent(PredictionRead row, String name, String value) {
    assertThat(parameter(row, name).defaultValue()).isEqualTo(value);
  }

  @ParameterizedTest
  @Tag("spec:rule.prediction.1")
  @Tag("spec:rule.prediction.3")
  @Tag("spec:rule.prediction.4")
  @CsvSource(
      delimiter = '|',
      value = {
        "VENUE_A_MARKETS|category|politics,crypto,sports,science,culture,business,tech",
        "VENUE_A_MARKETS|sort|volume,liquidity,newest,ending_soon",
        "VENUE_A_MARKETS|status|open,closed,active,resolved,all",
        "MARKETS_SEARCH|providers|venue-a,venue-b,venue-d",
        "VENUE_A_LEADERBOARD|period|24h,7d,30d,all"
      })
  void theStatedValuesAreTheOnlyOnes(PredictionRead row, String name, String values) {
    assertThat(parameter(row, name).allowed()).containsExactly(values.split(","));
  }

  private static Parameter parameter(PredictionRead row, String name) {
    return row.parameters().stream()
        .filter(parameter -> parameter.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}

package dev.octroi.services.read;

import static dev.octroi.services.read.Parameter.limit;
import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.Parameter.Kind;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterRulesTest {

  private static final String EVM = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
  private static final String BASE58 = "So11111111111111111111111111111111111111112";

  private static final Read ROW =
      row(
          "/x",
          optional("text"),
          optional("q"),
          optional("integer", Kind.INTEGER).between(-5, 5),
          optional("decimal", Kind.DECIMAL),
          optional("flag", Kind.BOOLEAN),
          optional("time", Kind.TIME),
          optional("pair", Kind.PAIR),
          optional("evm", Kind.EVM_ADDRESS),
          optional("base58", Kind.BASE58_ADDRESS),
          optional("list", Kind.LIST).between(1, 3),
          optional("word").oneOf("a", "b"),
          limit(20, 100));

  @ParameterizedTest
  @CsvSource({
    "text, ü%/&, ''",
    "text, '', ''",
    "integer, -5, ''",
    "integer, 6, INVALID_PARAMS",
    "integer, 1.0, INVALID_PARAMS",
    "integer, 1e1, INVALID_PARAMS",
    "integer, 99999999999999999999, INVALID_PARAMS",
    "decimal, -0.15, ''",
    "decimal, .5, INVALID_PARAMS",
    "decimal, NaN, INVALID_PARAMS",
    "flag, true, ''",
    "flag, True, INVALID_PARAMS",
    "time, 1780992800, ''",
    "time, 1780992800000, INVALID_PARAMS",
    "time, 2026-01-01, INVALID_PARAMS",
    "time, -1, INVALID_PARAMS",
    "pair, BTC-USDT, ''",
    "pair, btc-usdt, ''",
    "pair, B-USDT, INVALID_PAIR",
    "pair, BTCUSDT, INVALID_PAIR",
    "pair, BTC-USDTUSDTUSDTUSDTUSDTX, INVALID_PAIR",
    "pair, BTC-, INVALID_PAIR",
    "evm, 0x1, INVALID_ADDRESS",
    "base58, 0OIl, INVALID_ADDRESS",
    "base58, 111111111111111111111111111111111, INVALID_ADDRESS",
    "base58, 11111111111111111111111111111111, ''",
    "list, 'a,b,c', ''",
    "list, 'a,b,c,d', INVALID_PARAMS",
    "word, a, ''",
    "word, A, INVALID_PARAMS",
    "limit, 100, ''",
    "limit, 101, INVALID_PARAMS",
    "limit, 0, INVALID_PARAMS"
  })
  @Tag("spec:decision.pair_form")
  void aValueIsCheckedByItsKindAndBounds(String name, String value, String code) {
    if (code.isEmpty()) {
      assertThat(check(ROW, query(name, value))).isNotNull();
    } else {
      assertRefused(ROW, query(name, value), ErrorCode.valueOf(code), name);
    }
  }

  @Test
  @Tag("spec:decision.prediction.base58_addresses")
  void addressesOfBothKindsAreTaken() {
    Arguments arguments = check(ROW, query("evm", EVM, "base58", BASE58));
    assertThat(arguments.value("evm")).contains(EVM);
    assertThat(arguments.value("base58")).contains(BASE58);
    assertRefused(ROW, query("evm", EVM + "0"), ErrorCode.INVALID_ADDRESS, "evm");
    assertRefused(ROW, query("base58", BASE58 + "1"), ErrorCode.INVALID_ADDRESS, "base58");
  }

  @Test
  void aRequiredParameterIsMissedByName() {
    Read row = row("/x", required("pair", Kind.PAIR));
    assertRefused(row, Map.of(), ErrorCode.INVALID_PARAMS, "pair");
    assertRefused(row, query("pair", ""), ErrorCode.INVALID_PARAMS, "pair");
  }

  @Test
  void anAbsentOptionalParameterGetsItsDefault() {
    Arguments arguments = check(ROW, Map.of());
    assertThat(arguments.defaults()).containsExactly(Map.entry("limit", "20"));
    assertThat(arguments.value("limit")).contains("20");
    assertThat(arguments.has("limit")).isFalse();
  }

  @Test
  @Tag("spec:decision.addresses_forms")
  void aListComesInThreeForms() {
    Map<String, List<String>> query = new LinkedHashMap<>();
    query.put("list", List.of("a, b"));
    query.put("list[]", List.of("c"));
    assertThat(check(ROW, query).values("list")).containsExactly("a", "b", "c");
    assertThat(check(ROW, Map.of("list", List.of("a", "b"))).values("list"))
        .containsExactly("a", "b");
  }

  @Test
  void aSingleValueIsGivenOnce() {
    assertRefused(ROW, Map.of("text", List.of("a", "b")), ErrorCode.INVALID_PARAMS, "text");
  }

  @Test
  void valuesHaveALongestLengthAndASearchTextALongerOne() {
    assertThat(check(ROW, query("text", "x".repeat(2048), "q", "x".repeat(10_000)))).isNotNull();
    assertRefused(ROW, query("text", "x".repeat(2049)), ErrorCode.INVALID_PARAMS, "text");
    assertRefused(ROW, query("q", "x".repeat(10_001)), ErrorCode.INVALID_PARAMS, "q");
    assertRefused(ROW, query("other", "x".repeat(2049)), ErrorCode.INVALID_PARAMS, "other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX: y", "a\u0000", "a\u007f", "a\u0085", "a\ud800"})
  void controlCharactersAreRefused(String value) {
    assertRefused(ROW, query("text", value), ErrorCode.INVALID_PARAMS, "text");
    assertRefused(ROW, query("other", value), ErrorCode.INVALID_PARAMS, "other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a=b", "a&b", "ü", "a\n", "a#"})
  void aStrangeNameIsRefused(String name) {
    assertThatThrownBy(() -> check(ROW, query(name, "x"))).isInstanceOf(Failure.class);
  }

  @Test
  void sixtyFourParametersAreTheMost() {
    assertThat(check(ROW, Map.of("other", Collections.nCopies(64, "x")))).isNotNull();
    assertThatThrownBy(() -> check(ROW, Map.of("other", Collections.nCopies(65, "x"))))
        .isInstanceOf(Failure.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "a\\b", "..%2f", "a\n"})
  void aPathParameterIsOnePlainSegment(String value) {
    Read row = row("/wallet/:wallet/markets", required("wallet"));
    assertThatThrownBy(() -> ParameterRules.check(row, Map.of("wallet", value), Map.of()))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("wallet");
  }

  @Test
  void aPathParameterIsNotTakenFromTheQuery() {
    Read row = row("/wallet/:wallet", required("wallet"));
    Arguments arguments =
        ParameterRules.check(row, Map.of("wallet", "a"), query("wallet", "b", "other", "c"));
    assertThat(arguments.value("wallet")).contains("a");
    assertThat(arguments.unlisted()).containsOnlyKeys("other");
  }

  private static Arguments check(Read row, Map<String, List<String>> query) {
    return ParameterRules.check(row, Map.of(), query);
  }

  private static void assertRefused(
      Read row, Map<String, List<String>> query, ErrorCode code, String name) {
    assertThatThrownBy(() -> check(row, query))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(code);
              assertThat(failure).hasMessageStartingWith(name + " ");
            });
  }

  private static Map<String, List<String>> query(String... namesAndValues) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      query.put(namesAndValues[at], List.of(namesAndValues[at + 1]));
    }
    return query;
  }

  private static Read row(String path, Parameter... parameters) {
    return new UpstreamReadsTest.TestRead("ROW", path, path, Duration.ZERO, List.of(parameters));
  }
}

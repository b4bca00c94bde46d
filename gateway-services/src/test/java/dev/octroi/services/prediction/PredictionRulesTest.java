package dev.octroi.services.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Failure;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Parameter.Kind;
import dev.octroi.services.read.ParameterRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

@Tag("spec:rule.prediction.1")
@Tag("spec:rule.prediction.2")
@Tag("spec:rule.prediction.3")
@Tag("spec:rule.prediction.4")
@Tag("spec:rule.prediction.5")
@Tag("spec:rule.prediction.6")
@Tag("spec:rule.prediction.7")
@Tag("spec:rule.prediction.8")
class PredictionRulesTest {

  /** The table: row, path parameter, query, and the parameter that a refusal names. */
  @ParameterizedTest
  @CsvFileSource(resources = "refused.tsv", delimiter = '\t', numLinesToSkip = 1)
  @Tag("spec:error.prediction.invalid_address")
  @Tag("spec:error.prediction.invalid_params")
  void aCallAgainstTheRulesIsRefused(
      PredictionRead row, String path, String query, String code, String named) {
    assertThatThrownBy(() -> check(row, path, query))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.code().code()).isEqualTo(code);
              assertThat(failure.code().status()).isEqualTo(400);
              assertThat(failure).hasMessageContaining(named);
            });
  }

  @ParameterizedTest
  @CsvFileSource(resources = "taken.tsv", delimiter = '\t', numLinesToSkip = 1)
  void aCallWithinTheRulesIsTaken(PredictionRead row, String path, String query) {
    assertThatCode(() -> check(row, path, query)).doesNotThrowAnyException();
  }

  @Test
  void atMostTwentyProfilesAreAskedForAtOnce() {
    String twenty = "addresses=" + (Paths.value(addressKind()) + ",").repeat(20);
    assertThatCode(() -> check(PredictionRead.VENUE_A_WALLETS_PROFILES, "-", twenty))
        .doesNotThrowAnyException();
    String more = twenty + Paths.value(addressKind());
    assertThatThrownBy(() -> check(PredictionRead.VENUE_A_WALLETS_PROFILES, "-", more))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("addresses");
  }

  private static Kind addressKind() {
    return Kind.EVM_ADDRESS;
  }

  private static void check(PredictionRead row, String path, String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.equals("-")) {
        String[] nameAndValue = pair.split("=", 2);
        parameters.put(nameAndValue[0], List.of(nameAndValue[1]));
      }
    }
    Map<String, String> inPath = new LinkedHashMap<>(Paths.example(row));
    if (!path.equals("-")) {
      inPath.replaceAll((name, example) -> path);
    }
    Arguments arguments = ParameterRules.check(row, inPath, parameters);
    PredictionRules.check(row, arguments, Vendor.NOW.instant());
  }
}

package dev.octroi.services.language;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Prompt.Reasoning;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("spec:language.translation.thinking")
class ReasoningTest {

  @ParameterizedTest
  @EnumSource(
      value = Effort.class,
      names = {"MINIMAL", "LOW", "MEDIUM", "HIGH"})
  void aBudgetThatStandsForAWordIsThatWord(Effort effort) {
    assertThat(Effort.ofBudget(effort.budgetTokens())).isEqualTo(effort);
  }

  @ParameterizedTest
  @CsvSource({"1,MINIMAL", "1025,LOW", "2049,MEDIUM", "10000,HIGH", "1000000,HIGH"})
  void aBudgetIsTheWordThatDoesNotThinkLess(int tokens, Effort effort) {
    assertThat(Effort.ofBudget(tokens)).isEqualTo(effort);
  }

  @Test
  void whatTheCallerNamedComesFirst() {
    Reasoning both = new Reasoning(Effort.LOW, 30_000, true);

    assertThat(both.inWords()).isEqualTo(Effort.LOW);
    assertThat(both.inTokens()).isEqualTo(30_000);
  }

  @Test
  void aModelThatDecidesItselfIsToldNoWord() {
    Reasoning free = new Reasoning(null, null, true);

    assertThat(free.inWords()).isNull();
    assertThat(free.inTokens()).isEqualTo(Effort.MEDIUM.budgetTokens());
  }
}

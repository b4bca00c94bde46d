package dev.octroi.sandbox.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableQuestionTest {

  private static final String TABLES =
      "Tables:\nagent.ethereum_dex_trades(block_time DateTime, taker String, amount_usd Float64)\n"
          + "agent.base_transfers(block_time DateTime, amount Float64)\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Base transfers, amount over 10 please"
            + " | {\"source\":\"agent.base_transfers\",\"filters\":[{\"field\":\"amount\","
            + "\"op\":\"gt\",\"value\":10}]}",
        "the latest 3 base transfers"
            + " | {\"source\":\"agent.base_transfers\",\"sort\":[{\"field\":\"block_time\","
            + "\"order\":\"desc\"}],\"limit\":3}",
        "Which trades of ethereum are the smallest by amount_usd?"
            + " | {\"source\":\"agent.ethereum_dex_trades\",\"sort\":[{\"field\":\"amount_usd\","
            + "\"order\":\"asc\"}]}",
        "dex trades with taker is 'me'"
            + " | {\"source\":\"agent.ethereum_dex_trades\",\"filters\":[{\"field\":\"taker\","
            + "\"op\":\"eq\",\"value\":\"me\"}]}"
      })
  void aQuestionThatIsUnderstoodIsAQuery(String question, String query) {
    assertThat(asked(question)).isEqualTo(query);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "biggest dex trades on ethereum above 1000000 dollars yesterday on uniswap",
        "ethereum dex trades by taker 0x1e0b8e1a",
        "USDC transfers on base last week",
        "the 3 largest base transfers",
        "the largest base transfers",
        "how many base transfers are there",
        "average amount of base transfers",
        "base transfers with price over 10",
        "the latest base transfers by whales",
        "the weather"
      })
  void aConditionThatIsNotUnderstoodIsNoQuery(String question) {
    assertThat(asked(question)).startsWith("{\"source\":null");
  }

  private static String asked(String question) {
    return TableQuestion.in(TABLES + "\nToday: 2026-06-09\nQuestion: " + question)
        .orElseThrow()
        .query();
  }
}

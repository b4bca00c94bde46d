package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.QuestionTranslator.Question;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryReadingTest {

  private static final SchemaTable TRADES =
      new SchemaTable(
          "agent.ethereum_dex_trades",
          List.of("block_time", "block_date", "project", "taker", "symbol", "amount_usd"),
          List.of("DateTime", "Date", "String", "String", "String", "Float64"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "trades above 1000000 dollars | | 1000000 dollars",
        "trades above $1,000,000 | | 1,000,000",
        "trades above 2 million | amount_usd gt 2 | 2 million",
        "trades by taker 0x1e0bAB | | 0x1e0bAB",
        "trades of the project 'uniswap' | | 'uniswap'",
        "trades yesterday | | yesterday",
        "trades of last week | | week",
        "trades of the last 7 days | amount_usd gt 7 | days",
        "trades since 2026-06-09 | | 2026, 06, 09, since",
        "the 3 largest trades | amount_usd gt 3 | largest",
        "the three largest trades | | three, largest",
        "the biggest trades | | biggest",
        "how many trades | | how many",
        "average of trades | | average",
        "trades on uniswap | | uniswap",
        "USDC trades | | USDC",
        "trades of Uniswap | | Uniswap",
        "trades above 20 | | 20"
      })
  @Tag("spec:request.crypto.onchain_query.question")
  @Tag("spec:error.crypto.invalid_params")
  void aConditionThatTheModelLeavesOutIsRefusedAndNamed(
      String question, String filter, String named) {
    assertThatThrownBy(() -> read(question, filter, ""))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
        .hasMessageContaining("leaves out: " + named + ".");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "What are DEX trades on Ethereum of $1.5M or more? | amount_usd gte 1500000 | ",
        "trades above $1,000,000 | amount_usd gt 1000000.0 | ",
        "trades by taker 0x1e0bAB | taker eq 0x1e0bab | ",
        "trades on uniswap | project like %Uniswap% | ",
        "trades of \"uniswap\" in USDC | project,symbol eq uniswap,USDC | ",
        "trades yesterday | block_date eq 2026-06-08 | ",
        "trades of the last 7 days, at least 10 | block_date,amount_usd gte 2026-06-02,10 | ",
        "trades since 2026-06-09 | block_time gte 2026-06-09 00:00:00 | ",
        "the 3 largest trades by 'amount_usd' | | 3",
        "the three most recent trades | | 3",
        "I'd like the swaps of whoever, please | | "
      })
  @Tag("spec:request.crypto.onchain_query.question")
  void aConditionInTheQueryIsMet(String question, String filter, String limit) {
    assertThat(read(question, filter, limit).source()).isEqualTo(TRADES.source());
  }

  @ParameterizedTest
  @CsvSource({"1e2000000000", "-1e2000000000", "1e-2000000000"})
  void aNumberOfAThousandMillionDigitsIsNoneAndNotWrittenOut(String number) {
    assertThatThrownBy(() -> read("trades, please", "amount_usd gt " + number, ""))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  @Test
  void theCallersLimitIsNoReasonToRefuseTheQuestionsOwn() {
    String written =
        "{\"source\":\"agent.ethereum_dex_trades\",\"limit\":5,\"sort\":[{\"field\":\"amount_usd\"}]}";
    Question question = new Question(Optional.empty(), "top 5 trades", Optional.of(3));
    assertThat(QueryReading.of(written, List.of(TRADES), question).limit()).isEqualTo(3);
  }

  /** Fields, an operator and values; a query with a limit is sorted too. */
  private static StructuredQuery read(String question, String filter, String limit) {
    StringBuilder written = new StringBuilder("{\"source\":\"agent.ethereum_dex_trades\"");
    if (filter != null) {
      String[] parts = filter.split(" ", 3);
      String[] fields = parts[0].split(",", -1);
      String[] values = parts[2].split(",", -1);
      written.append(",\"filters\":[");
      for (int at = 0; at < fields.length; at++) {
        String value = fields[at].equals("amount_usd") ? values[at] : "\"" + values[at] + "\"";
        written
            .append(at == 0 ? "" : ",")
            .append("{\"field\":\"" + fields[at] + "\",\"op\":\"" + parts[1] + "\",\"value\":")
            .append(value + "}");
      }
      written.append("]");
    }
    if (limit != null && !limit.isEmpty()) {
      written.append(",\"limit\":" + limit + ",\"sort\":[{\"field\":\"amount_usd\"}]");
    }
    return QueryReading.of(
        written.append("}").toString(),
        List.of(TRADES),
        new Question(Optional.empty(), question, Optional.empty()));
  }
}

package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.cryptodata.QuestionTranslator.Question;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordTranslatorTest {

  private static final List<SchemaTable> SCHEMA =
      List.of(
          new SchemaTable(
              "agent.ethereum_dex_trades", List.of("block_time", "project", "amount_usd")),
          new SchemaTable("agent.ethereum_transfers", List.of("block_time", "from", "to")),
          new SchemaTable(
              "agent.base_transfers", List.of("block_date", "token_symbol", "amount_usd")));

  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-06-09T10:13:20Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "top 5 ethereum dex trades by amount usd, agent.ethereum_dex_trades, amount_usd:desc, 5",
    "smallest dex trades by amount_usd, agent.ethereum_dex_trades, amount_usd:asc, 20",
    "latest 7 transfers on base, agent.base_transfers, block_date:desc, 7",
    "oldest transfers on base please, agent.base_transfers, block_date:asc, 20",
    "show me ethereum transfers, agent.ethereum_transfers, , 20",
    "the 12 ethereum transfers, agent.ethereum_transfers, , 12"
  })
  void aPlainQuestionIsTranslated(String question, String source, String sort, int limit) {
    StructuredQuery query = translated(Optional.empty(), question, Optional.empty());
    assertThat(query.source()).isEqualTo(source);
    assertThat(query.limit()).isEqualTo(limit);
    assertThat(query.sort())
        .extracting(order -> order.field() + ":" + (order.descending() ? "desc" : "asc"))
        .isEqualTo(sort == null ? List.of() : List.of(sort));
    assertThat(query.filters()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dex trades with amount usd over 1,000,000|amount_usd gt 1000000",
        "dex trades where amount_usd is at least $2.50|amount_usd gte 2.50",
        "dex trades whose amount_usd <= 10|amount_usd lte 10",
        "dex trades where project is Uniswap|project eq \"Uniswap\"",
        "dex trades where project is not uniswap|project neq \"uniswap\"",
        "dex trades since 2026-06-01|",
        "dex trades with block time since 2026-06-01|block_time gte \"2026-06-01\"",
        "dex trades in the last 24 hours|block_time gte \"2026-06-08 10:13:20\"",
        "dex trades of the past week|block_time gte \"2026-06-02 10:13:20\"",
        "base transfers today|block_date eq \"2026-06-09\"",
        "base transfers yesterday|block_date eq \"2026-06-08\"",
        "base transfers in the last 3 days|block_date gte \"2026-06-06\"",
        "transfers from 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 on ethereum"
            + "|from eq \"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045\""
      })
  void aConditionReachesTheQueryOrTheQuestionIsRefused(String question, String filter) {
    if (filter == null) {
      assertRefused(Optional.empty(), question, "2026-06-01");
      return;
    }
    assertThat(translated(Optional.empty(), question, Optional.empty()).filters())
        .extracting(each -> each.field() + " " + each.op() + " " + each.value())
        .containsExactly(filter);
  }

  @ParameterizedTest
  @CsvSource({
    "how big were dex trades, big",
    "base transfers in the last 24 hours, hours",
    "dex trades by whales, whales",
    "transfers to an address on ethereum, address",
    "dex trades where amount_usd is over nothing, nothing",
    "dex trades in May, May",
    "dex trades above 5, 5"
  })
  void aWordThatIsNotUnderstoodRefusesTheQuestion(String question, String word) {
    assertRefused(Optional.empty(), question, word);
  }

  @Test
  void theCallersSourceAndLimitGoFirst() {
    StructuredQuery query =
        translated(Optional.of("base.transfers"), "top 5 transfers by amount usd", Optional.of(3));
    assertThat(query.source()).isEqualTo("agent.base_transfers");
    assertThat(query.limit()).isEqualTo(3);
  }

  @Test
  void aQuestionAboutAnotherTableThanTheSourceIsRefused() {
    assertRefused(Optional.of("base.transfers"), "ethereum dex trades", "ethereum, dex, trades");
  }

  @Test
  void onlyWholeWordsAreColumns() {
    Optional<String> transfers = Optional.of("agent.ethereum_transfers");
    assertThat(translated(transfers, "from and to", Optional.empty()).fields())
        .containsExactly("from", "to");
    assertRefused(transfers, "tokens", "tokens");
  }

  @Test
  void anUnknownSourceListsTheKnownOnes() {
    assertRefused(
        Optional.of("solana.transfers"),
        "transfers",
        "source is none of the tables: base.transfers, ethereum.dex_trades, ethereum.transfers");
  }

  @Test
  void aQuestionThatFitsSeveralTablesListsThem() {
    assertRefused(Optional.empty(), "latest transfers", "base.transfers, ethereum.transfers");
    assertRefused(
        Optional.empty(),
        "the weather",
        "no table fits the question: base.transfers, ethereum.dex_trades, ethereum.transfers");
  }

  private static void assertRefused(Optional<String> source, String question, String named) {
    assertThatThrownBy(() -> translated(source, question, Optional.empty()))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
        .hasMessageContaining(named);
  }

  private static StructuredQuery translated(
      Optional<String> source, String text, Optional<Integer> limit) {
    return new WordTranslator(NOW)
        .translate(new Question(source, text, limit), SCHEMA, Deadline.in(Duration.ofSeconds(5)));
  }
}

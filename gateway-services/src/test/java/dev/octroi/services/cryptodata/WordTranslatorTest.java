package dev.octroi.services.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.Deadline;
import dev.octroi.services.cryptodata.QuestionTranslator.Question;
import dev.octroi.services.cryptodata.QuestionTranslator.SchemaTable;
import dev.octroi.services.cryptodata.QuestionTranslator.StructuredQuery;
import java.time.Duration;
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
          new SchemaTable("agent.base_transfers", List.of("block_date", "amount_usd")));

  @ParameterizedTest
  @CsvSource({
    "top 5 ethereum dex trades by amount usd, agent.ethereum_dex_trades, amount_usd:desc, 5",
    "smallest dex trades by amount_usd, agent.ethereum_dex_trades, amount_usd:asc, 20",
    "latest 7 transfers on base, agent.base_transfers, block_date:desc, 7",
    "oldest transfers on base please, agent.base_transfers, block_date:asc, 20",
    "transfers on base in the last 24 hours, agent.base_transfers, block_date:desc, 20",
    "show me ethereum transfers, agent.ethereum_transfers, , 20"
  })
  void aPlainQuestionIsTranslated(String question, String source, String sort, int limit) {
    StructuredQuery query = translated(Optional.empty(), question, Optional.empty());
    assertThat(query.source()).isEqualTo(source);
    assertThat(query.limit()).isEqualTo(limit);
    assertThat(query.sort())
        .extracting(order -> order.field() + ":" + (order.descending() ? "desc" : "asc"))
        .isEqualTo(sort == null ? List.of() : List.of(sort));
  }

  @Test
  void theCallersSourceAndLimitGoFirst() {
    StructuredQuery query =
        translated(Optional.of("base.transfers"), "top 5 ethereum dex trades", Optional.of(3));
    assertThat(query.source()).isEqualTo("agent.base_transfers");
    assertThat(query.limit()).isEqualTo(3);
  }

  @Test
  void onlyWholeWordsAreColumns() {
    StructuredQuery query =
        translated(
            Optional.of("agent.ethereum_transfers"), "transfers to an address", Optional.empty());
    assertThat(query.fields()).containsExactly("to");
    assertThat(
            translated(Optional.of("agent.ethereum_transfers"), "tokens", Optional.empty())
                .fields())
        .isEmpty();
  }

  private static StructuredQuery translated(
      Optional<String> source, String text, Optional<Integer> limit) {
    return new WordTranslator()
        .translate(new Question(source, text, limit), SCHEMA, Deadline.in(Duration.ofSeconds(5)));
  }
}

package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions about on-chain tables, of which the sandbox's model makes queries. */
@ResourceLock(Behaviour.SQL_ENGINE)
abstract class QuestionsBehaviour extends Behaviour {

  private static final String QUERY = CRYPTO_DATA + "/onchain/query";

  private static Call asking(String question) {
    return Call.post(QUERY, Json.write(Json.MAPPER.createObjectNode().put("question", question)));
  }

  private JsonNode rows(String question) {
    JsonNode rows = deployment().buy(asking(question)).json().path("data");
    assertThat(rows).isNotEmpty();
    return rows;
  }

  @Test
  @Tag("spec:endpoint.crypto.onchain_query")
  @Tag("spec:request.crypto.onchain_query.question")
  void aModelMakesTheQueryWithFiltersThatNoWordListKnows() {
    List<BigDecimal> amounts = new ArrayList<>();
    rows("top 5 ethereum transfers with amount_usd over 100 by amount_usd")
        .forEach(row -> amounts.add(row.path("amount_usd").decimalValue()));
    assertThat(amounts)
        .hasSize(5)
        .isSortedAccordingTo(Comparator.reverseOrder())
        .allMatch(amount -> amount.compareTo(BigDecimal.valueOf(100)) > 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo: {\"source\":\"ethereum.secrets\"}",
        "echo: {\"source\":\"ethereum.transfers\",\"fields\":[\"password\"]}",
        "echo: {\"source\":\"ethereum.transfers\",\"filters\":[{\"field\":\"amount\",\"op\":\"or\",\"value\":1}]}",
        "echo: I would rather not."
      })
  @Tag("spec:request.crypto.onchain_query.question")
  void whatTheSchemaDoesNotKnowIsNotAskedForAndFree(String question) {
    assertRefused(deployment().pay(asking(question)), 502, "upstream_failed");
  }

  @ParameterizedTest
  @CsvSource({
    "how are you, 400, invalid_params",
    "transfers fail with server error, 502, upstream_failed",
    "transfers fail with rate limit, 503, upstream_unavailable"
  })
  @Tag("spec:request.crypto.onchain_query.question")
  void aQuestionThatGetsNoQueryIsFree(String question, int status, String code) {
    String payment = deployment().payment(asking("latest ethereum transfers"));
    assertRefused(deployment().send(asking(question), payment), status, code);
    assertStillGood(payment, asking("latest ethereum transfers"));
  }
}

package dev.octroi.sandbox.cryptodata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.sandbox.formula.Formulas;
import dev.octroi.sandbox.vendor.Shapes;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every path of the vendor answers in the shape that its contract states. */
class CryptoDataShapesTest {

  private static final VendorServer SERVER = new VendorServer();

  private static final Shapes SHAPES =
      new Shapes(
          CryptoDataShapesTest.class,
          Set.of(
              "completed_time",
              "game_start_time",
              "winning_side",
              "max_supply",
              "exchange",
              "exchange_name",
              "sol_balance",
              "sol_tokens",
              "watermark",
              // of venue A only
              "condition_id",
              "event_group_slug",
              "event_slug",
              "market_slug",
              "outcome_label",
              "smart_money_direction",
              "token_id",
              "matched_counterpart"));

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  static Stream<String> examples() {
    return Formulas.lines(CryptoDataShapesTest.class, "examples.txt").stream();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void thePathAnswersInTheContractsShape(String example) throws Exception {
    VendorServer.Reply reply = SERVER.get(example);

    assertThat(reply.status()).as(reply.json().toString()).isEqualTo(200);
    assertThat(reply.data().isEmpty()).as("data is empty").isFalse();
    assertThat(SHAPES.faults(path(example), reply.json())).isEmpty();
  }

  @Test
  void everyReadOfTheContractIsAnsweredAndHasAnExample() {
    Set<String> examples =
        examples().map(example -> "GET " + Wire.word(path(example))).collect(Collectors.toSet());
    examples.addAll(Set.of("POST /onchain/sql", "POST /onchain/query"));

    assertThat(SERVER.vendor.reads())
        .isEqualTo(CryptoDataVendor.CONTRACT.operations())
        .isEqualTo(examples);
    assertThat(SERVER.vendor.reads()).hasSize(82);
    assertThat(SHAPES.paths()).hasSize(78);
  }

  @Test
  void theSameCallAtTheSameTimeHasTheSameAnswer() throws Exception {
    for (String example : examples().toList()) {
      String first = SERVER.get(example).json().toString();
      String second = SERVER.get(example).json().toString();
      assertThat(second).as(example).isEqualTo(first);
    }
  }

  private static String path(String example) {
    return example.replaceFirst("\\?.*", "");
  }
}

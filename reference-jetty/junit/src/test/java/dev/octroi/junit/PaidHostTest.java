package dev.octroi.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.SettlementResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PaidHostTest {

  private static final AtomicInteger STARTS = new AtomicInteger();

  @RegisterExtension
  static final PaidHost STALL =
      PaidHost.serving(
          ground -> {
            STARTS.incrementAndGet();
            return new Stall(ground.payments(money -> money.strict(true)));
          },
          application -> new ServletContainer(ResourceConfig.forApplication(application)));

  @Test
  void aCallIsAskedForPaidAndAnsweredWithItsReceipt(Payer payer) {
    assertThat(payer.asked("/word")).isEqualTo(Usd.parse("0.01"));
    assertThat(payer.spent()).isEqualTo(Usd.ZERO);

    Answer answer = payer.get("/word");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("a wörd");
    assertThat(answer.paid()).isEqualTo(Usd.parse("0.01"));
    assertThat(answer.receipt()).map(SettlementResponse::success).contains(true);
    assertThat(payer.spent()).isEqualTo(Usd.parse("0.01"));
    assertThat(payer.balance()).isEqualTo(Usd.parse("9.99"));
  }

  @Test
  void aBodyInJsonIsPosted(Payer payer) {
    Answer answer = payer.post("echo", "{\"a\":1}");

    assertThat(answer.body()).isEqualTo("{\"a\":1}");
    assertThat(answer.paid()).isEqualTo(Usd.parse("0.02"));
  }

  @Test
  void aCallThatFailsIsNotCharged(Payer payer) {
    Answer answer = payer.get("/lost");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.paid()).isEqualTo(Usd.ZERO);
    assertThat(payer.spent()).isEqualTo(Usd.ZERO);
  }

  @Test
  void whatIsFreeIsAskedForNothing(Payer payer) {
    assertThat(payer.asked("/greeting")).isEqualTo(Usd.ZERO);
    Answer answer = payer.get("/greeting");
    assertThat(answer.body()).isEqualTo("hello");
    assertThatThrownBy(() -> payer.again(answer)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNotThereHasNoPrice(Payer payer) {
    assertThatThrownBy(() -> payer.asked("/nowhere"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("404");
  }

  @Test
  void aPaymentThatIsSentAgainIsNotChargedAgain(Payer payer) {
    Answer first = payer.get("/word");

    Answer second = payer.again(first);

    assertThat(second.paid()).isEqualTo(Usd.ZERO);
    assertThat(payer.spent()).isEqualTo(Usd.parse("0.01"));
  }

  @Test
  void whoHasTooLittleIsRefused(@Funded("0.005") Payer poor) {
    Answer answer = poor.get("/word");

    assertThat(answer.status()).isEqualTo(402);
    assertThat(answer.refusal()).contains("invalid_exact_evm_insufficient_balance");
    assertThat(poor.balance()).isEqualTo(Usd.parse("0.005"));
  }

  @Test
  void whoHasNothingIsRefusedToo(@Funded("0") Payer poor) {
    assertThat(poor.get("/word").status()).isEqualTo(402);
  }

  @Test
  void payersHaveWalletsOfTheirOwn(Payer one, Payer other) {
    one.get("/word");

    assertThat(one.wallet()).isNotEqualTo(other.wallet());
    assertThat(other.spent()).isEqualTo(Usd.ZERO);
  }

  @Nested
  class Within {

    @Test
    void theHostIsTheOneOfTheOuterClass(Payer payer) {
      assertThat(payer.get("/word").status()).isEqualTo(200);
      assertThat(STARTS).hasValue(1);
    }
  }
}

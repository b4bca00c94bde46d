package dev.octroi.examples.hall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.junit.Answer;
import dev.octroi.junit.Funded;
import dev.octroi.junit.PaidHost;
import dev.octroi.junit.Payer;
import dev.octroi.payments.Usd;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HallTest {

  private static final int SEATS = 2;

  @RegisterExtension
  static final PaidHost HALL =
      PaidHost.started(
          ground -> {
            Seats seats = Seats.open(ground.database(), SEATS);
            HallApplication hall =
                new HallApplication(ground.payments(money -> money.strict(true)), seats);
            return ground.closing(HallServer.start(hall, 0)).base();
          });

  @Test
  void aReportCostsACent(Payer payer) {
    assertThat(payer.asked("/report")).isEqualTo(Usd.parse("0.01"));
    assertThat(payer.get("/report").body()).startsWith("{\"place\":\"Lisbon\",\"visitors\":4711");
    assertThat(payer.spent()).isEqualTo(Usd.parse("0.01"));
  }

  @Test
  void wordsArePaidForOneByOne(Payer payer) {
    Answer answer = payer.send(shout(payer, "pay per word"));

    assertThat(answer.body()).isEqualTo("PAY PER WORD\n");
    assertThat(answer.paid()).isEqualTo(Usd.parse("0.003"));
  }

  @Test
  void whatHasNoPriceAsksForNoPayment(Payer payer) {
    assertThat(payer.send(shout(payer, " ")).status()).isEqualTo(400);
    assertThat(payer.spent()).isEqualTo(Usd.ZERO);
  }

  @Test
  void whoHasTooLittleGetsNoReport(@Funded("0.009") Payer poor) {
    assertThat(poor.get("/report").status()).isEqualTo(402);
    assertThat(poor.balance()).isEqualTo(Usd.parse("0.009"));
  }

  @Test
  void whatIsForSaleIsSaidForNothing(Payer payer) {
    assertThat(payer.asked("/")).isEqualTo(Usd.ZERO);
  }

  @Test
  void eachPaymentBuysOneSeatAndAFullHallChargesNobody(Payer first, Payer second, Payer late) {
    Answer seat = first.post("/seats", "{}");
    assertThat(seat.body()).isEqualTo("seat 1\n");
    first.again(seat);
    assertThat(second.post("/seats", "{}").body()).isEqualTo("seat 2\n");
    assertThat(first.spent()).isEqualTo(Usd.parse("0.50"));

    assertThat(late.post("/seats", "{}").status()).isEqualTo(409);
    assertThat(late.spent()).isEqualTo(Usd.ZERO);
  }

  private static HttpRequest shout(Payer payer, String text) {
    return payer
        .request("/shout")
        .header("Content-Type", "text/plain")
        .POST(BodyPublishers.ofString(text))
        .build();
  }
}

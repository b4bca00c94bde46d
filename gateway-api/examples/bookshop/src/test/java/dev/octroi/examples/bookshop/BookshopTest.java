package dev.octroi.examples.bookshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.junit.Answer;
import dev.octroi.junit.PaidHost;
import dev.octroi.junit.Payer;
import dev.octroi.payments.Usd;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BookshopTest {

  @RegisterExtension
  static final PaidHost BOOKSHOP =
      PaidHost.started(
          ground ->
              ground
                  .closing(
                      BookshopServer.start(
                          ground.gateway(Map.of(), gateway -> gateway.strict(true)), 0))
                  .base());

  @Test
  void theBookshopIsWhatItWas(Payer visitor) {
    Answer list = visitor.get("/books");

    assertThat(list.body()).isEqualTo("metamorphoses\nodyssey");
    assertThat(list.paid()).isEqualTo(Usd.ZERO);
    assertThat(list.header("X-Sandbox")).isEmpty();
  }

  @Test
  void itSellsOneOfItsOwnMethods(Payer payer) {
    assertThat(payer.get("/books/odyssey").body()).isEqualTo("Tell me, Muse, of the man");
    assertThat(payer.spent()).isEqualTo(Usd.parse("0.02"));
  }

  @Test
  void aBookThatIsNotThereCostsNothing(Payer payer) {
    assertThat(payer.get("/books/iliad").status()).isEqualTo(404);
    assertThat(payer.spent()).isEqualTo(Usd.ZERO);
  }

  @Test
  void theGatewayIsSoldBesideIt(Payer payer) {
    Answer answer = payer.get("/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT");

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(payer.spent()).isEqualTo(Usd.parse("0.0095"));
  }

  @Test
  void healthIsWhereTheBookshopPutIt(Payer visitor) {
    assertThat(visitor.get("/health/ready").status()).isEqualTo(200);
  }
}

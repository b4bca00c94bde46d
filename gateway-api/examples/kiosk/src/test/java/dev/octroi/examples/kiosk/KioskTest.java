package dev.octroi.examples.kiosk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.junit.Answer;
import dev.octroi.junit.PaidHost;
import dev.octroi.junit.Payer;
import dev.octroi.payments.Usd;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KioskTest {

  private static final AtomicLong ROOM = new AtomicLong(5_000_000_000L);

  @RegisterExtension
  static final PaidHost KIOSK =
      PaidHost.serving(
          ground ->
              new KioskApplication(
                  ground.gateway(
                      Map.of("gateway.prices.file", "prices.properties"),
                      gateway -> KioskGateway.with(gateway, ROOM::get))),
          CXFNonSpringJaxrsServlet::new);

  @Test
  void aPriceOfTheKiosksOwnIsAskedAndPaid(Payer payer) {
    Answer answer = payer.get("/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT");

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(payer.spent()).isEqualTo(Usd.parse("0.05"));
    assertThat(payer.asked("/v1/prediction/markets")).isEqualTo(Usd.parse("0.02"));
  }

  @Test
  void whatTheKioskDoesNotPriceCostsWhatTheListSays(Payer payer) {
    assertThat(payer.asked("/v1/marketplace/cryptodata/market/fear-greed"))
        .isEqualTo(Usd.parse("0.0095"));
  }

  @Test
  void theKiosksOwnPageIsServedToo(Payer visitor) {
    assertThat(visitor.get("/hours").body()).isEqualTo("always\n");
  }

  @Test
  void theKiosksOwnCheckAndFigureAreLookedAt(Payer visitor) {
    Answer ready = visitor.get("/health/ready");
    assertThat(ready.status()).as(ready.body()).isEqualTo(200);
    assertThat(ready.body()).contains("disk");
    assertThat(visitor.get("/metrics").body()).contains("kiosk_disk_free_bytes 5.0E9");
  }
}

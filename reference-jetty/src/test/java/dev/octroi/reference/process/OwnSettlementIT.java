package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The built jar settles on a real chain by its own transactions. */
class OwnSettlementIT {

  @TempDir private Path folder;
  private ChainShop shop;

  @BeforeEach
  void startTheChain() {
    shop = new ChainShop();
  }

  @AfterEach
  void stopTheChain() {
    if (shop != null) {
      shop.close();
    }
  }

  @Test
  @Tag("spec:x402.settle.proof")
  void aPaidCallMovesRealTokensAndNamesTheTransaction() throws Exception {
    try (Running gateway = shop.quickJar(folder).start()) {
      URI base = gateway.awaitReady();
      Offer offer = Offer.read(base);
      long price = Long.parseLong(offer.challenge().accepts().get(0).amount());

      HttpResponse<String> answer = offer.accept(shop.payer()).send(base);

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      String hash = answer.headers().firstValue(PaymentHeaders.X_PAYMENT_RECEIPT).orElseThrow();
      assertThat(shop.anvil.receipt(hash).path("status").asText()).isEqualTo("0x1");
      assertThat(shop.earned()).isEqualTo(price);
    }
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:x402.uncertain.2")
  void aGatewayKilledWhileItSettlesFinishesAfterItsRestartAndGivesTheAnswer() throws Exception {
    Wallet payer = shop.payer();
    Sale sale;
    try (Running gateway = shop.quickJar(folder).start()) {
      URI base = gateway.awaitReady();
      sale = Offer.query(base).accept(payer);
      shop.anvil.automine(false);
      CompletableFuture<HttpResponse<String>> lost = sale.sendAsync(base);
      shop.awaitPending();
      gateway.kill();
      assertThat(lost).failsWithin(Running.PATIENCE);
    }
    shop.anvil.automine(true);
    shop.anvil.mine(1);
    long earned = shop.earned();
    assertThat(earned).isPositive();

    try (Running gateway = shop.quickJar(folder).start()) {
      URI base = gateway.awaitReady();
      Sale same = sale;
      await()
          .atMost(Running.PATIENCE)
          .until(() -> same.send(base).statusCode(), status -> status == 200);
      assertThat(shop.earned()).isEqualTo(earned);
    }
  }
}

package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
      assertThat(lost).failsWithin(Running.TIMEOUT);
    }
    shop.anvil.automine(true);
    shop.anvil.mine(1);
    long earned = shop.earned();
    assertThat(earned).isPositive();

    try (Running gateway = shop.quickJar(folder).start()) {
      URI base = gateway.awaitReady();
      Sale same = sale;
      await()
          .atMost(Running.TIMEOUT)
          .until(() -> same.send(base).statusCode(), status -> status == 200);
      assertThat(shop.earned()).isEqualTo(earned);
    }
  }

  @Test
  @Tag("slow")
  @Tag("spec:operator.refunds")
  @Tag("spec:money.6")
  void aRefundIsPaidOnceOutOfTheTreasuryThoughTheGatewayIsKilledMeanwhile() throws Exception {
    Wallet payer = shop.payer();
    String payment;
    try (Running gateway = shop.quickJar(folder).start()) {
      URI base = gateway.awaitReady();
      Operator operator = new Operator(base, folder);
      HttpResponse<String> sold = Offer.read(base).accept(payer).send(base);
      String hash = sold.headers().firstValue(PaymentHeaders.X_PAYMENT_RECEIPT).orElseThrow();
      payment = operator.get("payments?transaction=" + hash).at("/data/0/id").asText();
      shop.coin.mint(ChainShop.treasury(), shop.earned() * 2);
      shop.anvil.automine(false);

      String refund = askedTwiceAtOnce(operator, payment);
      await()
          .atMost(Running.TIMEOUT)
          .until(() -> shop.anvil.call("txpool_status").path("pending").asText().equals("0x1"));

      assertThatThrownBy(
              () -> operator.post("refunds/" + refund + "/paid", "{\"transaction\":\"0x1\"}"))
          .hasMessageContaining("The treasury is about to pay it");
      gateway.kill();
    }
    shop.anvil.automine(true);
    shop.anvil.mine(1);

    try (Running gateway = shop.quickJar(folder).start()) {
      Operator operator = new Operator(gateway.awaitReady(), folder);
      String refunds = "refunds?payment=" + payment;
      await()
          .atMost(Running.TIMEOUT)
          .until(() -> operator.get(refunds).at("/data/0/state").asText().equals("paid"));
      String hash = operator.get(refunds).at("/data/0/transaction").asText();
      assertThat(shop.anvil.receipt(hash).path("status").asText()).isEqualTo("0x1");
      assertThat(shop.coin.balanceOf(payer.address().toString())).isEqualTo(ChainShop.FUNDS);
      assertThat(shop.coin.balanceOf(ChainShop.treasury())).isEqualTo(shop.earned());
      operator.assertBooksAgree();
    }
  }

  private static String askedTwiceAtOnce(Operator operator, String payment) throws Exception {
    String asked =
        "{\"payment\":\"%s\",\"reason\":\"late\",\"requestKey\":\"r\"}".formatted(payment);
    Callable<JsonNode> ask = () -> operator.post("refunds", asked);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Set<String> refunds = new HashSet<>();
      for (Future<JsonNode> said : threads.invokeAll(List.of(ask, ask))) {
        refunds.add(said.get().path("id").asText());
      }
      assertThat(refunds).hasSize(1);
      return refunds.iterator().next();
    } finally {
      threads.shutdown();
    }
  }
}

package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The built jar behind the published facilitator of version 2.11, unmodified, on a real chain that
 * is slower than the facilitator's timeout: it sends, waits in vain, and says that the payment has
 * failed, without a transaction.
 */
@Tag("slow")
class FormerFacilitatorIT {

  private static final NpmFolder FOLDER = NpmFolder.of("node-former", "node-former");
  private static final String TIMEOUT_MILLIS = "1500";

  private ChainShop shop;
  private Running facilitator;

  @BeforeEach
  void serveTheFacilitator() throws Exception {
    Optional<String> missing = FOLDER.install();
    if (missing.isPresent()) {
      System.out.println("SKIPPED, the facilitator of 2.11 was not tried: " + missing.get());
      Assumptions.abort(missing.get());
    }
    shop = new ChainShop();
    facilitator =
        FOLDER.start(
            List.of(
                "facilitator.mjs",
                shop.anvil.url().toString(),
                "0x" + ChainShop.RELAYER_KEY,
                TIMEOUT_MILLIS));
  }

  @AfterEach
  void stop() {
    if (facilitator != null) {
      facilitator.close();
    }
    if (shop != null) {
      shop.close();
    }
  }

  @Test
  @Tag("spec:money.5")
  @Tag("spec:x402.uncertain.1")
  @Tag("spec:x402.facilitator.indeterminate")
  void aTransferThatItSentAndCalledFailedIsInDoubtUntilTheChainProvesItAndChargedOnce(
      @TempDir Path folder) throws Exception {
    URI address = facilitator.awaitListening();
    try (Running gateway = shop.quickJarBehind(address, folder).start()) {
      URI base = gateway.awaitReady();
      Operator operator = new Operator(base, folder);
      Sale sale = Offer.query(base).accept(shop.payer());
      long price = Long.parseLong(sale.offer().challenge().accepts().get(0).amount());
      shop.anvil.automine(false);

      HttpResponse<String> first = sale.send(base);

      assertThat(facilitator.outText())
          .contains("\"errorReason\":\"invalid_exact_evm_transaction_failed\"")
          .contains("\"transaction\":\"\"");
      isDoubtful(first);
      isDoubtful(sale.send(base));
      assertThat(operator.get("payments/unresolved").path("data")).hasSize(1);
      assertThat(waiting()).as("transfers that wait to be mined").isEqualTo(1);

      shop.anvil.automine(true);
      shop.anvil.mine(1);
      assertThat(shop.earned()).isEqualTo(price);

      HttpResponse<String> answer = awaitAnswer(sale, base);
      String hash = answer.headers().firstValue(PaymentHeaders.X_PAYMENT_RECEIPT).orElseThrow();
      assertThat(shop.anvil.receipt(hash).path("status").asText()).isEqualTo("0x1");
      assertThat(shop.earned()).as("one transfer").isEqualTo(price);
      assertThat(facilitator.out().stream().filter(line -> line.startsWith("settle: ")))
          .as("it was asked once")
          .hasSize(1);
      JsonNode books = operator.assertBooksAgree();
      assertThat(books.path("proven").asInt()).isEqualTo(1);
    }
  }

  private int waiting() {
    return shop.anvil.call("eth_getBlockByNumber", "pending", false).path("transactions").size();
  }

  private static void isDoubtful(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.headers().firstValue(PaymentHeaders.PAYMENT_REQUIRED)).isEmpty();
  }

  /** Never a challenge that would have the payer pay again. */
  private static HttpResponse<String> awaitAnswer(Sale sale, URI base) {
    AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
    await()
        .atMost(Running.TIMEOUT)
        .until(
            () -> {
              answer.set(sale.send(base));
              assertThat(answer.get().statusCode()).as(answer.get().body()).isIn(200, 409, 503);
              return answer.get().statusCode() == 200;
            });
    return answer.get();
  }
}

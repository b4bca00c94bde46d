package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.x402.PaymentHeaders;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways of the built jar on one PostgreSQL and one real chain, with one relayer key: what
 * one of them leaves on its way, the other one brings to its end.
 */
@Tag("slow")
class NodesOnChainIT {

  /** A node is dead after 15 seconds without a heartbeat; the rest is the machine's. */
  private static final Duration TAKEOVER = Duration.ofSeconds(150);

  private final List<GatewayNode> nodes = new ArrayList<>();
  private SharedPostgres server;
  private ChainShop shop;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    server = SharedPostgres.start();
    shop = new ChainShop();
    for (String name : List.of("one", "two")) {
      BuiltJar jar = server.under(shop.quickJar(folder.resolve(name)));
      nodes.add(
          GatewayNode.start(
              jar.set("gateway.database.node", name).set("gateway.chain.resend-after", "2s")));
    }
    nodes.forEach(GatewayNode::awaitReady);
  }

  @AfterEach
  void close() throws Exception {
    try {
      nodes.forEach(GatewayNode::close);
    } finally {
      if (shop != null) {
        shop.close();
      }
      server.close();
    }
  }

  @Test
  @Tag("spec:money.2")
  @Tag("spec:money.5")
  @Tag("spec:x402.uncertain.2")
  void aNodeKilledWhileItSettlesLeavesThePaymentAndTheAnswerToTheOther() throws Exception {
    GatewayNode killed = nodes.get(0);
    GatewayNode heir = nodes.get(1);
    Sale sale = Offer.query(killed.base()).accept(shop.payer());
    long price = Long.parseLong(sale.offer().challenge().accepts().get(0).amount());
    shop.anvil.automine(false);
    final CompletableFuture<HttpResponse<String>> lost = sale.sendAsync(killed.base());
    String sent = shop.awaitPending();

    killed.running().kill();

    assertThat(lost).failsWithin(Running.TIMEOUT);
    // The chain's nodes forget it: the heir, which brings it to its end, has it from the database.
    shop.anvil.call("anvil_dropTransaction", sent);
    shop.anvil.automine(true);
    assertThat(shop.earned()).isZero();
    HttpResponse<String> answer = awaitAnswer(sale, heir);
    assertThat(answer.body()).contains("\"one\"");
    String settled = answer.headers().firstValue(PaymentHeaders.X_PAYMENT_RECEIPT).orElseThrow();
    assertThat(shop.anvil.receipt(settled).path("status").asText()).isEqualTo("0x1");
    assertThat(shop.earned()).isEqualTo(price);
    await()
        .atMost(Running.TIMEOUT)
        .until(() -> sale.send(heir.base()).body().contains("nonce_already_used"));
    try (LedgerTables tables = server.tables()) {
      LedgerTables.Row row = tables.payment(sale).orElseThrow();
      assertThat(row.state()).isEqualTo(PaymentState.SETTLED);
      assertThat(row.transaction()).isEqualTo(settled);
      assertThat(row.debits()).isEqualTo(1);
      tables.assertNothingReserved();
    }
    JsonNode books = heir.operator().assertBooksAgree();
    assertThat(books.path("proven").asInt()).as("by the chain").isEqualTo(1);
  }

  /** Until it is had: never a challenge that would have the payer pay again. */
  private static HttpResponse<String> awaitAnswer(Sale sale, GatewayNode heir) {
    AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
    await()
        .atMost(TAKEOVER)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              answer.set(sale.send(heir.base()));
              assertThat(answer.get().statusCode()).as(answer.get().body()).isIn(200, 409, 503);
              return answer.get().statusCode() == 200;
            });
    return answer.get();
  }
}

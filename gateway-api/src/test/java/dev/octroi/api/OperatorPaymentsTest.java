package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payments as the operator finds them. */
class OperatorPaymentsTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private static Admin admin;

  @BeforeAll
  static void start() {
    admin = new Admin(Map.of());
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  @Test
  @Tag("spec:operator.payments")
  void aPaymentIsFoundByAllThatIsKnownOfItWithItsTimelineAndJournal() {
    Wallet payer = Wallet.generate();
    PaidAnswer answer =
        admin
            .host()
            .paid(
                admin.host().http().request(READ).header("X-Request-Id", "mine-42").build(), payer);
    String transaction = answer.receipt().transaction();
    String id = transaction.substring("sandbox:".length());
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(admin.get("payments/" + id).path("delivered").asBoolean()).isTrue());
    JsonNode payment = admin.get("payments/" + id);
    assertThat(payment.path("state").asText()).isEqualTo("settled");
    assertThat(payment.path("amount").asText()).isEqualTo("0.009500");
    assertThat(payment.path("path").asText()).isEqualTo(READ);
    assertThat(payment.path("timeline").findValuesAsText("what"))
        .containsSubsequence("claimed", "settled", "delivered");
    assertThat(payment.path("journal")).hasSize(1);
    assertThat(payment.path("journal").path(0).path("amount").asText()).isEqualTo("0.009500");
    for (String query :
        List.of(
            "payer=" + payer.address(),
            "nonce=" + payment.path("nonce").asText(),
            "transaction=" + transaction,
            "requestId=mine-42&payer=" + payer.address().toString().toLowerCase())) {
      assertThat(admin.get("payments?" + query).path("data").findValuesAsText("id"))
          .as(query)
          .containsExactly(id);
    }
    assertThat(
            admin.get("payments?until=2026-01-01T00:00:00Z&payer=" + payer.address()).path("data"))
        .isEmpty();
  }

  @Test
  @Tag("spec:operator.payments")
  void aLongListIsPagedFromTheLatestToTheOldest() {
    Wallet payer = Wallet.generate();
    for (int call = 0; call < 5; call++) {
      admin.host().paid(admin.host().http().request(READ + "?n=" + call).build(), payer);
    }
    List<String> seen = new ArrayList<>();
    List<String> times = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = admin.get("payments?limit=2&payer=" + payer.address() + cursor);
      page.path("data")
          .forEach(
              one -> {
                seen.add(one.path("id").asText());
                times.add(one.path("timeline").path(0).path("at").asText());
              });
      cursor =
          page.path("nextCursor").isNull() ? "" : "&cursor=" + page.path("nextCursor").asText();
    } while (!cursor.isEmpty());
    assertThat(seen).hasSize(5).doesNotHaveDuplicates();
    assertThat(times).isSortedAccordingTo(java.util.Comparator.reverseOrder());
  }

  @Test
  @Tag("spec:operator.payments")
  void whatIsWrongIsSaidAndWhatIsNotThereIs404() {
    assertThat(admin.status("GET", "payments?payer=0xzz", null)).isEqualTo(400);
    assertThat(admin.status("GET", "payments?since=yesterday", null)).isEqualTo(400);
    assertThat(admin.status("GET", "payments?key=x", null)).isEqualTo(400);
    assertThat(admin.status("GET", "payments?nonce=" + "a".repeat(300), null)).isEqualTo(400);
    assertThat(admin.status("GET", "payments/" + UUID.randomUUID(), null)).isEqualTo(404);
    assertThat(admin.status("POST", "payments/" + UUID.randomUUID() + "/redrive", "{}"))
        .isEqualTo(404);
  }
}

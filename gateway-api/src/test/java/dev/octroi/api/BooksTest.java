package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.PaidAnswer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator's books over HTTP: verified, exported, and corrected by refunds alone. */
class BooksTest {

  private static final String TOKEN = "the-operators-token-of-this-test";
  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private GatewayHost host;

  @BeforeEach
  void start() {
    host = new GatewayHost(Map.of("gateway.admin.token", TOKEN));
  }

  @AfterEach
  void stop() {
    host.close();
  }

  @Test
  @Tag("spec:operator.books")
  void booksOfPaidCallsAreClean() {
    paidCall();

    HttpResponse<String> report = post("/admin/v1/books/verify", "");

    assertThat(report.statusCode()).isEqualTo(200);
    assertThat(report.body()).contains("\"clean\":true", "\"payments\":1", "\"differences\":[]");
  }

  @Test
  @Tag("spec:operator.books")
  void theJournalIsExportedInBothForms() {
    paidCall();

    HttpResponse<String> csv = get("/admin/v1/books/export");
    assertThat(csv.headers().firstValue("Content-Type")).hasValue("text/csv");
    assertThat(csv.body().lines()).hasSize(3).anyMatch(line -> line.contains(",settlement,"));
    HttpResponse<String> json = get("/admin/v1/books/export?format=jsonl");
    assertThat(json.body().lines()).hasSize(2).allMatch(line -> line.startsWith("{"));
    HttpResponse<String> none = get("/admin/v1/books/export?from=2040-01-01T00:00:00Z");
    assertThat(none.body().lines()).noneMatch(line -> line.contains(",settlement,"));
  }

  @Test
  @Tag("spec:operator.books")
  void anExportOfClosedMonthsSaysThatTheyAreClosed() throws SQLException {
    host.change("UPDATE journal_closing SET closed_before = '2026-02-01 00:00:00+00:00'");

    HttpResponse<String> closed =
        get("/admin/v1/books/export?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z");

    assertThat(closed.statusCode()).isEqualTo(409);
    assertThat(closed.body()).contains("closed for all that was before 2026-02-01T00:00:00Z");
    assertThat(get("/admin/v1/books/export?to=2026-02-01T00:00:01Z").statusCode()).isEqualTo(200);
    assertThat(post("/admin/v1/books/verify", "").body())
        .contains("\"closedBefore\":\"2026-02-01T00:00:00Z\"");
  }

  @Test
  @Tag("slow")
  void anExportThatIsNotReadLeavesConnectionsToPayments() throws Exception {
    paidCall();
    for (int doubled = 0; doubled < 15; doubled++) {
      host.change(
          "INSERT INTO journal (at, debit, credit, amount)"
              + " SELECT at, debit, credit, 0 FROM journal");
    }
    URI base = host.http().base();
    try (Socket reader = new Socket()) {
      reader.setReceiveBufferSize(4_096);
      reader.connect(new InetSocketAddress(base.getHost(), base.getPort()));
      String request =
          "GET /admin/v1/books/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + TOKEN
              + "\r\n\r\n";
      reader.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(reader.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");

      assertThat(get("/admin/v1/books/export").statusCode()).isEqualTo(429);
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> get("/admin/v1/books/export").statusCode() == 200);
  }

  @Test
  void aPeriodOrFormatThatIsNoneIsRefused() {
    assertThat(get("/admin/v1/books/export?format=xls").statusCode()).isEqualTo(400);
    assertThat(get("/admin/v1/books/export?from=yesterday").statusCode()).isEqualTo(400);
    assertThat(
            get("/admin/v1/books/export?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z")
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  @Tag("spec:operator.refunds")
  @Tag("spec:money.6")
  void aRefundIsPaidBackOnceAndNeverMoreThanTheCharge() {
    String payment = payment(paidCall());

    HttpResponse<String> first = refund(payment, "\"0.0004\"", "r1");
    assertThat(first.body()).contains("\"state\":\"paid\"", "\"amount\":\"0.000400\"");
    assertThat(refund(payment, "\"0.0004\"", "r1").body()).isEqualTo(first.body());
    assertThat(refund(payment, "\"0.0096\"", "r2").statusCode()).isEqualTo(409);
    assertThat(get("/admin/v1/refunds?payment=" + payment).body()).contains("\"data\":[{");
    assertThat(get("/admin/v1/refunds").body()).isEqualTo("{\"data\":[]}");
    assertThat(post("/admin/v1/books/verify", "").body()).contains("\"clean\":true");
  }

  @Test
  @Tag("spec:operator.refunds")
  void whatOneTransactionHasPaidIsNotNotedAsPaidByAnother() {
    String refund =
        refund(payment(paidCall()), "null", "r1")
            .body()
            .replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");

    HttpResponse<String> other =
        post("/admin/v1/refunds/" + refund + "/paid", "{\"transaction\":\"0x01\"}");
    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(other.body()).contains("sandbox-refund:" + refund);
    assertThat(
            post(
                    "/admin/v1/refunds/" + refund + "/paid",
                    "{\"transaction\":\"sandbox-refund:" + refund + "\"}")
                .statusCode())
        .as("noted before")
        .isEqualTo(200);
  }

  @Test
  @Tag("spec:operator.refunds")
  void oneTransactionIsNotedForOneRefund() throws SQLException {
    String first = owed();
    String second = owed();
    host.change("UPDATE refund SET state = 'OWED', tx = NULL");
    assertThat(paidBy(first, "0x0a").statusCode()).isEqualTo(200);

    HttpResponse<String> again = paidBy(second, "0x0A ");

    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("another refund");
    assertThat(paidBy(first, "0x0A").statusCode()).as("the same, said again").isEqualTo(200);
    assertThat(paidBy(second, "0x0a#2").statusCode()).isEqualTo(200);
  }

  private String owed() {
    return refund(payment(paidCall()), "null", "r1")
        .body()
        .replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
  }

  private HttpResponse<String> paidBy(String refund, String transaction) {
    return post(
        "/admin/v1/refunds/" + refund + "/paid", "{\"transaction\":\"" + transaction + "\"}");
  }

  @Test
  void aRefundOfNothingKnownIsRefused() {
    assertThat(refund(UUID.randomUUID().toString(), "null", "r1").statusCode()).isEqualTo(404);
    assertThat(post("/admin/v1/refunds", "{}").statusCode()).isEqualTo(400);
    assertThat(post("/admin/v1/refunds", "{\"payment\":\"x\"}").statusCode()).isEqualTo(400);
    assertThat(
            post("/admin/v1/refunds/" + UUID.randomUUID() + "/paid", "{\"transaction\":\"0x1\"}")
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  @Tag("spec:operator.token")
  void nobodyElseSeesTheBooks() {
    for (String path : new String[] {"/admin/v1/books/export", "/admin/v1/refunds"}) {
      HttpRequest request = host.http().request(path).build();
      assertThat(host.http().send(request).statusCode()).isEqualTo(401);
    }
  }

  private PaidAnswer paidCall() {
    PaidAnswer answer = host.paid(READ);
    assertThat(answer.status()).isEqualTo(200);
    return answer;
  }

  private static String payment(PaidAnswer answer) {
    return answer.headers().firstValue("X-PAYMENT-RECEIPT").orElseThrow().replace("sandbox:", "");
  }

  private HttpResponse<String> refund(String payment, String amount, String key) {
    return post(
        "/admin/v1/refunds",
        "{\"payment\":\"%s\",\"amount\":%s,\"reason\":\"wrong answer\",\"requestKey\":\"%s\"}"
            .formatted(payment, amount, key));
  }

  private HttpResponse<String> get(String path) {
    return host.http().send(request(path).build());
  }

  private HttpResponse<String> post(String path, String body) {
    return host.http()
        .send(
            request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
  }

  private HttpRequest.Builder request(String path) {
    return host.http().request(path).header("Authorization", "Bearer " + TOKEN);
  }
}

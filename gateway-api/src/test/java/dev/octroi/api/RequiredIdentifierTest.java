package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Where payers must name their payments, everything of ours that pays does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequiredIdentifierTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private Admin admin;

  @BeforeAll
  void open() {
    admin = new Admin(Map.of("gateway.payments.identifiers", "required"));
  }

  @AfterAll
  void close() {
    admin.close();
  }

  @Test
  void theJavaClientPays() {
    assertThat(admin.host().paid(READ).status()).isEqualTo(200);
  }

  @Test
  void theSandboxPayerOfThePagesPays() {
    String challenge =
        admin
            .host()
            .http()
            .send(admin.host().http().request(READ).build())
            .headers()
            .firstValue("PAYMENT-REQUIRED")
            .orElseThrow();
    HttpHost http = admin.host().http();
    String payment =
        Admin.ok(
                http.send(
                    http.request("/docs/pay")
                        .header("Origin", http.base().toString())
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"challenge\":\"" + challenge + "\"}"))
                        .build()))
            .path("payment")
            .asText();
    HttpResponse<String> answer =
        admin
            .host()
            .http()
            .send(admin.host().http().request(READ).header("PAYMENT-SIGNATURE", payment).build());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void aKeyPays() {
    String secret = admin.key("{\"name\":\"one\"}").path("secret").asText();
    HttpResponse<String> answer = admin.send("GET", READ, secret, null);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }
}

package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.account.ApiKey.KeyLimits;
import dev.octroi.payments.account.KeyTerms;
import dev.octroi.payments.account.MasterKeys.NoMasterKey;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Calls by API key, through the whole gateway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeysTest {

  private static final String READ = "/v1/marketplace/prediction/venue-a/events";
  private static final String CRYPTO_READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String MASTER_KEY = "A".repeat(43) + "=";

  private final Wallet refused = Wallet.generate();
  private GatewayHost host;

  @BeforeAll
  void start() {
    host =
        new GatewayHost(
            Map.of(
                "gateway.keys.master-key",
                MASTER_KEY,
                "gateway.payments.denied-payers",
                refused.address().toString()));
  }

  @AfterAll
  void stop() {
    host.close();
  }

  private IssuedKey key(Set<String> groups, OptionalInt rate) {
    KeyLimits limits = host.gateway().settings().keys().limits();
    return host.gateway()
        .accounts()
        .open("an account", new KeyTerms("a key", groups, rate, limits, Optional.empty()));
  }

  private HttpResponse<String> call(String target, String secret) {
    return host.http()
        .send(host.http().request(target).header("Authorization", "Bearer " + secret).build());
  }

  @Test
  @Tag("spec:auth.api_key")
  void aKeyBuysAnyGroupUnlessItSays() {
    IssuedKey key = key(Set.of(), OptionalInt.empty());

    HttpResponse<String> answer = call(READ, key.secret());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Price-Amount")).contains("0.001000");
    assertThat(call(CRYPTO_READ, key.secret()).statusCode()).isEqualTo(200);
    assertThat(host.gateway().accounts().spent(key.key().id()).orElseThrow().today().micros())
        .isEqualTo(1_000 + 9_500);
  }

  @Test
  @Tag("spec:decision.credentials.unknown")
  @Tag("spec:error.shape.nested")
  void anUnknownKeyIs401InTheShapeOfTheGroup() {
    HttpResponse<String> answer = call(READ, "sk-" + "A".repeat(43));

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body())
        .isEqualTo("{\"error\":{\"code\":\"invalid_api_key\",\"message\":\"Invalid API key.\"}}");
    assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
  }

  @Test
  @Tag("spec:decision.credentials.forbidden")
  @Tag("spec:error.shape.nested")
  @Tag("spec:error.status.403")
  void aGroupThatAKeyMayNotCallIs403InItsShape() {
    IssuedKey key = key(Set.of("prediction"), OptionalInt.empty());

    assertThat(call(READ, key.secret()).statusCode()).isEqualTo(200);
    HttpResponse<String> answer = call(CRYPTO_READ, key.secret());
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).startsWith("{\"error\":{\"code\":\"group_not_allowed\"");
  }

  @Test
  @Tag("spec:x402.receipt.look_up")
  void whatAKeyPaidForIsShownToItsAccountAndToNobodyElse() throws Exception {
    IssuedKey buyer = key(Set.of(), OptionalInt.empty());
    IssuedKey colleague =
        host.gateway()
            .accounts()
            .issue(buyer.key().account(), KeyTerms.of("colleague", KeyLimits.NONE))
            .orElseThrow();
    String id = call(READ, buyer.secret()).headers().firstValue("X-Payment-Id").orElseThrow();

    for (IssuedKey key : List.of(buyer, colleague)) {
      HttpResponse<String> receipt = call("/v1/receipts/" + id, key.secret());
      assertThat(receipt.statusCode()).as(receipt.body()).isEqualTo(200);
      assertThat(new ObjectMapper().readTree(receipt.body()).path("path").textValue())
          .isEqualTo(READ);
    }
    String stranger = key(Set.of(), OptionalInt.empty()).secret();
    assertThat(call("/v1/receipts/" + id, stranger).statusCode()).isEqualTo(404);
    assertThat(call("/v1/receipts/sandbox:" + id, buyer.secret()).statusCode()).isEqualTo(404);
    assertThat(call("/v1/receipts/" + id, "sk-" + "A".repeat(43)).statusCode()).isEqualTo(401);
    assertThat(host.http().get("/v1/receipts/" + id).statusCode()).isEqualTo(404);
  }

  @Test
  void aGoodKeyIsServedWhereOthersBehindTheSameAddressGuess() {
    Map<String, String> settings =
        Map.of("gateway.keys.master-key", MASTER_KEY, "gateway.limits.unpaid-per-minute", "5");
    try (GatewayHost shared = new GatewayHost(settings)) {
      KeyLimits limits = shared.gateway().settings().keys().limits();
      IssuedKey key =
          shared
              .gateway()
              .accounts()
              .open(
                  "neighbour",
                  new KeyTerms("a key", Set.of(), OptionalInt.empty(), limits, Optional.empty()));
      for (int guess = 0; guess < 5; guess++) {
        assertThat(status(shared, READ, guess(guess))).isEqualTo(401);
      }
      assertThat(status(shared, READ, guess(5))).isEqualTo(429);
      assertThat(status(shared, "/v1/wallet", guess(6))).isEqualTo(429);
      assertThat(status(shared, READ, "sk-no-key")).isEqualTo(429);

      assertThat(status(shared, READ, key.secret())).isEqualTo(200);
      assertThat(status(shared, "/v1/wallet", key.secret())).isEqualTo(200);
      assertThat(status(shared, READ, guess(5))).isEqualTo(429);
    }
  }

  private static String guess(int number) {
    return "sk-" + String.valueOf(number).repeat(43);
  }

  private static int status(GatewayHost at, String target, String secret) {
    return at.http()
        .send(at.http().request(target).header("Authorization", "Bearer " + secret).build())
        .statusCode();
  }

  @Test
  @Tag("spec:limit.payer")
  void aKeyHasARateOfItsOwn() {
    IssuedKey slow = key(Set.of(), OptionalInt.of(1));
    IssuedKey usual =
        host.gateway()
            .accounts()
            .issue(slow.key().account(), KeyTerms.of("usual", KeyLimits.NONE))
            .orElseThrow();

    assertThat(call(READ, slow.secret()).statusCode()).isEqualTo(200);
    assertThat(call(READ, slow.secret()).statusCode()).isEqualTo(429);
    assertThat(call(READ, usual.secret()).statusCode()).isEqualTo(200);
  }

  @Test
  @Tag("spec:decision.credentials.forbidden")
  void aDeniedPayerIs403AndNotCharged() {
    PaidAnswer answer = host.paid(host.http().request(READ).build(), refused);

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.receipt()).isNull();
    assertThat(GatewayHost.text(answer)).startsWith("{\"error\":{\"code\":\"payer_refused\"");
  }

  @Test
  @Tag("spec:key.master")
  void withoutAMasterKeyAGatewaySellsAndMakesNoKeys() {
    try (GatewayHost without = new GatewayHost(Map.of())) {
      assertThat(without.paid(READ).status()).isEqualTo(200);
      assertThatThrownBy(
              () -> without.gateway().accounts().open("a", KeyTerms.of("a key", KeyLimits.NONE)))
          .isInstanceOf(NoMasterKey.class);
    }
  }
}

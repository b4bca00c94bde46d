package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A theme of the kit. Its tests share nothing but the deployment and may run side by side. */
@Execution(ExecutionMode.CONCURRENT)
abstract class Behaviour {

  /** The kit's name for an invocation with an endpoint. */
  static final String EACH = "{0}";

  /** The sandbox runs four queries at a time; the tests that ask for many take turns. */
  static final String SQL_ENGINE = "dev.octroi.testkit.sql";

  static final String CRYPTO_DATA = "/v1/marketplace/cryptodata";
  static final String PREDICTION = "/v1/marketplace/prediction";

  /** A cheap read that always answers. */
  static final Call TICKER = Call.get(CRYPTO_DATA + "/exchange/price?pair=BTC-USDT");

  abstract Deployment deployment();

  Call example(Endpoint endpoint) {
    return deployment().examples().of(endpoint);
  }

  /** The payment was not taken: it still buys this call. */
  void assertStillGood(String payment, Call call) {
    Reply reply = deployment().send(call, payment);
    assertThat(reply.status()).as("the payment is free again: " + reply).isEqualTo(200);
  }

  static void assertRefused(Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
    assertThat(reply.code()).as(reply.toString()).isEqualTo(code);
    assertThat(reply.message()).as(reply.toString()).isNotBlank();
    assertUncharged(reply);
  }

  static void assertFlat(Reply reply, int status) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
    assertThat(reply.json().path("error").isTextual()).as(reply.toString()).isTrue();
    assertThat(reply.json().has("code")).as(reply.toString()).isFalse();
    assertUncharged(reply);
  }

  static void assertUncharged(Reply reply) {
    assertThat(reply.header("X-PAYMENT-RECEIPT")).as(reply.toString()).isEmpty();
    assertThat(reply.header("X-Price-Amount")).as(reply.toString()).isEmpty();
  }
}

package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import java.time.Duration;

/** A payer that calls from a number of its own. */
record VoiceCaller(Deployment deployment, Payer payer, String number) {

  static final String VOICE = "/v1/marketplace/voice";

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  static VoiceCaller in(Deployment deployment) {
    Payer payer = new Payer(Wallet.generate());
    Call buy = Call.post("/v1/marketplace/phone/numbers/buy", "{\"country\":\"US\"}");
    Reply bought = deployment.send(buy, payer.sign(deployment.challenge(buy)));
    assertThat(bought.status()).as(bought.toString()).isEqualTo(200);
    return new VoiceCaller(deployment, payer, bought.json().path("phone_number").asText());
  }

  String payment(Call call) {
    return payer.sign(deployment.challenge(call));
  }

  Reply pay(Call call) {
    return deployment.send(call, payment(call));
  }

  Reply buy(Call call) {
    Reply reply = pay(call);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    return reply;
  }

  Call call(String to, String members) {
    return Call.post(
        VOICE + "/call",
        "{\"to\":\""
            + to
            + "\",\"from\":\""
            + number
            + "\",\"task\":\"Ask for the opening hours\""
            + members
            + "}");
  }

  String place(String to) {
    return buy(call(to, "")).json().path("call_id").asText();
  }

  JsonNode read(String call) {
    return buy(record(call)).json();
  }

  JsonNode readWhenIt(String call, String status) {
    return await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> read(call), said -> said.path("status").asText().equals(status));
  }

  static Call record(String call) {
    return Call.get(VOICE + "/call/" + call);
  }
}

package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls: prices, bodies, records, statuses, ownership and errors, over the sandbox's telephones.
 */
abstract class VoiceBehaviour extends Behaviour {

  private static final String VOICE = VoiceCaller.VOICE;
  private static final String ANSWERING = "+14155550123";
  private static final String BUSY = "+14155550101";
  private static final String LOST = "+14155550104";
  private static final String ENDLESS = "+14155550106";
  private static final String REFUSED = "+14155550107";

  private @Nullable VoiceCaller caller;

  private synchronized VoiceCaller caller() {
    if (caller == null) {
      caller = VoiceCaller.in(deployment());
    }
    return caller;
  }

  private static Call transfer(String call, String to) {
    return Call.post(
        VOICE + "/call/transfer", "{\"call_id\":\"" + call + "\",\"to\":\"" + to + "\"}");
  }

  private static Call end(String call) {
    return Call.post(VOICE + "/call/end", "{\"call_id\":\"" + call + "\"}");
  }

  private static List<String> members(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @ParameterizedTest
  @CsvSource({"POST, , 540000", "POST, /transfer, 540000", "POST, /end, 1000", "GET, /any, 542000"})
  @Tag("spec:price.voice.call")
  @Tag("spec:price.voice.transfer")
  @Tag("spec:price.voice.end")
  @Tag("spec:price.voice.read")
  void anUnpaidCallIsToldThePriceWhateverItsBody(
      String method, @Nullable String below, String units) {
    String target = VOICE + "/call" + (below == null ? "" : below);
    Call call = method.equals("GET") ? Call.get(target) : Call.post(target, "{}");
    Reply challenge = deployment().challenge(call);
    assertThat(challenge.json().at("/accepts/0/amount").asText()).isEqualTo(units);
  }

  @Test
  @Tag("spec:endpoint.voice.call")
  @Tag("spec:endpoint.voice.read")
  @Tag("spec:record.call_started.call_id")
  @Tag("spec:record.call_started.status")
  @Tag("spec:record.call_started.poll_url")
  @Tag("spec:record.call_started.message")
  @Tag("spec:record.call.status")
  @Tag("spec:record.call.call_length")
  @Tag("spec:record.call.answered_by")
  @Tag("spec:record.call.from")
  @Tag("spec:record.call.to")
  @Tag("spec:record.call.concatenated_transcript")
  @Tag("spec:record.call.recording_url")
  @Tag("spec:request.voice.call.to")
  @Tag("spec:request.voice.call.task")
  @Tag("spec:request.voice.call.first_sentence")
  @Tag("spec:state.voice.completed")
  void aCallIsPlacedAndItsRecordTellsWhatWasSaid() {
    Call order =
        caller().call(ANSWERING, ",\"first_sentence\":\"Good day to you\",\"max_duration\":30");
    JsonNode started = caller().buy(order).json();
    assertThat(members(started))
        .containsExactly("call_id", "status", "poll_url", "message", "price");
    assertThat(started.path("status").asText()).isEqualTo("success");
    String call = started.path("call_id").asText();
    URI poll = URI.create(started.path("poll_url").asText());
    assertThat(poll.isAbsolute()).isTrue();
    assertThat(poll.getPath()).endsWith(VOICE + "/call/" + call);

    JsonNode ended = caller().readWhenIt(call, "completed");
    assertThat(ended.path("call_length").decimalValue()).isPositive();
    assertThat(ended.path("answered_by").asText()).isEqualTo("human");
    assertThat(ended.path("from").asText()).isEqualTo(caller().number());
    assertThat(ended.path("to").asText()).isEqualTo(ANSWERING);
    assertThat(ended.path("recording_url").asText()).startsWith("https://");
    assertThat(ended.path("concatenated_transcript").asText().lines())
        .allMatch(turn -> turn.matches("(user|assistant): .+"))
        .contains("assistant: Good day to you")
        .anyMatch(turn -> turn.contains("Ask for the opening hours"));
  }

  @Test
  @Tag("spec:request.voice.call.wait_for_greeting")
  void theOtherSideSpeaksFirstUnlessItIsNotWaitedFor() {
    String waiting = caller().place(ANSWERING);
    String eager =
        caller()
            .buy(caller().call(ANSWERING, ",\"wait_for_greeting\":false"))
            .json()
            .path("call_id")
            .asText();
    assertThat(transcript(waiting)).startsWith("user: ");
    assertThat(transcript(eager)).startsWith("assistant: ");
  }

  private String transcript(String call) {
    return caller().readWhenIt(call, "completed").path("concatenated_transcript").asText();
  }

  @ParameterizedTest
  @CsvSource({BUSY + ", busy", "+14155550102, no_answer", "+14155550103, failed"})
  @Tag("spec:state.voice.busy")
  @Tag("spec:state.voice.no_answer")
  @Tag("spec:state.voice.failed")
  void callsThatAreNotAnsweredEndSo(String to, String status) {
    JsonNode ended = caller().readWhenIt(caller().place(to), status);
    assertThat(ended.path("concatenated_transcript").asText()).isEmpty();
    assertThat(ended.path("call_length").asInt(-1)).isZero();
  }

  @Test
  @Tag("spec:endpoint.voice.transfer")
  @Tag("spec:endpoint.voice.end")
  @Tag("spec:request.voice.transfer.call_id")
  @Tag("spec:request.voice.transfer.to")
  @Tag("spec:request.voice.end.call_id")
  @Tag("spec:error.voice.call_not_active")
  @Tag("spec:state.voice.in_progress")
  @Tag("spec:state.voice.final")
  void aCallInProgressIsHandedOverAndEndedOnce() {
    String call = caller().place(ENDLESS);
    caller().readWhenIt(call, "in_progress");
    JsonNode handed = caller().buy(transfer(call, ANSWERING)).json();
    assertThat(handed.path("call_id").asText()).isEqualTo(call);
    assertThat(handed.path("status").asText()).isEqualTo("in_progress");
    assertThat(handed.path("message").asText()).contains(ANSWERING);

    String payment = caller().payment(transfer(call, ANSWERING));
    JsonNode ended = caller().buy(end(call)).json();
    assertThat(members(ended)).containsExactly("call_id", "status", "message", "price");
    assertThat(ended.path("status").asText()).isEqualTo("completed");
    assertThat(caller().read(call).path("status").asText()).isEqualTo("completed");
    assertRefused(caller().pay(end(call)), 409, "call_not_active");
    assertRefused(deployment().send(transfer(call, ANSWERING), payment), 409, "call_not_active");
  }

  @Test
  @Tag("spec:error.voice.call_not_found")
  @Tag("spec:payment.rule.4")
  void aCallIsItsPayersAlone() {
    String call = caller().place(ANSWERING);
    assertRefused(deployment().pay(VoiceCaller.record(call)), 404, "call_not_found");
    assertRefused(deployment().pay(transfer(call, ANSWERING)), 404, "call_not_found");
    assertRefused(deployment().pay(end(call)), 404, "call_not_found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"call_00000000000000000000000000000000", "nothing", "call_0"})
  @Tag("spec:error.voice.call_not_found")
  void anUnknownCallCostsNothing(String call) {
    String payment = caller().payment(VoiceCaller.record(call));
    assertRefused(deployment().send(VoiceCaller.record(call), payment), 404, "call_not_found");
    assertRefused(caller().pay(end(call)), 404, "call_not_found");
  }

  @Test
  @Tag("spec:error.voice.forbidden_from")
  @Tag("spec:request.voice.call.from")
  @Tag("spec:payment.rule.4")
  void aCallFromAnotherOwnersNumberIsForbiddenAndCostsNothing() {
    Call call = caller().call(BUSY, "");
    Reply refused = deployment().pay(call);
    assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
    assertThat(refused.json().path("error").asText()).isEqualTo("Forbidden");
    assertThat(refused.json().path("message").asText()).isNotBlank();
    assertUncharged(refused);
  }

  @ParameterizedTest
  @ValueSource(strings = {"911", "+911", "+1911", "+19005550123", "4155550123", "+1", "+0", "x"})
  @Tag("spec:error.phone.invalid_phone_number")
  @Tag("spec:request.voice.call.to")
  void emergencyAndPremiumNumbersAreNotCalledAndNeitherIsWhatIsNone(String to) {
    assertRefused(caller().pay(caller().call(to, "")), 400, "invalid_phone_number");
    String call = caller().place(BUSY);
    assertRefused(caller().pay(transfer(call, to)), 400, "invalid_phone_number");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"voice\":\"unheard-of\"",
        "\"max_duration\":0",
        "\"max_duration\":31",
        "\"max_duration\":\"5\"",
        "\"wait_for_greeting\":1",
        "\"first_sentence\":[]",
        "\"language\":\"fr\""
      })
  @Tag("spec:error.voice.unknown_preset")
  @Tag("spec:request.voice.call.voice")
  @Tag("spec:request.voice.call.max_duration")
  @Tag("spec:limit.call_duration")
  @Tag("spec:limit.voice_language")
  void aBadMemberIsNamedAndCostsNothing(String member) {
    String payment = caller().payment(caller().call(BUSY, ""));
    Reply refused = deployment().send(caller().call(BUSY, "," + member), payment);
    assertRefused(refused, 400, "invalid_params");
    assertThat(refused.message()).contains(member.split("\"")[1]);
    assertStillGood(payment, caller().call(BUSY, ""));
  }

  @Test
  @Tag("spec:request.voice.call.task")
  void whatTheAssistantIsToDoMustBeSaid() {
    String numbers = "\"to\":\"" + BUSY + "\",\"from\":\"" + caller().number() + "\"";
    Call call = Call.post(VOICE + "/call", "{" + numbers + "}");
    assertRefused(caller().pay(call), 400, "invalid_params");
    String longTask = ",\"task\":\"" + "x".repeat(10_001) + "\"}";
    assertRefused(
        caller().pay(Call.post(VOICE + "/call", "{" + numbers + longTask)), 400, "invalid_params");
  }

  @Test
  @Tag("spec:error.voice.call_failed")
  @Tag("money:6")
  void aCallThatIsRefusedAfterItWasPaidForIsRefunded() {
    Reply failed = caller().pay(caller().call(REFUSED, ""));
    assertThat(failed.status()).as(failed.toString()).isEqualTo(500);
    assertThat(failed.code()).isEqualTo("call_failed");
    assertThat(failed.message()).contains("refund");
  }

  @Test
  @Tag("money:6")
  void aCallWhoseAnswerWasLostIsPlacedOnceAndFoundByTheSamePayment() {
    Call call = caller().call(LOST, "");
    String payment = caller().payment(call);
    Reply unknown = deployment().send(call, payment);
    assertThat(unknown.status()).as(unknown.toString()).isEqualTo(503);
    assertThat(unknown.header("Retry-After")).isNotEmpty();
    Reply found = deployment().send(call, payment);
    assertThat(found.status()).as(found.toString()).isEqualTo(200);
    caller().readWhenIt(found.json().path("call_id").asText(), "completed");
  }

  @Test
  @Tag("spec:limit.voice_direction")
  void inboundCallsAreNotServed() {
    assertFlat(deployment().send(Call.post(VOICE + "/inbound", "{}")), 404);
  }
}

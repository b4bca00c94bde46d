package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Phone: prices, records, leases and errors, over the sandbox's vendor of numbers. */
abstract class PhoneBehaviour extends Behaviour {

  private static final String PHONE = "/v1/marketplace/phone";
  private static final Duration TERM = Duration.ofDays(30);
  private static final Call LIST = Call.post(PHONE + "/numbers/list", "{}");

  private static Call buy(String area) {
    return Call.post(PHONE + "/numbers/buy", "{\"country\":\"US\",\"areaCode\":\"" + area + "\"}");
  }

  private static Call of(String method, String number) {
    return Call.post(PHONE + method, "{\"phoneNumber\":\"" + number + "\"}");
  }

  private Reply paid(Wallet payer, Call call) {
    return deployment().send(call, new Payer(payer).sign(deployment().challenge(call)));
  }

  private JsonNode bought(Wallet payer, Call call) {
    Reply reply = paid(payer, call);
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    return reply.json();
  }

  private static Instant end(JsonNode lease) {
    return Instant.parse(lease.path("expires_at").asText());
  }

  @ParameterizedTest
  @CsvSource({
    "numbers/buy, 5002000",
    "numbers/list, 3000",
    "numbers/release, 3000",
    "numbers/renew, 5000000",
    "lookup, 10000",
    "lookup/fraud, 50000",
    "sms/send, 50000"
  })
  @Tag("spec:price.phone.numbers_buy")
  @Tag("spec:price.phone.numbers_list")
  @Tag("spec:price.phone.numbers_release")
  @Tag("spec:price.phone.numbers_renew")
  @Tag("spec:price.phone.lookup")
  @Tag("spec:price.phone.lookup_fraud")
  @Tag("spec:price.phone.sms_send")
  void anUnpaidCallIsToldThePriceWhateverItsBody(String method, String units) {
    Reply challenge = deployment().challenge(Call.post(PHONE + "/" + method, "{}"));
    assertThat(challenge.json().at("/accepts/0/amount").asText()).isEqualTo(units);
  }

  @Test
  @Tag("spec:endpoint.phone.numbers_buy")
  @Tag("spec:endpoint.phone.numbers_list")
  @Tag("spec:endpoint.phone.numbers_renew")
  @Tag("spec:endpoint.phone.numbers_release")
  @Tag("spec:request.phone.numbers_renew.phoneNumber")
  @Tag("spec:request.phone.numbers_release.phoneNumber")
  @Tag("spec:state.lease.bought")
  @Tag("spec:state.lease.renewed")
  @Tag("spec:state.lease.released")
  @Tag("spec:payment.rule.4")
  void aNumberIsLeasedListedRenewedAndReleased() {
    Wallet payer = Wallet.generate();
    JsonNode lease = bought(payer, buy("425"));
    String number = lease.path("phone_number").asText();
    assertThat(number).startsWith("+1425");
    assertThat(end(lease))
        .isBetween(Instant.now().plus(TERM).minusSeconds(60), Instant.now().plus(TERM));

    JsonNode renewed = bought(payer, of("/numbers/renew", number));
    assertThat(end(renewed)).isEqualTo(end(lease).plus(TERM));
    assertThat(bought(payer, LIST).at("/numbers/0/expires_at"))
        .isEqualTo(renewed.path("expires_at"));

    JsonNode released = bought(payer, of("/numbers/release", number));
    assertThat(released.path("released").asBoolean()).isTrue();
    assertThat(released.path("phone_number").asText()).isEqualTo(number);
    assertThat(bought(payer, LIST).path("count").asInt()).isZero();
    assertRefused(paid(payer, of("/numbers/renew", number)), 404, "number_not_owned");
  }

  @Test
  @Tag("spec:record.lease.phone_number")
  @Tag("spec:record.lease.expires_at")
  @Tag("spec:record.lease.chain")
  @Tag("spec:record.lease.message")
  @Tag("spec:record.number_list.numbers")
  @Tag("spec:record.number_list.count")
  @Tag("spec:record.number_list.numbers.phone_number")
  @Tag("spec:record.number_list.numbers.country")
  @Tag("spec:record.number_list.numbers.chain")
  @Tag("spec:record.number_list.numbers.expires_at")
  @Tag("spec:record.number_list.numbers.active")
  @Tag("spec:request.phone.numbers_buy.country")
  void theRecordsOfLeasesAreTheStatedOnes() {
    Wallet payer = Wallet.generate();
    JsonNode lease = bought(payer, Call.post(PHONE + "/numbers/buy", "{\"country\":\"CA\"}"));
    assertThat(lease.fieldNames())
        .toIterable()
        .containsExactly("phone_number", "expires_at", "chain", "message", "price");
    assertThat(lease.path("chain").asText()).isEqualTo("base");
    JsonNode list = bought(payer, LIST);
    assertThat(list.path("count").asInt()).isEqualTo(1);
    JsonNode one = list.at("/numbers/0");
    assertThat(one.fieldNames())
        .toIterable()
        .containsExactly("phone_number", "country", "chain", "expires_at", "active");
    assertThat(one.path("country").asText()).isEqualTo("CA");
    assertThat(one.path("active").asBoolean()).isTrue();
  }

  @Test
  @Tag("spec:error.phone.number_not_owned")
  @Tag("spec:decision.owner")
  void anotherPayersNumberIsNotToBeTouched() {
    String number = bought(Wallet.generate(), buy("425")).path("phone_number").asText();
    assertRefused(deployment().pay(of("/numbers/renew", number)), 404, "number_not_owned");
    assertRefused(deployment().pay(of("/numbers/release", number)), 404, "number_not_owned");
  }

  @Test
  @Tag("spec:error.phone.number_unavailable")
  @Tag("spec:request.phone.numbers_buy.areaCode")
  void anAreaWithoutNumbersCostsNothing() {
    Call nowhere = buy("211");
    String payment = deployment().payment(nowhere);
    assertRefused(deployment().send(nowhere, payment), 409, "number_unavailable");
    assertStillGood(payment, buy("425"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"808", "406"})
  @Tag("spec:money.6")
  void aPurchaseSucceedsDespiteItsVendor(String area) {
    assertThat(deployment().buy(buy(area)).json().path("phone_number").asText())
        .startsWith("+1" + area);
  }

  @Test
  @Tag("spec:money.6")
  void whatCouldNotBeBoughtAfterThePaymentGoesBack() {
    Reply failed = deployment().pay(buy("605"));
    assertThat(failed.status()).as(failed.toString()).isEqualTo(409);
    assertThat(failed.code()).isEqualTo("number_unavailable");
    assertThat(failed.message()).contains("refund");
  }

  @Test
  @Tag("spec:endpoint.phone.lookup")
  @Tag("spec:request.phone.lookup.phoneNumber")
  @Tag("spec:record.carrier_lookup.phone_number")
  @Tag("spec:record.carrier_lookup.calling_country_code")
  @Tag("spec:record.carrier_lookup.country_code")
  @Tag("spec:record.carrier_lookup.national_format")
  @Tag("spec:record.carrier_lookup.line_type_intelligence.carrier_name")
  @Tag("spec:record.carrier_lookup.line_type_intelligence.type")
  @Tag("spec:record.carrier_lookup.line_type_intelligence.mobile_country_code")
  @Tag("spec:record.carrier_lookup.line_type_intelligence.mobile_network_code")
  @Tag("spec:record.carrier_lookup.caller_name")
  @Tag("spec:record.carrier_lookup.sim_swap")
  void aCarrierLookupAnswersWithTheStatedRecord() {
    JsonNode answer = deployment().buy(of("/lookup", "+447772000001")).json();
    assertThat(answer.fieldNames())
        .toIterable()
        .containsExactly(
            "phone_number",
            "calling_country_code",
            "country_code",
            "national_format",
            "line_type_intelligence",
            "caller_name",
            "sim_swap",
            "price");
    assertThat(answer.path("calling_country_code").asText()).isEqualTo("44");
    assertThat(answer.path("country_code").asText()).isEqualTo("GB");
    assertThat(answer.path("national_format").asText()).isEqualTo("07772 000001");
    assertThat(answer.path("line_type_intelligence").fieldNames())
        .toIterable()
        .containsExactly("carrier_name", "type", "mobile_country_code", "mobile_network_code");
    assertThat(answer.path("sim_swap").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"+14155550192, critical, true", "+14155550123, low, false"})
  @Tag("spec:endpoint.phone.lookup_fraud")
  @Tag("spec:request.phone.lookup_fraud.phoneNumber")
  @Tag("spec:record.fraud_lookup.carrier")
  @Tag("spec:record.fraud_lookup.call_forwarding.call_forwarding_enabled")
  @Tag("spec:record.fraud_lookup.sim_swap.last_sim_swap")
  @Tag("spec:record.fraud_lookup.sim_swap.swapped_in_period")
  @Tag("spec:record.fraud_lookup.risk.score")
  @Tag("spec:record.fraud_lookup.risk.level")
  void aFraudLookupAddsWhatTellsAboutFraud(String number, String level, boolean swapped) {
    JsonNode answer = deployment().buy(of("/lookup/fraud", number)).json();
    assertThat(answer.at("/line_type_intelligence/carrier_name").isTextual()).isTrue();
    assertThat(answer.at("/call_forwarding/call_forwarding_enabled").isBoolean()).isTrue();
    assertThat(answer.at("/sim_swap/last_sim_swap").isTextual()).isTrue();
    assertThat(answer.at("/sim_swap/swapped_in_period").asBoolean()).isEqualTo(swapped);
    assertThat(answer.at("/risk/score").isInt()).isTrue();
    assertThat(answer.at("/risk/level").asText()).isEqualTo(level);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4155550123", "+1 415 555 0123", "+1911", "hello", "+14155550190"})
  @Tag("spec:error.phone.invalid_phone_number")
  @Tag("spec:limit.phone_format")
  void whatIsNoNumberCostsNothing(String number) {
    Call call = of("/lookup", number);
    String payment = deployment().payment(call);
    assertRefused(deployment().send(call, payment), 400, "invalid_phone_number");
    assertStillGood(payment, of("/lookup", "+14155550123"));
  }

  @ParameterizedTest
  @CsvSource({"/lookup, +14155550191", "/lookup/fraud, +14155550193", "/lookup, +14155550194"})
  @Tag("spec:endpoint.phone.lookup")
  void aLookupThatFailsInsideOfASuccessCostsNothing(String method, String number) {
    assertRefused(deployment().pay(of(method, number)), 502, "upstream_failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/numbers/list", "/numbers/release", "/lookup"})
  @Tag("spec:rule.phone.post_only")
  void thereAreNoGetForms(String method) {
    Reply reply = deployment().send(Call.get(PHONE + method));
    assertThat(reply.status()).as(reply.toString()).isEqualTo(405);
    assertUncharged(reply);
  }

  @Test
  @Tag("spec:endpoint.phone.sms_send")
  @Tag("spec:error.phone.sms_unavailable")
  void textsAreUnavailableAndCostNothing() {
    Call text =
        Call.post(
            PHONE + "/sms/send",
            "{\"from\":\"+14155550100\",\"to\":\"+14155550123\",\"body\":\"hello\"}");
    assertRefused(deployment().pay(text), 503, "sms_unavailable");
  }
}

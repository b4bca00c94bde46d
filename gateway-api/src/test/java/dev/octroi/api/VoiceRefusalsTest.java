package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.services.upstream.UpstreamClient;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * What callers, and the operator, learn of calls that are not placed, and who has the money then.
 */
class VoiceRefusalsTest {

  private static final String TRANSFER = VoiceHost.VOICE + "/transfer";
  private static final String END = VoiceHost.VOICE + "/end";

  private final TickingClock clock = new TickingClock(Clock.systemUTC().instant());
  private final Wallet payer = Wallet.generate();
  private final NumberVendor numbers = new NumberVendor();
  private final VoiceLine line = new VoiceLine();
  private final HikariDataSource database = H2Database.empty();
  private final Logger log = (Logger) LoggerFactory.getLogger(UpstreamClient.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private VoiceHost host;
  private String from;

  @BeforeEach
  void buyANumber() throws IOException {
    lines.start();
    log.addAppender(lines);
    host = host("one", Map.of());
    String buy = "/v1/marketplace/phone/numbers/buy";
    HttpResponse<String> bought =
        host.send(host.payment(payer, buy), buy, "{\"country\":\"US\",\"areaCode\":\"415\"}");
    assertThat(bought.statusCode()).as(bought.body()).isEqualTo(200);
    from = json(bought).path("phone_number").asText();
  }

  private VoiceHost host(String node, Map<String, String> more) {
    return new VoiceHost(node, database, numbers, line, clock, more);
  }

  @AfterEach
  void close() {
    log.detachAppender(lines);
    host.close();
    database.close();
    line.close();
    numbers.close();
  }

  /** A payment for a short call does not buy a long one. */
  @Test
  void aCallCostsNoLessThanTheVendorBillsForItsLongestDuration() {
    host.close();
    host = host("two", Map.of("gateway.voice.minute-rate", "0.14"));
    assertThat(quoted("{}")).isEqualTo("700000");
    assertThat(quoted(call(",\"max_duration\":3"))).isEqualTo("540000");
    assertThat(quoted(call(",\"max_duration\":30"))).isEqualTo("4620000");
    String cheap = host.payment(payer, VoiceHost.VOICE);
    HttpResponse<String> refused = host.send(cheap, VoiceHost.VOICE, call(",\"max_duration\":30"));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(402);
    assertThat(line.placed()).isZero();
  }

  /** The carrier bills by destination. */
  @Test
  void aCallCostsNoLessThanTheCarrierBillsInItsCountry() throws Exception {
    host.close();
    Map<String, String> rates =
        Map.of(
            "gateway.voice.call-rates.gb", "0.12",
            "gateway.voice.call-rates.447", "0.2",
            "gateway.voice.call-rates.4470", "0.9",
            "gateway.voice.call-rates.8816", "3.5");
    host = host("two", rates);
    assertThat(quoted(to("+442079460000"))).isEqualTo("600000");
    assertThat(quoted(to("+447772000001"))).isEqualTo("1000000");
    assertThat(quoted(to("+447024000001"))).isEqualTo("4500000");
    assertThat(quoted(to("+881612345678"))).isEqualTo("17500000");
    assertThat(quotedTransfer("+442079460000")).isEqualTo("3600000");
    assertThat(quotedTransfer("+14155550101")).isEqualTo("540000");

    String cheap = host.payment(payer, VoiceHost.VOICE);
    HttpResponse<String> refused = host.send(cheap, VoiceHost.VOICE, to("+442079460000"));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(402);
    assertThat(line.placed()).isZero();
    String enough = host.signed(payer, host.post(VoiceHost.VOICE, to("+442079460000")).build());
    HttpResponse<String> placed = host.send(enough, VoiceHost.VOICE, to("+442079460000"));
    assertThat(placed.statusCode()).as(placed.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+442079460000",
        "+8613912345678",
        "+881612345678",
        "+19002345678",
        "+15332345678"
      })
  void aCallToWhereCallsHaveNoRateIsRefusedAndUncharged(String number) throws Exception {
    HttpResponse<String> answer =
        host.send(host.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, to(number));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).at("/error/code").asText()).isEqualTo("invalid_phone_number");
    assertThat(line.placed()).isZero();
    assertThat(number("SELECT COUNT(*) FROM refund")).isZero();
  }

  @Test
  void aCallIsNotHandedOverToWhereCallsHaveNoRate() throws Exception {
    String call =
        json(host.send(host.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order("")))
            .path("call_id")
            .asText();
    HttpResponse<String> answer =
        host.send(host.payment(payer, TRANSFER), TRANSFER, handover(call, "+442079460000"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains("does not call: GB");
  }

  /** What the gateway itself wrote down when it placed the call is no record to be sold. */
  @Test
  void theRecordOfACallThatItsVendorDoesNotKnowIsNotSold() throws Exception {
    String call =
        json(host.send(host.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order("")))
            .path("call_id")
            .asText();
    HttpRequest read = host.get(VoiceHost.VOICE + "/" + call, Map.of());
    HttpRequest paid =
        host.get(
            VoiceHost.VOICE + "/" + call, Map.of("PAYMENT-SIGNATURE", host.signed(payer, read)));
    line.forget();
    HttpResponse<String> answer = host.send(paid);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
    assertThat(json(answer).at("/error/code").asText()).isEqualTo("call_not_found");
    assertThat(answer.headers().firstValue("PAYMENT-RESPONSE")).isEmpty();
  }

  private String to(String number) {
    return call(number, "");
  }

  private static String handover(String call, String to) {
    return "{\"call_id\":\"%s\",\"to\":\"%s\"}".formatted(call, to);
  }

  private String quotedTransfer(String to) {
    return quoted(TRANSFER, handover("call_1", to));
  }

  private String call(String more) {
    return call("+14155550123", more);
  }

  private String call(String to, String more) {
    return "{\"from\":\"%s\",\"to\":\"%s\",\"task\":\"Say hello.\"%s}".formatted(from, to, more);
  }

  private String quoted(String body) {
    return quoted(VoiceHost.VOICE, body);
  }

  private String quoted(String target, String body) {
    HttpResponse<String> challenge = host.send(host.post(target, body).build());
    return PaymentRequired.read(challenge.headers().firstValue("PAYMENT-REQUIRED").orElseThrow())
        .accepts()
        .get(0)
        .amount();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | {"status":"error","errors":["Invalid phone_number"]}   | 400 | invalid_phone_number
          200 | {"status":"error","message":"Calls are not possible"}  | 500 | call_failed
          400 | {"status":"error","errors":["from is not yours"]}      | 502 | upstream_failed
          402 | {"message":"Insufficient balance"}                     | 502 | upstream_failed
          429 | {"message":"Rate limit"}                               | 503 | upstream_unavailable
          """)
  @Tag("money:6")
  @Tag("spec:error.voice.call_failed")
  void aCallThatTheVendorRefusesIsRefundedAndSaysWhy(
      int status, String said, int answered, String code) throws Exception {
    line.refuses(status, said);
    HttpResponse<String> answer =
        host.send(host.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order(""));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(answered);
    assertThat(json(answer).at("/error/code").asText()).isEqualTo(code);
    assertThat(json(answer).at("/error/message").asText())
        .contains("refund")
        .doesNotContain("balance")
        .doesNotContain("yours\"");
    assertThat(number("SELECT COUNT(*) FROM refund")).isEqualTo(1);
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .contains("Upstream voice, status " + status + ": " + said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | {"data":null,"errors":[{"message":"The call is not active"}]} | 409 | call_not_active
          400 | {"data":null,"errors":[{"message":"transfer_number"}]}        | 400 | invalid_phone_number
          """)
  @Tag("money:6")
  void aHandoverThatTheVendorRefusesIsRefundedAndSaysWhy(
      int status, String said, int answered, String code) throws Exception {
    HttpResponse<String> started =
        host.send(host.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order(""));
    line.answers();
    line.refuses(status, said);
    HttpResponse<String> answer =
        host.send(
            host.payment(payer, TRANSFER),
            TRANSFER,
            "{\"call_id\":\""
                + json(started).path("call_id").asText()
                + "\",\"to\":\"+14155550199\"}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(answered);
    assertThat(json(answer).at("/error/code").asText()).isEqualTo(code);
    assertThat(number("SELECT COUNT(*) FROM refund")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "record":true                  | 'record'
          "model":"turbo"                | 'model'
          "transfer_phone_number":"+1"   | 'transfer_phone_number'
          "webhook":"https://a.example"  | 'webhook'
          "pathway_id":"1"               | 'pathway_id'
          "encrypted_key":"1"            | 'encrypted_key'
          "voice":"Nobody"               | voice is one of
          "max_duration":0               | max_duration is 1 to 30
          "max_duration":31              | max_duration is 1 to 30
          "max_duration":2.5             | max_duration
          "max_duration":"5"             | max_duration
          "language":"de"                | language
          "wait_for_greeting":"yes"      | wait_for_greeting
          "first_sentence":7             | first_sentence
          """)
  @Tag("spec:limit.call_duration")
  void whatACallCannotHaveIsRefusedByNameAndUncharged(String member, String word) throws Exception {
    HttpResponse<String> answer =
        host.send(host.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order("," + member));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(json(answer).at("/error/code").asText()).isEqualTo("invalid_params");
    assertThat(json(answer).at("/error/message").asText()).contains(word);
    assertThat(line.placed()).isZero();
    assertThat(settled()).isEqualTo(1);
  }

  @Test
  void whatAHandoverOrAnEndCannotHaveIsRefusedByNameAndUncharged() throws Exception {
    String call = "{\"call_id\":\"call_1\",\"to\":\"+14155550199\",\"transfer_number\":\"+1\"}";
    HttpResponse<String> transfer = host.send(host.payment(payer, TRANSFER), TRANSFER, call);
    assertThat(transfer.statusCode()).as(transfer.body()).isEqualTo(400);
    assertThat(transfer.body()).contains("'transfer_number'");
    HttpResponse<String> end =
        host.send(host.payment(payer, END), END, "{\"call_id\":\"call_1\",\"reason\":\"-\"}");
    assertThat(end.statusCode()).as(end.body()).isEqualTo(400);
    assertThat(end.body()).contains("'reason'");
    assertThat(settled()).isEqualTo(1);
  }

  @Test
  void withoutTheKeyOfTheirCarrierCallsFromLeasedNumbersAreRefusedBeforeAPayment()
      throws Exception {
    HttpResponse<String> started =
        host.send(host.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order(""));
    assertThat(started.statusCode()).as(started.body()).isEqualTo(200);
    try (VoiceHost without =
        host("two", Map.of("gateway.voice.encrypted-key", "", "gateway.prices.call-record", "0"))) {
      HttpResponse<String> answer = without.send(without.post(VoiceHost.VOICE, order("")).build());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(501);
      assertThat(answer.headers().firstValue("PAYMENT-REQUIRED")).isEmpty();
      assertThat(json(answer).at("/error/code").asText()).isEqualTo("not_offered");
      assertThat(json(answer).at("/error/message").asText()).contains("key for their carrier");
      assertThat(without.get("/openapi.json").body()).doesNotContain(VoiceHost.VOICE);
      assertThat(without.get("/discovery/resources").body()).doesNotContain(VoiceHost.VOICE);
      assertThat(
              without
                  .get(VoiceHost.VOICE + "/" + json(started).path("call_id").asText())
                  .statusCode())
          .isEqualTo(200);
    }
    assertThat(line.placed()).isEqualTo(1);
  }

  private String order(String more) {
    return "{\"to\":\"+14155550123\",\"from\":\""
        + from
        + "\",\"task\":\"Ask for the way\""
        + more
        + "}";
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }

  /** How many payments were taken, that for the number among them. */
  private long settled() throws SQLException {
    return number("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'");
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}

package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.payments.client.Wallet;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What dies between a payment and its call, and whom the gateway believes what became of it. */
class VoiceEffectsTest {

  private static final Map<String, String> SETTINGS =
      Map.of("gateway.voice.webhook-secret", "s3cret", "gateway.prices.call-record", "0");

  private final TickingClock clock = new TickingClock(Clock.systemUTC().instant());
  private final Wallet payer = Wallet.generate();
  private final NumberVendor numbers = new NumberVendor();
  private final VoiceLine line = new VoiceLine();
  private final HikariDataSource database = H2Database.empty();
  private VoiceHost one;
  private VoiceHost other;
  private String order;

  @BeforeEach
  void buyANumber() throws IOException {
    one = new VoiceHost("one", database, numbers, line, clock, SETTINGS);
    other = new VoiceHost("other", database, numbers, line, clock, SETTINGS);
    String buy = "/v1/marketplace/phone/numbers/buy";
    HttpResponse<String> bought =
        one.send(one.payment(payer, buy), buy, "{\"country\":\"US\",\"areaCode\":\"415\"}");
    assertThat(bought.statusCode()).as(bought.body()).isEqualTo(200);
    String from = json(bought).path("phone_number").asText();
    order = "{\"to\":\"+14155550123\",\"from\":\"" + from + "\",\"task\":\"Ask for the way\"}";
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
    database.close();
    line.close();
    numbers.close();
  }

  @Test
  @Tag("money:6")
  void aCallWhoseAnswerWasLostIsFoundOnAnotherNode() throws IOException {
    line.mood(VoiceLine.Mood.ANSWER_LOST);
    String payment = one.payment(payer, VoiceHost.VOICE);
    assertUnknown(one.send(payment, VoiceHost.VOICE, order));
    HttpResponse<String> found = again(payment);
    assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
    assertThat(line.placed()).isEqualTo(1);
    assertThat(read(found)).isEqualTo("initiated");
  }

  @Test
  @Tag("money:6")
  void aCallThatWasPlacedButNotWrittenIsWrittenLater() throws Exception {
    String payment = one.payment(payer, VoiceHost.VOICE);
    change("ALTER TABLE voice_call RENAME TO elsewhere");
    assertUnknown(one.send(payment, VoiceHost.VOICE, order));
    change("ALTER TABLE elsewhere RENAME TO voice_call");
    HttpResponse<String> found = again(payment);
    assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
    assertThat(line.placed()).isEqualTo(1);
    assertThat(number("SELECT COUNT(*) FROM voice_call")).isEqualTo(1);
  }

  @Test
  @Tag("money:6")
  void aCallThatNobodyAsksForAgainIsFoundByTheChore() throws Exception {
    line.mood(VoiceLine.Mood.ANSWER_LOST);
    assertUnknown(one.send(one.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order));
    clock.advance(Duration.ofMinutes(30));
    other.doChores();
    assertThat(number("SELECT COUNT(*) FROM voice_call")).isEqualTo(1);
    assertThat(number("SELECT COUNT(*) FROM refund")).isZero();
  }

  @Test
  @Tag("money:6")
  void aCallThatWasNeverPlacedIsRefundedOnceThatIsCertain() throws Exception {
    line.mood(VoiceLine.Mood.ORDER_LOST);
    String payment = one.payment(payer, VoiceHost.VOICE);
    assertUnknown(one.send(payment, VoiceHost.VOICE, order));
    assertUnknown(again(payment));
    assertThat(number("SELECT COUNT(*) FROM refund")).isZero();
    clock.advance(Duration.ofMinutes(30));
    one.doChores();
    other.doChores();
    assertThat(number("SELECT COUNT(*) FROM refund")).isEqualTo(1);
    assertThat(number("SELECT COUNT(*) FROM voice_call")).isZero();
    assertThat(line.placed()).isZero();
  }

  /** A payment would be settled and refunded for each. */
  @Test
  @Tag("money:6")
  void noCallIsPaidForWhileItsVendorIsKnownToBeDown() throws Exception {
    line.refuses(503, "{}");
    for (int call = 0; call < 20; call++) {
      one.send(one.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order);
    }
    long noted = number("SELECT COUNT(*) FROM effect");
    long settled = number("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'");
    HttpResponse<String> refused =
        one.send(one.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order);

    assertUnknown(refused);
    assertThat(refused.body()).contains("The upstream is down");
    assertThat(number("SELECT COUNT(*) FROM effect")).isEqualTo(noted);
    assertThat(number("SELECT COUNT(*) FROM payment WHERE state = 'SETTLED'")).isEqualTo(settled);
  }

  @Test
  void aSignedMessageMakesTheGatewayAsk() throws Exception {
    HttpResponse<String> started =
        one.send(one.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order);
    line.answers();
    String message = "{\"call_id\":\"" + line.call() + "\",\"status\":\"failed\"}";
    assertThat(told(message, "00".repeat(32))).isEqualTo(401);
    assertThat(stored()).isEqualTo("initiated");
    assertThat(told(message, signature(message))).isEqualTo(204);
    assertThat(stored()).isEqualTo("in_progress");
    assertThat(told(message, signature(message))).isEqualTo(204);
    assertThat(told("{}", signature("{}"))).isEqualTo(204);
    assertThat(read(started)).isEqualTo("in_progress");
  }

  @Test
  @Tag("spec:price.voice.read")
  void whereReadingIsFreeTheIdIsTheKey() throws IOException {
    HttpResponse<String> started =
        one.send(one.payment(payer, VoiceHost.VOICE), VoiceHost.VOICE, order);
    assertThat(read(started)).isEqualTo("initiated");
    assertThat(one.get(VoiceHost.VOICE + "/call_" + "0".repeat(32)).statusCode()).isEqualTo(404);
  }

  /** The same on the other node, which may have to wait for the first to have let go. */
  private HttpResponse<String> again(String payment) {
    return await()
        .until(
            () -> other.send(payment, VoiceHost.VOICE, order),
            answer -> answer.statusCode() != 409);
  }

  private int told(String message, String signature) {
    return one.send(
            one.post("/v1/webhooks/voice", message)
                .header("X-Webhook-Signature", signature)
                .build())
        .statusCode();
  }

  private static String signature(String message) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("s3cret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(message.getBytes(StandardCharsets.UTF_8)));
  }

  private static void assertUnknown(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
  }

  private String read(HttpResponse<String> started) throws IOException {
    String call = json(started).path("call_id").asText();
    return json(one.get(VoiceHost.VOICE + "/" + call)).path("status").asText();
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }

  private String stored() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT status FROM voice_call")) {
      row.next();
      return row.getString(1);
    }
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void change(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

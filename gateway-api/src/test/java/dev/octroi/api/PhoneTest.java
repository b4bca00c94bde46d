package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.NumberVendor.Mood;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers and texts over HTTP, with a vendor that behaves as badly as it can. */
class PhoneTest {

  private static final String BUY = "numbers/buy";
  private static final String US = "{\"country\":\"US\",\"areaCode\":\"415\"}";
  private static final long START = 20_000_000;
  private static final long PRICE = 5_002_000;

  private final NumberVendor vendor = new NumberVendor();
  private final HikariDataSource database = H2Database.empty();
  private final Wallet payer = Wallet.generate();
  private PhoneHost host;

  @BeforeEach
  void open() {
    host = host(Map.of("gateway.phone.sms", "true"));
  }

  @AfterEach
  void close() {
    host.close();
    vendor.close();
    database.close();
  }

  private PhoneHost host(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("gateway.sandbox.starting-balance", "20");
    return new PhoneHost(database, vendor, settings);
  }

  private long number(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void change(String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long balance() {
    return number("SELECT balance FROM book_account WHERE kind = 'PAYER'");
  }

  private static String bought(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body().replaceAll("(?s).*\"phone_number\":\"(\\+\\d+)\".*", "$1");
  }

  private String leased() {
    return bought(host.send(host.payment(payer, BUY), BUY, US));
  }

  @Test
  @Tag("spec:error.phone.number_unavailable")
  void anAreaThatIsSoldOutCostsNothingAndThePaymentStaysGood() {
    String payment = host.payment(payer, BUY);
    String nowhere = "{\"country\":\"US\",\"areaCode\":\"211\"}";
    HttpResponse<String> refused = host.send(payment, BUY, nowhere);
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).startsWith("{\"error\":{\"code\":\"number_unavailable\"");
    assertThat(vendor.purchases()).isEmpty();
    bought(host.send(payment, BUY, US));
    assertThat(balance()).isEqualTo(START - PRICE);
  }

  @Test
  @Tag("spec:error.phone.number_unavailable")
  void aNumberThatIsSnappedUpMeanwhileGivesWayToTheNext() {
    vendor.mood(Mood.SNAPPED_UP_ONCE);
    String number = leased();
    assertThat(vendor.purchases()).hasSize(2).doesNotHaveDuplicates().endsWith(number);
    assertThat(balance()).isEqualTo(START - PRICE);
  }

  @Test
  void aNumberOfAnotherAreaIsNotWhatWasAskedFor() {
    vendor.mood(Mood.ELSEWHERE);
    HttpResponse<String> none = host.send(host.payment(payer, BUY), BUY, US);
    assertThat(none.statusCode()).as(none.body()).isEqualTo(409);
    assertThat(vendor.purchases()).isEmpty();

    vendor.mood(Mood.SOLD_ELSEWHERE);
    HttpResponse<String> another = host.send(host.payment(payer, BUY), BUY, US);
    assertThat(another.statusCode()).as(another.body()).isEqualTo(409);
    assertThat(another.body()).contains("What was paid has gone back: refund ");
    assertThat(number("SELECT count(*) FROM lease")).isZero();
    assertThat(balance()).isEqualTo(START);
  }

  @Test
  @Tag("spec:money.6")
  void aNumberThatTheVendorSellsTwiceHasOneLeaseAndOnePayer() {
    String number = leased();
    vendor.mood(Mood.SOLD_TWICE);
    HttpResponse<String> second = host.send(host.payment(Wallet.generate(), BUY), BUY, US);
    assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
    assertThat(second.body())
        .contains("number_unavailable", "What was paid has gone back: refund ");
    assertThat(number("SELECT count(*) FROM lease")).isEqualTo(1);
    assertThat(number("SELECT sum(balance) FROM book_account WHERE kind = 'PAYER'"))
        .isEqualTo(2 * START - PRICE);
    assertThat(vendor.owned().values()).containsExactly(number);
    assertThat(vendor.deletions()).isEmpty();

    host.paid(payer, "numbers/release", "{\"phoneNumber\":\"" + number + "\"}");
    assertThat(host.send(host.payment(Wallet.generate(), BUY), BUY, US).statusCode())
        .as("the vendor has it not back yet")
        .isEqualTo(409);
    host.doChores();
    vendor.mood(Mood.GOOD);
    assertThat(bought(host.send(host.payment(payer, BUY), BUY, US))).startsWith("+1415");
  }

  @Test
  @Tag("spec:money.6")
  @Tag("spec:error.phone.number_unavailable")
  void ifNoNumberIsLeftAfterThePaymentItGoesBackAndTheCallerIsToldSo() {
    vendor.mood(Mood.SNAPPED_UP);
    String payment = host.payment(payer, BUY);
    HttpResponse<String> failed = host.send(payment, BUY, US);
    assertThat(failed.statusCode()).as(failed.body()).isEqualTo(409);
    assertThat(failed.body())
        .contains("number_unavailable", "What was paid has gone back: refund ");
    assertThat(vendor.purchases()).hasSize(3).doesNotHaveDuplicates();
    assertThat(balance()).isEqualTo(START);
    vendor.mood(Mood.GOOD);
    host.send(payment, BUY, US);
    assertThat(vendor.purchases()).as("a payment buys once").hasSize(3);
    assertThat(balance()).isEqualTo(START);
  }

  @Test
  @Tag("spec:money.6")
  void aPurchaseThatTheVendorSaysHasFailedIsFoundByItsName() {
    vendor.mood(Mood.DONE_AND_FAILED);
    String number = leased();
    assertThat(vendor.owned().values()).containsExactly(number);
  }

  @Test
  @Tag("spec:money.6")
  void aPurchaseOfUnknownOutcomeIsNeverMadeAgainAndGoesBackOnceTheVendorCannotMakeItAnyMore() {
    vendor.mood(Mood.FAILED);
    String payment = host.payment(payer, BUY);
    for (int time = 0; time < 2; time++) {
      HttpResponse<String> unknown = host.send(payment, BUY, US);
      assertThat(unknown.statusCode()).as(unknown.body()).isEqualTo(503);
      assertThat(unknown.headers().firstValue("Retry-After")).isPresent();
    }
    host.doChores();
    assertThat(balance()).isEqualTo(START - PRICE);
    change("UPDATE effect SET begun_at = begun_at - INTERVAL '30' MINUTE");
    host.doChores();
    assertThat(vendor.purchases()).hasSize(1);
    assertThat(balance()).isEqualTo(START);
  }

  @ParameterizedTest
  @ValueSource(strings = {BUY, "numbers/renew", "numbers/release", "lookup", "sms/send"})
  void aBodyThatIsNoneCostsNothing(String method) {
    PhoneHost asked = method.equals("lookup") ? withLookups() : host;
    try {
      PaidAnswer refused = asked.paid(payer, method, "{}");
      assertThat(refused.status()).isEqualTo(400);
      assertThat(GatewayHost.text(refused))
          .startsWith("{\"error\":{\"code\":\"invalid_params\"")
          .contains(" is required");
      assertThat(refused.receipt()).isNull();
    } finally {
      if (asked != host) {
        asked.close();
      }
    }
  }

  private PhoneHost withLookups(String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("gateway.database.node", "lookups");
    settings.put("gateway.upstream.lookup.base-address", vendor.base());
    settings.put("gateway.upstream.lookup.credential", "AC1:secret");
    for (int at = 0; at < more.length; at += 2) {
      settings.put(more[at], more[at + 1]);
    }
    return host(settings);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"country\":\"GB\"}|country is US or CA",
        "{\"country\":\"us\"}|country is US or CA",
        "{\"country\":1}|country is of the wrong type",
        "{\"country\":\"US\",\"areaCode\":\"41\"}|areaCode has three digits",
        "{\"country\":\"US\",\"areaCode\":415}|areaCode is of the wrong type"
      })
  @Tag("spec:request.phone.numbers_buy.country")
  @Tag("spec:request.phone.numbers_buy.areaCode")
  void aPurchaseIsOfTheTwoCountriesAndAnAreaOfThreeDigits(String body, String said) {
    PaidAnswer refused = host.paid(payer, BUY, body);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(GatewayHost.text(refused)).contains("invalid_params", said);
  }

  @Test
  @Tag("spec:endpoint.phone.sms_send")
  @Tag("spec:request.phone.sms_send.from")
  @Tag("spec:request.phone.sms_send.to")
  @Tag("spec:request.phone.sms_send.body")
  void aTextIsSentOnceFromANumberOfTheCallers() {
    String from = leased();
    String text = text(from, "hello");
    String payment = host.payment(payer, "sms/send");
    for (int time = 0; time < 2; time++) {
      host.send(payment, "sms/send", text);
    }
    assertThat(vendor.texts()).hasSize(1);
    PaidAnswer sent = host.paid(payer, "sms/send", text);
    assertThat(GatewayHost.text(sent)).startsWith("{\"message_id\":\"SM1\",\"status\":\"queued\"");
    PaidAnswer premium = host.paid(payer, "sms/send", text.replace("+12065550100", "+19002345678"));
    assertThat(GatewayHost.text(premium)).contains("invalid_phone_number");
    PaidAnswer foreign = host.paid(payer, "sms/send", text("+14155550199", "hello"));
    assertThat(foreign.status()).isEqualTo(404);
    assertThat(GatewayHost.text(foreign)).contains("number_not_owned");
  }

  private static String text(String from, String body) {
    return "{\"from\":\"%s\",\"to\":\"+12065550100\",\"body\":\"%s\"}".formatted(from, body);
  }

  @Test
  @Tag("spec:money.6")
  void aTextThatTheVendorSaysHasFailedIsFoundAmongWhatWasSent() {
    String from = leased();
    vendor.mood(Mood.DONE_AND_FAILED);
    PaidAnswer sent = host.paid(payer, "sms/send", text(from, "hello"));
    assertThat(GatewayHost.text(sent)).startsWith("{\"message_id\":\"SM0\"");
    assertThat(vendor.texts()).hasSize(1);
  }

  @Test
  @Tag("spec:money.6")
  void aTextThatTheVendorReportsForAnotherNumberIsNotTheCallers() {
    String text = text(leased(), "hello");
    vendor.mood(Mood.SENT_ELSEWHERE);
    String payment = host.payment(payer, "sms/send");
    assertThat(host.send(payment, "sms/send", text).statusCode()).isEqualTo(503);
    assertThat(host.send(payment, "sms/send", text).statusCode()).isEqualTo(503);
    assertThat(vendor.texts()).hasSize(1);
  }

  @Test
  @Tag("spec:money.6")
  void theMessageOfOnePaymentProvesNoOtherOfTheSameText() {
    String text = text(leased(), "hello");
    assertThat(GatewayHost.text(host.paid(payer, "sms/send", text))).contains("\"SM0\"");
    vendor.mood(Mood.FAILED);
    String payment = host.payment(payer, "sms/send");
    assertThat(host.send(payment, "sms/send", text).statusCode()).isEqualTo(503);
    assertThat(host.send(payment, "sms/send", text).statusCode()).isEqualTo(503);

    // The vendor has one message more, and two payments may have sent it.
    vendor.mood(Mood.DONE_AND_FAILED);
    assertThat(host.send(host.payment(payer, "sms/send"), "sms/send", text).statusCode())
        .isEqualTo(503);
    assertThat(vendor.texts()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "400, 21610, 400, invalid_phone_number",
    "400, 21635, 400, invalid_phone_number",
    "400, 21606, 502, upstream_failed",
    "401, 20003, 502, upstream_failed",
    "429, 20429, 503, upstream_unavailable"
  })
  @Tag("spec:money.6")
  void aTextThatTheVendorRefusesGoesBackAndSaysWhoseBusinessItIs(
      int status, int said, int answered, String code) {
    String from = leased();
    long before = balance();
    vendor.refuses(status, said);
    HttpResponse<String> refused =
        host.send(host.payment(payer, "sms/send"), "sms/send", text(from, "hello"));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(answered);
    assertThat(refused.body())
        .contains(code, "What was paid has gone back: refund ")
        .doesNotContain(Integer.toString(said));
    assertThat(vendor.texts()).isEmpty();
    assertThat(balance()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "400, 21631, 409, number_unavailable, 3",
    "400, 10002, 502, upstream_failed, 1",
    "401, 20003, 502, upstream_failed, 1",
    "429, 20429, 503, upstream_unavailable, 1"
  })
  @Tag("spec:money.6")
  void aPurchaseThatTheVendorRefusesGoesBackAndSaysWhoseBusinessItIs(
      int status, int said, int answered, String code, int tried) {
    vendor.refuses(status, said);
    HttpResponse<String> refused = host.send(host.payment(payer, BUY), BUY, US);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(answered);
    assertThat(refused.body()).contains(code, "What was paid has gone back: refund ");
    assertThat(vendor.purchases()).hasSize(tried);
    assertThat(balance()).isEqualTo(START);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "numbers/buy|{\"country\":\"US\",\"area_code\":\"415\"}|'area_code'",
        "numbers/renew|{\"phoneNumber\":\"+14155550100\",\"months\":2}|'months'",
        "numbers/release|{\"phoneNumber\":\"+14155550100\",\"now\":true}|'now'",
        "lookup|{\"phoneNumber\":\"+14155550100\",\"Fields\":\"identity_match\"}|'Fields'",
        "sms/send|{\"from\":\"+14155550100\",\"to\":\"+12065550100\",\"body\":\"a\",\"mediaUrl\":\"b\"}|'mediaUrl'",
        "sms/send|{\"from\":\"+14155550100\",\"to\":\"+14155550100\",\"body\":\"a\"}|another number than from"
      })
  void whatABodyCannotHaveIsRefusedByNameAndCostsNothing(String method, String body, String said) {
    try (PhoneHost asked = withLookups("gateway.phone.sms", "true")) {
      PaidAnswer refused = asked.paid(payer, method, body);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(GatewayHost.text(refused)).contains(said);
      assertThat(refused.receipt()).isNull();
    }
  }

  @Test
  void aTextCostsNoLessThanTheVendorBillsForItsParts() {
    String from = leased();
    Map<String, String> rates =
        Map.of(
            "gateway.database.node", "rates",
            "gateway.phone.sms", "true",
            "gateway.phone.text-parts", "24",
            "gateway.phone.text-rates.us", "0.02",
            "gateway.phone.text-rates.gb", "0.06",
            "gateway.phone.text-rates.447624", "0.3");
    try (PhoneHost asked = host(rates)) {
      assertThat(quoted(asked, "sms/send")).isEqualTo("50000");
      assertThat(quoted(asked.unpaid("sms/send", text(from, "ж".repeat(134))))).isEqualTo("50000");
      String dear = text(from, "ж".repeat(1_600));
      assertThat(quoted(asked.unpaid("sms/send", dear))).isEqualTo("480000");
      String abroad = text(from, "hello").replace("+12065550100", "+447772000001");
      assertThat(quoted(asked.unpaid("sms/send", abroad))).isEqualTo("60000");
      String island = abroad.replace("+447772000001", "+447624000001");
      assertThat(quoted(asked.unpaid("sms/send", island))).isEqualTo("300000");
      // A personal number is British, and costs what its owner likes.
      PaidAnswer personal =
          asked.paid(payer, "sms/send", abroad.replace("+447772000001", "+447024000001"));
      assertThat(personal.status()).isEqualTo(400);
      assertThat(personal.receipt()).isNull();

      HttpResponse<String> cheap = asked.send(asked.payment(payer, "sms/send"), "sms/send", dear);
      assertThat(cheap.statusCode()).as(cheap.body()).isEqualTo(402);
      assertThat(vendor.texts()).isEmpty();
      long before = balance();
      assertThat(asked.paid(payer, "sms/send", dear).status()).isEqualTo(200);
      assertThat(balance()).isEqualTo(before - 480_000);
    }
  }

  @Test
  void onePriceBuysNoTextOfManyPartsAndNoneToACountryWithoutARate() {
    String from = leased();
    long before = balance();
    PaidAnswer fits = host.paid(payer, "sms/send", text(from, "a".repeat(459)));
    assertThat(fits.status()).isEqualTo(200);
    assertThat(balance()).isEqualTo(before - 50_000);
    for (String refused :
        List.of(
            text(from, "a".repeat(460)),
            text(from, "ж".repeat(202)),
            text(from, "hello").replace("+12065550100", "+447772000001"))) {
      PaidAnswer answer = host.paid(payer, "sms/send", refused);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(GatewayHost.text(answer)).containsAnyOf("3 is the most here", "no texts to: GB");
      assertThat(answer.receipt()).isNull();
    }
    assertThat(vendor.texts()).hasSize(1);
    assertThat(balance()).isEqualTo(before - 50_000);
  }

  @Test
  @Tag("spec:error.phone.sms_unavailable")
  void withoutAConnectorATextIsUnavailableAndCostsNothing() {
    try (PhoneHost without = host(Map.of("gateway.database.node", "without"))) {
      PaidAnswer refused = without.paid(payer, "sms/send", text("+14155550100", "hello"));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(GatewayHost.text(refused)).startsWith("{\"error\":{\"code\":\"sms_unavailable\"");
      assertThat(refused.receipt()).isNull();
    }
  }

  @Test
  void aLookupCostsNoLessThanTheVendorBillsForItsPackages() {
    try (PhoneHost asked =
        withLookups("gateway.phone.lookup-rate", "0.018", "gateway.phone.fraud-rate", "0.043")) {
      assertThat(quoted(asked, "lookup")).isEqualTo("18000");
      assertThat(quoted(asked, "lookup/fraud")).isEqualTo("50000");
    }
    try (PhoneHost asked = withLookups("gateway.phone.fraud-rate", "0.0631")) {
      assertThat(quoted(asked, "lookup")).isEqualTo("10000");
      assertThat(quoted(asked, "lookup/fraud")).isEqualTo("63100");
    }
  }

  private static String quoted(PhoneHost host, String method) {
    return quoted(host.unpaid(method));
  }

  private static String quoted(HttpResponse<String> challenge) {
    return PaymentRequired.read(challenge.headers().firstValue("PAYMENT-REQUIRED").orElseThrow())
        .accepts()
        .get(0)
        .amount();
  }

  @ParameterizedTest
  @CsvSource({"lookup, 404", "lookup/fraud, 404", "numbers/buy, 404", "numbers/list, 402"})
  void whatHasNoVendorIsNotOffered(String method, int status) {
    Map<String, String> nobody =
        Map.of("gateway.database.node", "nobody", "gateway.upstream.phone.base-address", "");
    try (PhoneHost without = host(nobody)) {
      HttpResponse<String> answer = without.unpaid(method);
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.headers().firstValue("PAYMENT-REQUIRED").isPresent())
          .isEqualTo(status == 402);
    }
  }

  @Test
  void aCredentialThatIsNoPairIsRefusedAtTheStart() {
    assertThatThrownBy(() -> host(Map.of("gateway.upstream.phone.credential", "secret")))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("gateway.upstream.phone.credential has the form account:secret");
  }
}

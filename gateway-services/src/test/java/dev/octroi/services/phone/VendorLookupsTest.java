package dev.octroi.services.phone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.LookupRecords.RiskLevel;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.WireServer;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class VendorLookupsTest {

  private static final PhoneNumber NUMBER = new PhoneNumber("+447772000001");

  private static final String HEAD =
      "{\"calling_country_code\":\"44\",\"country_code\":\"GB\",\"phone_number\":\"+447772000001\","
          + "\"national_format\":\"07772 000001\",\"valid\":true,";
  private static final String LINE =
      "\"line_type_intelligence\":{\"error_code\":null,\"mobile_country_code\":\"234\","
          + "\"mobile_network_code\":\"15\",\"carrier_name\":\"C\",\"type\":\"mobile\"}";
  private static final String NO_LINE =
      "\"line_type_intelligence\":{\"error_code\":60600,\"carrier_name\":null}";
  private static final String SWAP =
      "\"sim_swap\":{\"last_sim_swap\":{\"last_sim_swap_date\":\"2020-11-05T20:52:09Z\","
          + "\"swapped_period\":\"PT24H\",\"swapped_in_period\":true},\"error_code\":null}";
  private static final String FORWARDING =
      "\"call_forwarding\":{\"call_forwarding_enabled\":true,\"error_code\":null}";

  private static Answer ask(
      String said, boolean stated, BiFunction<Lookups, Deadline, Answer> lookup)
      throws IOException {
    try (WireServer server = WireServer.saying(said);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      return lookup.apply(new VendorLookups(client, stated), Deadline.in(Duration.ofSeconds(20)));
    }
  }

  private static String carrier(String said) throws IOException {
    return new String(ask(said, true, (of, until) -> of.carrier(NUMBER, until)).body(), UTF_8);
  }

  private static String fraud(String said) throws IOException {
    return new String(ask(said, true, (of, until) -> of.fraud(NUMBER, until)).body(), UTF_8);
  }

  @Test
  void aCarrierLookupHasTheStatedMembersAndNoOthers() throws IOException {
    assertThat(carrier(HEAD + LINE + ",\"caller_name\":null,\"url\":\"u\"}"))
        .isEqualTo(
            "{\"phone_number\":\"+447772000001\",\"calling_country_code\":\"44\","
                + "\"country_code\":\"GB\",\"national_format\":\"07772 000001\","
                + "\"line_type_intelligence\":{\"carrier_name\":\"C\",\"type\":\"mobile\","
                + "\"mobile_country_code\":\"234\",\"mobile_network_code\":\"15\"},"
                + "\"caller_name\":null,\"sim_swap\":null}");
  }

  @Test
  @Tag("spec:record.fraud_lookup.sim_swap.last_sim_swap")
  @Tag("spec:record.fraud_lookup.sim_swap.swapped_in_period")
  void aFraudLookupFlattensTheSwapAndBandsTheScore() throws IOException {
    String risk = ",\"sms_pumping_risk\":{\"sms_pumping_risk_score\":76,\"error_code\":null}}";
    assertThat(fraud(HEAD + LINE + "," + SWAP + "," + FORWARDING + risk))
        .endsWith(
            "\"sim_swap\":{\"last_sim_swap\":\"2020-11-05T20:52:09Z\",\"swapped_in_period\":true},"
                + "\"call_forwarding\":{\"call_forwarding_enabled\":true},"
                + "\"risk\":{\"score\":76,\"level\":\"critical\"}}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, low",
    "25, low",
    "26, medium",
    "50, medium",
    "51, high",
    "75, high",
    "76, critical",
    "100, critical"
  })
  @Tag("spec:rule.phone.risk_bands")
  void theScoreIsBandedAsSpecified(int score, String level) {
    assertThat(RiskLevel.of(score).word()).isEqualTo(level);
  }

  @Test
  void aPackageThatFailedInsideOfA200IsNull() throws IOException {
    assertThat(fraud(HEAD + NO_LINE + "," + FORWARDING + ",\"sim_swap\":{\"error_code\":60606}}"))
        .contains("\"line_type_intelligence\":null")
        .endsWith(
            "\"sim_swap\":null,\"call_forwarding\":{\"call_forwarding_enabled\":true},\"risk\":null}");
  }

  @Test
  void aLookupWithoutWhatItIsSoldForFails() {
    assertThatThrownBy(() -> carrier(HEAD + NO_LINE + "}"))
        .isInstanceOfSatisfying(
            Failure.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
    assertThatThrownBy(() -> fraud(HEAD + LINE + ",\"sim_swap\":{\"error_code\":60606}}"))
        .isInstanceOfSatisfying(
            Failure.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "101", "1e400", "12.5", "\"high\"", "{}"})
  void aScoreThatIsNoneIsNothingThatALookupIsSoldFor(String score) {
    String said = ",\"sms_pumping_risk\":{\"sms_pumping_risk_score\":" + score + "}}";
    assertThatThrownBy(() -> fraud(HEAD + LINE + said))
        .isInstanceOfSatisfying(
            Failure.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  @Test
  @Tag("spec:error.phone.invalid_phone_number")
  void anInvalidNumberInsideOfA200IsInvalid() {
    assertThatThrownBy(
            () -> carrier("{\"valid\":false,\"validation_errors\":[\"TOO_SHORT\"]," + LINE + "}"))
        .isInstanceOfSatisfying(
            Failure.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.INVALID_PHONE_NUMBER));
  }

  @Test
  void whatTheVendorHasNothingToSayOfIsNotMadeUp() throws IOException {
    String nothing =
        ",\"sim_swap\":{\"last_sim_swap\":null,\"error_code\":null},"
            + "\"call_forwarding\":{\"call_forwarding_enabled\":true,\"error_code\":null}}";
    assertThat(fraud(HEAD + LINE + nothing)).contains("\"sim_swap\":null");
    String unheard =
        ",\"sim_swap\":{\"last_sim_swap\":{\"swapped_in_period\":null}},"
            + "\"call_forwarding\":{\"call_forwarding_enabled\":null},"
            + "\"sms_pumping_risk\":{\"sms_pumping_risk_score\":null}}";
    assertThatThrownBy(() -> fraud(HEAD + LINE + unheard)).isInstanceOf(Failure.class);
    String noLine = "\"line_type_intelligence\":{\"carrier_name\":null,\"type\":null}}";
    assertThatThrownBy(() -> carrier(HEAD + noLine)).isInstanceOf(Failure.class);
  }

  @ParameterizedTest
  @CsvSource({
    "404, 20404, INVALID_PHONE_NUMBER",
    "404, 0, UPSTREAM_FAILED",
    "400, 21211, INVALID_PHONE_NUMBER",
    "400, 0, INVALID_PHONE_NUMBER",
    "400, 60606, UPSTREAM_FAILED",
    "400, 60607, UPSTREAM_FAILED",
    "403, 60606, UPSTREAM_FAILED",
    "401, 20003, UPSTREAM_FAILED",
    "429, 20429, UPSTREAM_UNAVAILABLE",
    "500, 20500, UPSTREAM_FAILED"
  })
  void whatTheVendorRefusesIsTheNumbersFaultOnlyWhereItSaysSo(int status, int code, ErrorCode is)
      throws IOException {
    String said = "{\"code\":" + code + ",\"message\":\"no\",\"status\":" + status + "}";
    try (WireServer server = WireServer.start((request, wire) -> wire.json(status, said));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Lookups lookups = new VendorLookups(client, true);
      assertThatThrownBy(() -> lookups.carrier(NUMBER, Deadline.in(Duration.ofSeconds(20))))
          .isInstanceOfSatisfying(Failure.class, it -> assertThat(it.code()).isEqualTo(is));
    }
  }

  @Test
  void aPackageThatTheAccountMayNotUseIsToldToTheOperator() throws IOException {
    Logger log = (Logger) LoggerFactory.getLogger(VendorLookups.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    try {
      fraud(HEAD + LINE + "," + FORWARDING + ",\"sim_swap\":{\"error_code\":60606}}");
      fraud(HEAD + LINE + "," + FORWARDING + ",\"sim_swap\":{\"error_code\":60607}}");
    } finally {
      log.detachAppender(lines);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("Upstream lookup delivers not all: [sim_swap 60606]");
  }

  @Test
  @Tag("spec:decision.records_upstream")
  void theVendorsBodyPassesWhereRecordsAreIts() throws IOException {
    String said = HEAD + LINE + "}";
    assertThat(ask(said, false, (of, until) -> of.carrier(NUMBER, until)).body())
        .isEqualTo(said.getBytes(UTF_8));
  }

  @Test
  void theVendorIsAskedForThePackagesThatALookupNeeds() throws IOException {
    try (WireServer server = WireServer.saying(HEAD + LINE + "," + FORWARDING + "}");
        UpstreamClient client = new UpstreamClient(server.settings())) {
      Lookups lookups = new VendorLookups(client, true);
      lookups.carrier(NUMBER, Deadline.in(Duration.ofSeconds(20)));
      lookups.fraud(NUMBER, Deadline.in(Duration.ofSeconds(20)));
      assertThat(server.requests())
          .extracting(WireServer.Request::target)
          .containsExactly(
              "/base/PhoneNumbers/%2B447772000001?Fields=line_type_intelligence%2Ccaller_name",
              "/base/PhoneNumbers/%2B447772000001?Fields=line_type_intelligence%2Ccaller_name"
                  + "%2Csim_swap%2Ccall_forwarding%2Csms_pumping_risk");
    }
  }
}

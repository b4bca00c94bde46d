package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaymentPayloadTest {

  @Test
  void anEnvelopeOfVersionTwoIsRead() {
    PaymentPayload payment = Envelopes.read(Envelopes.VALID);

    assertThat(payment.x402Version()).isEqualTo(2);
    assertThat(payment.scheme()).isEqualTo("exact");
    assertThat(payment.network()).isEqualTo("eip155:8453");
    assertThat(payment.payload().path("signature").asText()).isEqualTo("0x00");
    assertThat(payment.envelope()).asString(StandardCharsets.UTF_8).isEqualTo(Envelopes.VALID);
  }

  @Test
  @Tag("spec:decision.envelope_leniency")
  void withoutAcceptedSchemeAndNetworkMayStandAtTopLevel() {
    PaymentPayload payment =
        Envelopes.read(
            """
            {"x402Version":2,"scheme":"exact","network":"eip155:8453","payload":{}}""");

    assertThat(payment.accepted()).isNull();
    assertThat(payment.network()).isEqualTo("eip155:8453");
  }

  @Test
  void anOptionalMemberMayBeNull() {
    String json =
        "{\"x402Version\":2,\"resource\":null,\"extensions\":null,\"payload\":{},\"accepted\":"
            + Envelopes.ACCEPTED
            + "}";

    assertThat(Envelopes.read(json).extensions()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "\"x\"",
        "{}",
        "{",
        "{\"x402Version\":2}",
        "{\"x402Version\":2,\"accepted\":{},\"payload\":{}}",
        "{\"x402Version\":2,\"scheme\":\"exact\",\"payload\":{}}",
        "{\"x402Version\":2,\"scheme\":\"exact\",\"network\":\"eip155:1\"}",
        "{\"x402Version\":2,\"scheme\":\"exact\",\"network\":\"eip155:1\",\"payload\":[]}",
        "{\"x402Version\":2,\"scheme\":\"exact\",\"network\":\"eip155:1\",\"payload\":null}",
        "{\"x402Version\":2,\"scheme\":1,\"network\":\"eip155:1\",\"payload\":{}}",
        "{\"x402Version\":2,\"accepted\":[],\"scheme\":\"exact\",\"network\":\"a\",\"payload\":{}}",
        "{\"x402Version\":2,\"resource\":\"u\",\"scheme\":\"exact\",\"network\":\"a\",\"payload\":{}}",
        "{\"x402Version\":2,\"extensions\":1,\"scheme\":\"exact\",\"network\":\"a\",\"payload\":{}}",
        "{'x402Version':2,\"scheme\":\"exact\",\"network\":\"a\",\"payload\":{}}",
        "{\"x402Version\":2,\"scheme\":\"exact\",\"network\":\"a\",\"payload\":{},}",
        "/**/{\"x402Version\":2,\"scheme\":\"exact\",\"network\":\"a\",\"payload\":{}}"
      })
  @Tag("spec:x402.malformed")
  void whatIsNotAnEnvelopeIsMalformed(String json) {
    assertMalformed(Envelopes.base64(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "1", "3", "2.0", "2e0", "\"2\"", "true", "null", "99999999999", "-2"})
  @Tag("spec:x402.malformed")
  void anyOtherVersionIsMalformed(String version) {
    assertMalformed(
        Envelopes.base64(
            Envelopes.VALID.replace("\"x402Version\":2", "\"x402Version\":" + version)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "+1", "01", ".5", "1."})
  @Tag("spec:x402.malformed")
  void aNumberThatJsonDoesNotKnowIsMalformed(String number) {
    assertMalformed(
        Envelopes.base64(
            Envelopes.VALID.replace("\"payload\":{", "\"payload\":{\"a\":" + number + ",")));
  }

  @Test
  @Tag("spec:x402.malformed")
  void aDuplicateNameIsMalformedAtAnyDepth() {
    assertMalformed(
        Envelopes.base64(Envelopes.VALID.replace("{\"x402V", "{\"x402Version\":2,\"x402V")));
    assertMalformed(
        Envelopes.base64(Envelopes.VALID.replace("\"from\":", "\"from\":\"0x9\",\"from\":")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "x", "]", "\u0000", "null"})
  @Tag("spec:x402.malformed")
  void anythingAfterTheEndIsMalformed(String garbage) {
    assertMalformed(Envelopes.base64(Envelopes.VALID + garbage));
  }

  @Test
  @Tag("spec:x402.malformed")
  void deepNestingIsMalformed() {
    String deep = "[".repeat(3000) + "]".repeat(3000);

    assertMalformed(Envelopes.base64(Envelopes.VALID.replace("\"0x00\"", deep)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-16"})
  @Tag("spec:x402.malformed")
  void anyOtherEncodingThanUtf8IsMalformed(String charset) {
    assertMalformed(Envelopes.base64(Envelopes.VALID.getBytes(Charset.forName(charset))));
  }

  @Test
  @Tag("spec:x402.malformed")
  void bytesThatAreNoUtf8AreMalformed() {
    byte[] overlong =
        Envelopes.VALID.replace("0x00", "\u00c0\u00af").getBytes(StandardCharsets.ISO_8859_1);

    assertMalformed(Envelopes.base64(overlong));
  }

  @Test
  @Tag("spec:x402.malformed")
  void onlyStandardPaddedBase64IsRead() {
    String json = Envelopes.VALID.replace("0x00", "\u00fe\u00ff?>~");
    String base64 = Envelopes.base64(json.length() % 3 == 0 ? json + " " : json);
    assertThatCode(() -> PaymentPayload.read(base64)).doesNotThrowAnyException();

    assertMalformed(base64.replace("=", ""));
    assertMalformed(base64 + "=");
    assertMalformed(" " + base64);
    assertMalformed(base64.substring(0, 8) + "\n" + base64.substring(8));
    assertMalformed(Base64.getMimeEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  @Tag("spec:x402.malformed")
  void anotherSpellingOfTheSameBytesIsMalformed() {
    String base64 =
        Envelopes.base64(Envelopes.VALID + " ".repeat(3 - Envelopes.VALID.length() % 3 + 1));
    assertThat(base64).endsWith("IA==");

    assertMalformed(base64.replace("IA==", "IB=="));
  }

  @Test
  @Tag("spec:limit.payment_header")
  void aHeaderOfSixteenKibibytesIsReadAndALongerOneIsNot() {
    int room = PaymentPayload.MAX_HEADER_CHARS / 4 * 3 - Envelopes.VALID.length();
    String largest = Envelopes.VALID + " ".repeat(room);

    assertThatCode(() -> Envelopes.read(largest)).doesNotThrowAnyException();
    assertMalformed(Envelopes.base64(largest + " "));
  }

  private static void assertMalformed(String header) {
    assertThatExceptionOfType(MalformedPayment.class).isThrownBy(() -> PaymentPayload.read(header));
  }
}

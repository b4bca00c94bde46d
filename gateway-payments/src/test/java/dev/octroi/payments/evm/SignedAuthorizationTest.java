package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.x402.MalformedPayment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignedAuthorizationTest {

  private final JsonNode payload = Examples.JSON.valueToTree(Examples.published().toJson());
  private final ObjectNode authorization = (ObjectNode) payload.get("authorization");

  @Test
  void whatIsWrittenIsReadBack() {
    assertThat(SignedAuthorization.read(payload).toJson()).isEqualTo(Examples.published().toJson());
  }

  @ParameterizedTest
  @ValueSource(strings = {"from", "to", "value", "validAfter", "validBefore", "nonce"})
  @Tag("spec:x402.malformed")
  void aMissingMemberIsMalformed(String name) {
    authorization.remove(name);

    assertMalformed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"from", "to", "value", "validAfter", "validBefore", "nonce"})
  @Tag("spec:x402.malformed")
  void aNumberWhereAStringBelongsIsMalformed(String name) {
    authorization.put(name, 1740672154);

    assertMalformed();
  }

  @ParameterizedTest
  @CsvSource({
    "value,-1",
    "value,+1",
    "value,1.0",
    "value,1e3",
    "value,0x10",
    "value,' 1'",
    "value,''",
    "value,١٢",
    "value,115792089237316195423570985008687907853269984665640564039457584007913129639936",
    "value,0000000000000000000000000000000000000000000000000000000000000000000000000000001",
    "from,0x857b06519E91e3A54538791bDbb0E22373e36b",
    "to,no-address",
    "nonce,0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f134",
    "nonce,0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f1348000",
    "nonce,f3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"
  })
  @Tag("spec:x402.malformed")
  void aMemberOutsideItsRangeIsMalformed(String name, String value) {
    authorization.put(name, value);

    assertMalformed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2d6a", "0x2d6", "0xzz"})
  @Tag("spec:x402.malformed")
  void aSignatureThatIsNotHexIsMalformed(String signature) {
    ((ObjectNode) payload).put("signature", signature);

    assertMalformed();
  }

  @Test
  void theLargestNumberIsRead() {
    authorization.put(
        "value", "115792089237316195423570985008687907853269984665640564039457584007913129639935");

    assertThat(SignedAuthorization.read(payload).authorization().value().bitCount()).isEqualTo(256);
  }

  private void assertMalformed() {
    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> SignedAuthorization.read(payload));
  }
}

package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTest {

  @Test
  @Tag("spec:x402.settlement_header")
  void aSettlementIsReadBackAsWritten() {
    SettlementResponse settled = SettlementResponse.settled("0xab", "eip155:8453", "0xcd", "10000");
    SettlementResponse refused =
        SettlementResponse.refused("insufficient_funds", "eip155:8453", null);

    assertThat(SettlementResponse.read(settled.header())).isEqualTo(settled);
    assertThat(SettlementResponse.read(refused.header())).isEqualTo(refused);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"x402Version\":1,\"accepts\":[{}]}",
        "{\"x402Version\":2,\"resource\":{\"url\":\"u\"},\"accepts\":[]}",
        "{\"x402Version\":2,\"resource\":{\"url\":\"u\"},\"accepts\":[1]}",
        "{\"x402Version\":2,\"resource\":{\"url\":\"u\"},\"accepts\":[{\"scheme\":\"exact\"}]}",
        "{\"x402Version\":2,\"resource\":{\"url\":\"u\",\"tags\":[\"\"]},\"accepts\":[{}]}"
      })
  void whatIsNotAChallengeIsMalformed(String json) {
    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> PaymentRequired.read(Envelopes.base64(json)));
  }

  @Property(tries = 1000)
  void anyBytesAreReadOrMalformed(@ForAll @Size(max = 200) byte[] bytes) {
    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> PaymentRequired.readBody(bytes));
    assertThatExceptionOfType(MalformedPayment.class)
        .isThrownBy(() -> SettlementResponse.read(Envelopes.base64(bytes)));
  }
}

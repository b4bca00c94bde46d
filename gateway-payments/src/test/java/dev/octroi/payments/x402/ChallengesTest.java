package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.Challenges.Challenge;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ChallengesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  static final Usd PRICE = Usd.parse("0.0095");

  static final PaymentOption BASE =
      new PaymentOption(
          "eip155:8453",
          "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
          "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
          Map.of("name", "USD Coin", "version", "2"),
          300);

  private final Challenges challenges = new Challenges(new Offers(List.of(BASE)));

  private final ResourceInfo resource =
      new ResourceInfo(
          "http://127.0.0.1:8402/v1/a?b=c",
          "What it \"is\" \u2014 \ud83d\ude00",
          "application/json",
          "Octroi",
          List.of("crypto", "data"),
          null);

  @Test
  @Tag("spec:x402.challenge_header")
  void theHeaderIsTheVersionTwoObjectWithoutAPrice() throws IOException {
    JsonNode header = header(challenges.first(OfferedPrice.of(PRICE), resource));

    assertThat(header.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("x402Version", "error", "resource", "accepts");
    assertThat(header.path("accepts").path(0).properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "scheme", "network", "amount", "asset", "payTo", "maxTimeoutSeconds", "extra");
    assertThat(header.at("/accepts/0/amount")).isEqualTo(JSON.valueToTree("9500"));
  }

  @Test
  @Tag("spec:x402.challenge_body")
  void theBodyHasAPriceAndACodeBesides() throws IOException {
    Challenge challenge =
        challenges.challenge(
            OfferedPrice.of(PRICE),
            resource,
            "invalid_exact_evm_signature",
            "payment_failed",
            Extensions.of(Map.of("x", 1)));
    JsonNode body = JSON.readTree(challenge.body());

    assertThat(body.at("/price/amount").asText()).isEqualTo("0.009500");
    assertThat(body.at("/price/currency").asText()).isEqualTo("USD");
    assertThat(body.path("code").asText()).isEqualTo("payment_failed");
    assertThat(body.at("/extensions/x").asInt()).isEqualTo(1);
    assertThat(body.path("accepts")).isEqualTo(header(challenge).path("accepts"));
  }

  @Test
  @Tag("spec:x402.resource")
  void aPayerReadsBackWhatWasWritten() {
    Challenge challenge = challenges.first(OfferedPrice.of(PRICE), resource);

    PaymentRequired read = PaymentRequired.read(challenge.header());

    assertThat(read.resource()).isEqualTo(resource);
    assertThat(read.accepts()).isEqualTo(new Offers(List.of(BASE)).accepts(PRICE));
    assertThat(PaymentRequired.readBody(challenge.body()).accepts()).isEqualTo(read.accepts());
  }

  @Test
  @Tag("spec:limit.challenge_header")
  void aLongDescriptionStandsInTheBodyOnly() throws IOException {
    ResourceInfo wordy = new ResourceInfo(resource.url(), "x".repeat(4000), null, null, null, null);

    Challenge challenge = challenges.first(OfferedPrice.of(PRICE), wordy);

    assertThat(challenge.header()).hasSizeLessThanOrEqualTo(Challenge.MAX_HEADER_CHARS);
    assertThat(header(challenge).at("/resource/description").isMissingNode()).isTrue();
    assertThat(header(challenge).at("/resource/url").asText()).isEqualTo(resource.url());
    assertThat(JSON.readTree(challenge.body()).at("/resource/description").asText()).hasSize(4000);
  }

  @Test
  @Tag("spec:limit.challenge_header")
  void anAddressOfKilobytesIsShortenedToItsOriginInTheHeader() throws IOException {
    String url = "http://127.0.0.1:8402/v1/a?" + "b".repeat(8000);

    Challenge challenge = challenges.first(OfferedPrice.of(PRICE), ResourceInfo.at(url));

    assertThat(header(challenge).at("/resource/url").asText()).isEqualTo("http://127.0.0.1:8402/");
    assertThat(JSON.readTree(challenge.body()).at("/resource/url").asText()).isEqualTo(url);
  }

  @Test
  @Tag("spec:limit.service_name")
  @Tag("spec:x402.resource")
  void theProtocolsLimitsOfAResourceHold() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResourceInfo("u", null, null, "x".repeat(33), null, null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResourceInfo("u", null, null, "caf\u00e9", null, null));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ResourceInfo(
                    "u", null, null, null, List.of("1", "2", "3", "4", "5", "6"), null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ResourceInfo("u", null, null, null, List.of("x".repeat(33)), null));
  }

  static JsonNode header(Challenge challenge) throws IOException {
    return JSON.readTree(Base64.getDecoder().decode(challenge.header()));
  }

  @Test
  void anExtensionIsAnnouncedOnce() {
    Extensions one = Extensions.of(Map.of("x", 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> one.and(Extensions.of(Map.of("x", 2))))
        .withMessageContaining("x");
    assertThat(one.and(Extensions.of(Map.of("y", 2))).member())
        .isEqualTo(",\"extensions\":{\"x\":1,\"y\":2}");
  }
}

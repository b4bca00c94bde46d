package dev.octroi.services.prediction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.upstream.UpstreamClient;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spec:endpoint.prediction.wallet_identities")
class PredictionMethodsTest {

  private static final String ADDRESS = "\"0xd8da6bf26964af9d7eed9e03e53415d37aa96045\"";

  private final Vendor vendor = new Vendor();
  private final UpstreamClient client = new UpstreamClient(vendor.settings());
  private final PredictionMethods methods = new PredictionMethods(client);

  @AfterEach
  void close() {
    client.close();
    vendor.close();
  }

  @Test
  @Tag("spec:request.prediction.wallet_identities.addresses")
  void identitiesPassByteForByte() {
    vendor.says("/alphaex/wallet/identities", "vendor-identities.json");
    Answer answer = identities("{\"addresses\": [" + ADDRESS + "], \"other\": 1}");
    assertThat(answer.body()).isEqualTo(Samples.bytes("vendor-identities.json"));
    assertThat(answer.charged()).isTrue();
    assertThat(vendor.requests())
        .containsExactly("POST /alphaex/wallet/identities {\"addresses\":[" + ADDRESS + "]}");
  }

  @Test
  @Tag("spec:error.prediction.invalid_params")
  void aHundredAddressesAreTakenAndNoMore() {
    vendor.says("/alphaex/wallet/identities", "vendor-identities.json");
    assertThat(identities(addresses(100)).status()).isEqualTo(200);
    assertRefused(addresses(101), "invalid_params");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "{}",
        "{\"addresses\":[]}",
        "{\"addresses\":\"0x\"}",
        "{\"addresses\":[1]}",
        "{\"addresses\":[null]}",
        "{\"addresses\":[]}{}"
      })
  @Tag("spec:request.prediction.wallet_identities.addresses")
  void aBodyOfAnotherShapeIsRefused(String body) {
    assertRefused(body, "invalid_params");
  }

  @ParameterizedTest
  @ValueSource(strings = {"alice.eth", "0x", "0xd8da6bf26964af9d7eed9e03e53415d37aa9604"})
  @Tag("spec:error.prediction.invalid_address")
  void anAddressThatIsNoneIsRefused(String address) {
    assertRefused("{\"addresses\":[" + ADDRESS + ",\"" + address + "\"]}", "invalid_address");
  }

  @ParameterizedTest
  @CsvSource({"422, vendor-error-422.json", "429, vendor-error-429.json"})
  void anErrorOfTheVendorPassesUncharged(int status, String sample) {
    vendor.says("/alphaex/wallet/identities", status, Map.of(), Samples.bytes(sample));
    Answer answer = identities(addresses(1));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo(Samples.bytes(sample));
    assertThat(answer.charged()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200|{}",
        "200|[]",
        "200|{\"any\":1}",
        "200|{\"profiles\":\"none\"}",
        "200|{\"detail\":{\"error\":\"internal\",\"message\":\"broken\"}}",
        "202|{\"status\":\"compute_pending\",\"retry_after_seconds\":5}"
      })
  void whatHoldsNoIdentitiesIsNotSold(int status, String said) {
    vendor.says("/alphaex/wallet/identities", status, Map.of(), said.getBytes(UTF_8));
    assertThatThrownBy(() -> identities(addresses(1)))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code().code()).isEqualTo("upstream_failed"));
  }

  /** Nothing is sold where the vendor knows none of the wallets. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "{\"0x1\":null}", "{\"0x1\":null,\"0x2\":null}"})
  void identitiesOfWhichNoneIsFoundAre404(String profiles) {
    vendor.says(
        "/alphaex/wallet/identities",
        200,
        Map.of(),
        ("{\"profiles\":" + profiles + "}").getBytes(UTF_8));
    assertThatThrownBy(() -> identities(addresses(2)))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code().code()).isEqualTo("not_found"));
  }

  private Answer identities(String body) {
    return methods.identities(body.getBytes(UTF_8), Deadline.in(Duration.ofSeconds(10)));
  }

  private void assertRefused(String body, String code) {
    assertThatThrownBy(() -> identities(body))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code().code()).isEqualTo(code));
    assertThat(vendor.requests()).allMatch(request -> !request.contains("[]"));
  }

  private static String addresses(int count) {
    return "{\"addresses\":[" + String.join(",", Collections.nCopies(count, ADDRESS)) + "]}";
  }
}

package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/**
 * What is written well is read as it was meant, and what is broken is refused, in both versions.
 */
class HeaderDecoderPropertyTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, String> NETWORKS =
      Map.of(
          "base", "eip155:8453",
          "base-sepolia", "eip155:84532",
          "solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
          "solana-mainnet-beta", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp");

  @Property
  @Tag("spec:x402.v1.envelope")
  void anEnvelopeOfVersionOneIsReadWithItsNetworksId(
      @ForAll("networks") String network, @ForAll @StringLength(max = 80) String signature) {
    PaymentPayload read = PaymentPayload.read(encoded(versionOne(network, signature)));

    assertThat(read.x402Version()).isEqualTo(1);
    assertThat(read.network()).isEqualTo(NETWORKS.get(network));
    assertThat(FacilitatorMessages.networkIn(1, read.network()))
        .isEqualTo(network.replace("-mainnet-beta", ""));
    assertThat(read.accepted()).isNull();
    assertThat(read.resource()).isNull();
    assertThat(read.payload().path("signature").textValue()).isEqualTo(signature);
  }

  @Property
  @Tag("spec:x402.malformed")
  void anyOtherNetworkOfVersionOneIsMalformed(@ForAll @StringLength(max = 30) String network) {
    if (!NETWORKS.containsKey(network) && !network.equals("solana-devnet")) {
      assertMalformed(encoded(versionOne(network, "0x")));
    }
  }

  @Property(tries = 3000)
  @Tag("spec:x402.malformed")
  void aMutatedEnvelopeOfVersionOneIsReadOrMalformed(
      @ForAll @IntRange(max = 10_000) int at,
      @ForAll @IntRange(max = 20) int cut,
      @ForAll @Size(max = 4) byte[] inserted) {
    byte[] valid = versionOne("base", "0x00").toString().getBytes(StandardCharsets.UTF_8);
    int from = at % valid.length;
    int to = Math.min(valid.length, from + cut);
    byte[] mutated = new byte[from + inserted.length + valid.length - to];
    System.arraycopy(valid, 0, mutated, 0, from);
    System.arraycopy(inserted, 0, mutated, from, inserted.length);
    System.arraycopy(valid, to, mutated, from + inserted.length, valid.length - to);

    assertReadOrMalformed(Base64.getEncoder().encodeToString(mutated));
  }

  @Property
  @Tag("spec:x402.identifier.same")
  void anIdentifierOfTheRightFormIsRead(@ForAll("identifiers") String id) {
    assertThat(identifier(JSON.createObjectNode().put("id", id))).contains(id);
  }

  @Property(tries = 2000)
  @Tag("spec:x402.identifier.malformed")
  void anyOtherIdentifierIsMalformed(@ForAll @StringLength(max = 200) String id) {
    if (!id.matches("[A-Za-z0-9_-]{16,128}")) {
      assertThatExceptionOfType(MalformedPayment.class)
          .isThrownBy(() -> identifier(JSON.createObjectNode().put("id", id)));
    }
  }

  @Property(tries = 2000)
  @Tag("spec:x402.malformed")
  void anyJsonAsAnExtensionIsReadOrMalformed(@ForAll("values") String value) {
    String envelope =
        Envelopes.VALID.replace(
            "\"extensions\":{}", "\"extensions\":{\"payment-identifier\":" + value + "}");

    try {
      Optional<String> id = PaymentIdentifier.of(Envelopes.read(envelope));
      assertThat(id).isEmpty();
    } catch (MalformedPayment e) {
      assertThat(e).hasMessageEndingWith(".");
    }
  }

  @Provide
  Arbitrary<String> networks() {
    return Arbitraries.of(NETWORKS.keySet());
  }

  @Provide
  Arbitrary<String> identifiers() {
    return Arbitraries.strings()
        .withCharRange('a', 'z')
        .withCharRange('A', 'Z')
        .numeric()
        .withChars('_', '-')
        .ofMinLength(16)
        .ofMaxLength(128);
  }

  @Provide
  Arbitrary<String> values() {
    Arbitrary<String> scalar =
        Arbitraries.of("null", "true", "0", "-1e9", "\"\"", "\"abc\"", "[]", "{}", "[{}]", "1.5");
    return Arbitraries.oneOf(
        scalar,
        scalar.map(value -> "{\"info\":" + value + "}"),
        scalar.map(value -> "{\"info\":{\"id\":" + value + "}}"),
        scalar.map(value -> "{\"schema\":" + value + ",\"info\":{\"required\":" + value + "}}"));
  }

  private static Optional<String> identifier(ObjectNode info) {
    ObjectNode extension = JSON.createObjectNode();
    extension.set("info", info);
    String envelope =
        Envelopes.VALID.replace(
            "\"extensions\":{}", "\"extensions\":{\"payment-identifier\":" + extension + "}");
    return PaymentIdentifier.of(Envelopes.read(envelope));
  }

  private static ObjectNode versionOne(String network, String signature) {
    ObjectNode envelope = JSON.createObjectNode().put("x402Version", 1);
    envelope.put("scheme", "exact").put("network", network);
    envelope.putObject("payload").put("signature", signature);
    return envelope;
  }

  private static String encoded(ObjectNode envelope) {
    return Base64.getEncoder().encodeToString(envelope.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void assertReadOrMalformed(String header) {
    try {
      assertThat(PaymentPayload.read(header).payload().isObject()).isTrue();
    } catch (MalformedPayment e) {
      assertThat(e).hasMessageEndingWith(".");
    }
  }

  private static void assertMalformed(String header) {
    assertThatExceptionOfType(MalformedPayment.class).isThrownBy(() -> PaymentPayload.read(header));
  }
}

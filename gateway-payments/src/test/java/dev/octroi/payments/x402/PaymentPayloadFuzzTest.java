package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** Whatever a client sends is a payment or is malformed, and never anything else. */
class PaymentPayloadFuzzTest {

  @Property(tries = 2000)
  @Tag("spec:x402.malformed")
  void anyTextIsReadOrMalformed(@ForAll @StringLength(max = 200) String text) {
    assertReadOrMalformed(text);
    assertReadOrMalformed(Envelopes.base64(text));
  }

  @Property(tries = 2000)
  @Tag("spec:x402.malformed")
  void anyBytesAreReadOrMalformed(@ForAll @Size(max = 300) byte[] bytes) {
    assertReadOrMalformed(Envelopes.base64(bytes));
  }

  @Property(tries = 5000)
  @Tag("spec:x402.malformed")
  void aMutatedEnvelopeIsReadOrMalformed(
      @ForAll @IntRange(min = 0, max = 10_000) int at,
      @ForAll @IntRange(min = 0, max = 40) int cut,
      @ForAll @Size(max = 4) byte[] inserted) {
    byte[] valid = Envelopes.VALID.getBytes(StandardCharsets.UTF_8);
    int from = at % valid.length;
    int to = Math.min(valid.length, from + cut);
    byte[] mutated = new byte[from + inserted.length + valid.length - to];
    System.arraycopy(valid, 0, mutated, 0, from);
    System.arraycopy(inserted, 0, mutated, from, inserted.length);
    System.arraycopy(valid, to, mutated, from + inserted.length, valid.length - to);

    assertReadOrMalformed(Envelopes.base64(mutated));
  }

  private static void assertReadOrMalformed(String header) {
    try {
      PaymentPayload payment = PaymentPayload.read(header);
      assertThat(payment.payload().isObject()).isTrue();
    } catch (MalformedPayment e) {
      assertThat(e).hasMessageEndingWith(".");
    }
  }
}

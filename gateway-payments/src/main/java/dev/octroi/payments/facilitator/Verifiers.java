package dev.octroi.payments.facilitator;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which facilitator verified a payment, so that the same one settles it. Bounded; thread-safe.
 *
 * <p>What is lost here is no harm: the facilitator that settles verifies again, and only one is
 * ever asked to.
 */
final class Verifiers {

  private static final int MAX = 16_384;

  private final Map<String, RemoteFacilitator> verifiers =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RemoteFacilitator> eldest) {
          return size() > MAX;
        }
      };

  void verified(PaymentPayload payload, RemoteFacilitator by) {
    String key = key(payload);
    synchronized (verifiers) {
      verifiers.put(key, by);
    }
  }

  @Nullable RemoteFacilitator take(PaymentPayload payload) {
    String key = key(payload);
    synchronized (verifiers) {
      return verifiers.remove(key);
    }
  }

  private static String key(PaymentPayload payload) {
    return Sha256.hex(payload.envelope());
  }
}

package dev.octroi.payments.evm.permit2;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.PaymentPayload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An extension of the protocol by which a payer brings what lets Permit2 move its token.
 *
 * @param name in challenges and payments
 * @param prefix of the reasons for what does not belong to the payment
 * @param description as challenges state it
 * @param members that a payer's part must have
 */
record SponsoringExtension(String name, String prefix, String description, List<String> members) {

  private static final String VERSION = "1";

  /** What challenges announce. */
  Extensions announced() {
    return Extensions.of(
        Map.of(
            name,
            Map.of(
                "info",
                Map.of("description", description, "version", VERSION),
                "schema",
                Map.of("type", "object", "required", members))));
  }

  /** The payer's part; empty where a client has nothing to add to what was announced. */
  Optional<JsonNode> info(PaymentPayload payment) {
    JsonNode extensions = payment.extensions();
    return Optional.ofNullable(extensions)
        .map(all -> all.path(name).path("info"))
        .filter(info -> members.stream().allMatch(info::hasNonNull));
  }

  /** Whether what was announced came back unchanged. */
  boolean isEchoed(JsonNode info) {
    return info.path("description").asText().equals(description)
        && info.path("version").asText().equals(VERSION);
  }

  /** Why the payer's part does not belong to the permit that it comes with; null if it does. */
  @Nullable String mismatch(JsonNode info, Permitted paid) {
    boolean isPayer = PayloadFields.address(info, "from").equals(paid.from());
    boolean isAsset = PayloadFields.address(info, "asset").equals(paid.token());
    boolean isPermit2 = PayloadFields.address(info, "spender").equals(Permit2.ADDRESS);
    if (!isPayer) {
      return prefix + "from_mismatch";
    }
    if (!isAsset) {
      return prefix + "asset_mismatch";
    }
    return isPermit2 ? null : prefix + "spender_not_permit2";
  }
}

package dev.octroi.payments.x402;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** In which version of the protocol the body of a 402 is written; its header is always v2. */
public enum ChallengeBody {
  V2 {
    @Override
    void open(StringBuilder json, String error, ResourceInfo resource, OffersNow.Priced offered) {
      json.append("{\"x402Version\":2,\"error\":");
      Json.string(json, error);
      json.append(",\"resource\":");
      resource.appendTo(json);
      json.append(",\"accepts\":").append(offered.json());
    }
  },

  /**
   * For fleets of clients that know v1 alone; what v1 cannot name is left out: networks, and
   * transfer methods.
   */
  V1 {
    @Override
    void open(StringBuilder json, String error, ResourceInfo resource, OffersNow.Priced offered) {
      json.append("{\"x402Version\":1,\"error\":");
      Json.string(json, error);
      json.append(",\"accepts\":[");
      String separator = "";
      for (PaymentRequirements offer : offered.accepts()) {
        String network = FormerNetwork.word(offer.network()).orElse(null);
        if (network != null && !offer.namesTransferMethod() && !offer.isChannel()) {
          json.append(separator);
          offer(json, offer, network, resource);
          separator = ",";
        }
      }
      json.append(']');
    }
  };

  /** Writes the object's members up to its offers, without the closing brace. */
  abstract void open(
      StringBuilder json, String error, ResourceInfo resource, OffersNow.Priced offered);

  private static void offer(
      StringBuilder json, PaymentRequirements offer, String network, ResourceInfo resource) {
    // Clients of v1 refuse an offer without a description or a media type, whatever they contain.
    List<Map.Entry<String, String>> members =
        List.of(
            Map.entry("scheme", offer.scheme()),
            Map.entry("network", network),
            Map.entry("maxAmountRequired", offer.amount()),
            Map.entry("resource", resource.url()),
            Map.entry("description", orElse(resource.description(), "")),
            Map.entry("mimeType", orElse(resource.mimeType(), "application/json")),
            Map.entry("payTo", offer.payTo()),
            Map.entry("asset", offer.asset()));
    String separator = "{\"";
    for (Map.Entry<String, String> member : members) {
      json.append(separator).append(member.getKey()).append("\":");
      Json.string(json, member.getValue());
      separator = ",\"";
    }
    json.append(",\"outputSchema\":{},\"maxTimeoutSeconds\":").append(offer.maxTimeoutSeconds());
    if (offer.extra() != null) {
      json.append(",\"extra\":").append(Json.write(offer.extra()));
    }
    json.append('}');
  }

  private static String orElse(@Nullable String text, String absent) {
    return text == null ? absent : text;
  }
}

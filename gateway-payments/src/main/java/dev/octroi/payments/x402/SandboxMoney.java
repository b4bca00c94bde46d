package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Our extension {@code sandbox}: a challenge says on which of its networks the money is worthless,
 * so that a payer sees it whatever application stands around the payments.
 */
public final class SandboxMoney {

  private static final String EXTENSION = "sandbox";
  private static final String NETWORKS = "networks";

  private static final Map<String, Object> SCHEMA =
      Map.of("type", "object", "required", List.of(NETWORKS));

  private SandboxMoney() {}

  /**
   * What challenges announce of it; nothing without such a network.
   *
   * @param networks CAIP-2 ids
   */
  public static Extensions announced(Collection<String> networks) {
    return networks.isEmpty()
        ? Extensions.NONE
        : Extensions.of(
            Map.of(
                EXTENSION,
                Map.of(
                    "info",
                    Map.of(NETWORKS, networks.stream().sorted().toList()),
                    "schema",
                    SCHEMA)));
  }

  /** Whether a challenge says that the money of a network is worthless. */
  public static boolean isOn(PaymentRequired challenge, String network) {
    if (challenge.extensions() == null) {
      return false;
    }
    JsonNode networks = challenge.extensions().path(EXTENSION).path("info").path(NETWORKS);
    return StreamSupport.stream(networks.spliterator(), false)
        .anyMatch(named -> named.isTextual() && named.textValue().equals(network));
  }
}

package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One way to pay that a facilitator settles, as {@code /supported} lists it.
 *
 * @param x402Version the version of the protocol in which it is asked
 * @param scheme such as {@code exact}
 * @param network CAIP-2 id, or the short name of version 1
 * @param extra what an offer says besides, such as {@code feePayer}; text members only
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SupportedKind(
    int x402Version, String scheme, String network, @Nullable Map<String, String> extra) {

  /** Whether it settles the exact scheme on a network, in a version that is spoken here. */
  public boolean settlesOn(String caip2) {
    return scheme.equals(PaymentOption.EXACT)
        && switch (x402Version) {
          case 1 -> FormerNetwork.word(caip2).filter(network::equals).isPresent();
          case 2 -> network.equals(caip2);
          default -> false;
        };
  }
}

package dev.octroi.api.openapi;

import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who may call what: by paying, by a key, or by a token of the house. */
final class Security {

  private static final String PAYMENT = "x402";
  private static final String BEARER = "apiKey";
  private static final String HEADER = "xApiKey";
  private static final String OPERATOR = "operatorToken";
  private static final String FACILITATOR = "facilitatorToken";

  private Security() {}

  static Map<String, SecurityScheme> schemes() {
    Map<String, SecurityScheme> schemes = new LinkedHashMap<>();
    schemes.put(
        PAYMENT,
        inHeader("PAYMENT-SIGNATURE")
            .description(
                "A signed payment (x402 version 2) for one entry of the challenge's `accepts`: base64"
                    + " of its JSON, one call each. x402 clients set it by themselves; version 1"
                    + " sends `X-PAYMENT`."));
    schemes.put(
        BEARER,
        bearer("An API key, which begins `sk-`: the gateway pays from the key's own wallet."));
    schemes.put(
        HEADER, inHeader("x-api-key").description("The same key, as some vendors' SDKs send it."));
    schemes.put(OPERATOR, bearer("The operator's token, `gateway.admin.token`."));
    schemes.put(FACILITATOR, bearer("A server's token, `gateway.facilitator.served`."));
    return schemes;
  }

  /** The ways in, any of which will do; an empty one is none at all. */
  static List<SecurityRequirement> of(Route route) {
    if (route.isPaid()) {
      return paying();
    }
    if (route.isBound("OperatorOnly")) {
      return any(OPERATOR);
    }
    if (route.isBound("FacilitatorOnly")) {
      return any(FACILITATOR);
    }
    if (route.isBound("OwnerOnly") || route.isBound("OwnerOrWallet")) {
      return any(BEARER, HEADER);
    }
    return route.isBound("OwnerIfAny") ? any(PAYMENT, BEARER, HEADER) : List.of();
  }

  /** The ways in to what is sold. */
  static List<SecurityRequirement> paying() {
    return any(PAYMENT, BEARER, HEADER);
  }

  static boolean isOpen(Route route) {
    return of(route).isEmpty();
  }

  private static List<SecurityRequirement> any(String... schemes) {
    return List.of(schemes).stream().map(name -> new SecurityRequirement().addList(name)).toList();
  }

  private static SecurityScheme inHeader(String name) {
    return new SecurityScheme()
        .type(SecurityScheme.Type.APIKEY)
        .in(SecurityScheme.In.HEADER)
        .name(name);
  }

  private static SecurityScheme bearer(String about) {
    return new SecurityScheme().type(SecurityScheme.Type.HTTP).scheme("bearer").description(about);
  }
}

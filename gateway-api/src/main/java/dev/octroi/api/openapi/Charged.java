package dev.octroi.api.openapi;

import io.swagger.v3.oas.models.headers.Header;
import java.util.Map;

/** The headers of an answer that was paid for. */
final class Charged {

  static final Map<String, Header> HEADERS =
      Map.of(
          "X-Price-Amount", header("What was charged, in dollars with six places."),
          "X-Price-Currency", header("`USD`."),
          "PAYMENT-RESPONSE",
              header("The settlement, as base64 of its JSON, of a signed payment."));

  private Charged() {}

  private static Header header(String about) {
    return new Header().description(about).schema(RecordSchemas.ofType("string"));
  }
}

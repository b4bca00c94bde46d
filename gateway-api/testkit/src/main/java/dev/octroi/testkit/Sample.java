package dev.octroi.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;

/**
 * What is declared for an endpoint in {@code cryptodata.json} or {@code prediction.json}.
 *
 * @param price in dollars, transcribed from the specification
 * @param example arguments by name that answer 200 (see {@link Examples} for their forms)
 * @param check what the answer must mean
 * @param schema JSON Schema of the answer without the charge
 */
record Sample(BigDecimal price, JsonNode example, RowCheck check, JsonNode schema) {

  static Sample of(JsonNode declared) {
    return new Sample(
        new BigDecimal(declared.required("price").textValue()),
        declared.required("example"),
        RowChecks.of(declared.required("check")),
        declared.required("schema"));
  }

  /** Whether the answer has a price of its own, beside which the charge is told in headers only. */
  boolean hasOwnPrice() {
    return schema.path("properties").has("price");
  }
}

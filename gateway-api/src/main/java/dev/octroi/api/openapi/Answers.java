package dev.octroi.api.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import io.swagger.v3.oas.models.media.JsonSchema;
import java.util.Locale;
import java.util.Optional;

/**
 * The schemas of answers that no record of ours describes: what the sandbox's answers to the
 * examples have, from {@code answers.json}. A member may be missing or null, for they are a
 * vendor's.
 */
public final class Answers {

  /** The schema of which nothing is known. */
  static final JsonSchema UNKNOWN = ErrorResponses.reference("UpstreamAnswer");

  private static final ObjectNode KNOWN = OpenApiJson.resource("answers.json");

  private Answers() {}

  static boolean isKnown(String operationId) {
    return KNOWN.has(operationId);
  }

  /** The name of the schema of an operation's answer. */
  static String name(String operationId) {
    return operationId + "_answer";
  }

  /** The schema of a read's answer, by itself; empty where nothing is known of it. */
  public static Optional<ObjectNode> of(Operation sold) {
    return sold.row()
        .read()
        .map(
            read ->
                KNOWN.path(sold.row().group().word() + "_" + read.name().toLowerCase(Locale.ROOT)))
        .filter(ObjectNode.class::isInstance)
        .map(
            known -> {
              ObjectNode alone = known.deepCopy();
              if (alone.at("/properties/price").has("$ref")) {
                alone.withObject("/properties/price").removeAll().put("type", "object");
              }
              return alone;
            });
  }

  /** Adds the schemas that a document refers to. */
  static void add(ObjectNode schemas, String document) {
    KNOWN
        .properties()
        .forEach(
            known -> {
              if (document.contains("/" + name(known.getKey()) + "\"")) {
                schemas.set(name(known.getKey()), known.getValue());
              }
            });
  }
}

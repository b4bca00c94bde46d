package dev.octroi.api.openapi;

import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.openapi.ApiDocument.Chapter;
import dev.octroi.services.ErrorCode;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a call may be refused with: each answer is written once per chapter and referred to. */
final class ErrorResponses {

  private static final String JSON = "application/json";

  /** The statuses of the protocol and of HTTP, whatever is asked. */
  private static final Map<Integer, String> MEANINGS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(400, "The request, or a payment's envelope, is malformed."),
              Map.entry(401, "An API key that is unknown, revoked or expired."),
              Map.entry(403, "The key may not do this, its limit is spent, or it is refused."),
              Map.entry(404, "There is no such thing."),
              Map.entry(405, "Another method is served on this path; see `Allow`."),
              Map.entry(408, "The query ran for over 30 seconds."),
              Map.entry(409, "The same payment is in flight, or there is a conflict."),
              Map.entry(413, "The body is too large."),
              Map.entry(415, "The body is not of a media type that is taken."),
              Map.entry(422, "An address could not be fetched."),
              Map.entry(429, "Too many requests; see `Retry-After`."),
              Map.entry(431, "The payment header is over 16 KiB."),
              Map.entry(500, "Unexpected failure."),
              Map.entry(502, "The upstream failed; nothing is charged."),
              Map.entry(
                  503, "Not available now, or the payment's outcome is unknown: send it again.")));

  private final Map<String, ApiResponse> written = new TreeMap<>();

  /** What was referred to, by name. */
  Map<String, ApiResponse> written() {
    return written;
  }

  /** A reference to the refusal of a status in a chapter. */
  ApiResponse of(Chapter chapter, int status) {
    String name = chapter.word() + "-" + status;
    written.computeIfAbsent(name, absent -> response(chapter, status));
    return new ApiResponse().$ref("#/components/responses/" + name);
  }

  /** A reference to the challenge. */
  ApiResponse challenge() {
    written.computeIfAbsent("payment-required", absent -> paymentRequired());
    return new ApiResponse().$ref("#/components/responses/payment-required");
  }

  /** A reference to what an upstream refuses with in its own words. */
  ApiResponse passedThrough() {
    written.computeIfAbsent(
        "upstream-error",
        absent ->
            new ApiResponse()
                .description("The upstream's own error, of whatever status; nothing is charged.")
                .content(json(reference("UpstreamError"))));
    return new ApiResponse().$ref("#/components/responses/upstream-error");
  }

  private static ApiResponse response(Chapter chapter, int status) {
    String codes =
        chapter.codes(status).stream()
            .map(ErrorCode::code)
            .map(code -> "`" + code + "`")
            .collect(Collectors.joining(", "));
    String meaning = String.valueOf(MEANINGS.get(status));
    ApiResponse response =
        new ApiResponse()
            .description(codes.isEmpty() ? meaning : meaning + " Codes: " + codes + ".")
            .content(json(schema(chapter)));
    if (status == 429 || status == 503 || status == 409) {
      response.addHeaderObject(
          "Retry-After",
          new Header().description("Seconds to wait.").schema(RecordSchemas.ofType("integer")));
    }
    return response;
  }

  /** A group's own shape, or the flat one of the gateway itself. */
  private static JsonSchema schema(Chapter chapter) {
    JsonSchema flat = reference("FlatError");
    if (chapter.group().isEmpty()) {
      return flat;
    }
    JsonSchema any = new JsonSchema();
    any.addAnyOfItem(reference(named(chapter.group().get().profile().errors())));
    any.addAnyOfItem(flat);
    if (chapter.group().get().passesErrors()) {
      any.addAnyOfItem(reference("UpstreamError"));
    }
    return any;
  }

  private static String named(ErrorShape shape) {
    return switch (shape) {
      case FLAT -> "FlatError";
      case NESTED -> "NestedError";
      case RELAY -> "RelayError";
      case MESSAGES -> "MessagesError";
    };
  }

  private static ApiResponse paymentRequired() {
    JsonSchema either = new JsonSchema();
    either.addAnyOfItem(reference("PaymentRequired"));
    either.addAnyOfItem(reference("PaymentRequiredV1"));
    return new ApiResponse()
        .description(
            "The challenge (x402): what the call costs and how it may be paid. Sign one entry of"
                + " `accepts` and send the call again with `PAYMENT-SIGNATURE`.")
        .content(json(either))
        .headers(
            Map.of(
                "PAYMENT-REQUIRED",
                new Header()
                    .description("The same challenge, as base64 of its JSON.")
                    .schema(RecordSchemas.ofType("string"))));
  }

  static Content json(JsonSchema schema) {
    return new Content().addMediaType(JSON, new MediaType().schema(schema));
  }

  static JsonSchema reference(String schema) {
    JsonSchema reference = new JsonSchema();
    reference.set$ref("#/components/schemas/" + schema);
    return reference;
  }
}

package dev.octroi.sandbox.language;

import java.util.Locale;

/** The errors that a prompt can ask for by {@code fail with <word>}. */
enum VendorError {
  INVALID_REQUEST(400, "invalid_value", "The request is not valid"),
  CONTEXT_LENGTH(
      400, "context_length_exceeded", "prompt is too long: 200001 tokens > 200000 maximum"),
  CONTENT_FILTER(400, "content_policy_violation", "The request was rejected by the content filter"),
  AUTHENTICATION(401, "invalid_api_key", "Incorrect API key provided"),
  PERMISSION(403, "permission_denied", "The key may not use this model"),
  NOT_FOUND(404, "model_not_found", "The model does not exist"),
  TOO_LARGE(413, "request_too_large", "The request is too large"),
  RATE_LIMIT(429, "rate_limit_exceeded", "Rate limit reached"),
  QUOTA(429, "insufficient_quota", "You exceeded your current quota"),
  SERVER_ERROR(500, "server_error", "The server had an error"),
  UNAVAILABLE(503, "service_unavailable", "The engine is currently overloaded"),
  TIMEOUT(504, "timeout", "The request timed out"),
  OVERLOADED(529, "overloaded", "Overloaded");

  private final int status;
  private final String code;
  private final String message;

  VendorError(int status, String code, String message) {
    this.status = status;
    this.code = code;
    this.message = message;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  String message() {
    return message;
  }
}

package dev.octroi.services;

/**
 * Every error that the gateway itself makes, with its status (specification, service error codes).
 */
public enum ErrorCode {
  INVALID_PAIR(400, "invalid_pair"),
  INVALID_PARAMS(400, "invalid_params"),
  INVALID_ADDRESS(400, "invalid_address"),
  INVALID_URL(400, "invalid_url"),
  INVALID_PHONE_NUMBER(400, "invalid_phone_number"),
  QUERY_TOO_LONG(400, "query_too_long"),
  SQL_SYNTAX_ERROR(400, "sql_syntax_error"),
  MODEL_NOT_FOUND(400, "model_not_found"),
  CONTENT_FILTERED(400, "content_policy_violation"),
  CONTEXT_LENGTH_EXCEEDED(400, "context_length_exceeded"),
  NOT_FOUND(404, "not_found"),
  MARKET_NOT_FOUND(404, "market_not_found"),
  MARKET_CLOSED(404, "market_closed"),
  NUMBER_NOT_OWNED(404, "number_not_owned"),
  CALL_NOT_FOUND(404, "call_not_found"),
  QUERY_TIMEOUT(408, "query_timeout"),
  NUMBER_UNAVAILABLE(409, "number_unavailable"),
  CALL_NOT_ACTIVE(409, "call_not_active"),
  URL_UNREACHABLE(422, "url_unreachable"),
  RATE_LIMITED(429, "rate_limited"),
  CALL_FAILED(500, "call_failed"),
  INTERNAL(500, "internal_error"),
  NOT_OFFERED(501, "not_offered"),
  UPSTREAM_FAILED(502, "upstream_failed"),
  UPSTREAM_UNAVAILABLE(503, "upstream_unavailable"),
  SMS_UNAVAILABLE(503, "sms_unavailable"),
  PRICE_UNAVAILABLE(503, "price_unavailable");

  private final int status;
  private final String code;

  ErrorCode(int status, String code) {
    this.status = status;
    this.code = code;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }
}

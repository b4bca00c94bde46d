package dev.octroi.sandbox.cryptodata;

/** A request that the vendor refuses, with what its error object says. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;

  Refusal(int status, String code, String message) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
  }

  /** The entity does not exist. */
  static Refusal notFound(String what) {
    return new Refusal(404, "NOT_FOUND", what + " not found");
  }

  /** A parameter is missing or of the wrong form. */
  static Refusal badRequest(String message) {
    return new Refusal(400, "BAD_REQUEST", message);
  }

  /** A parameter is out of range or none of the allowed values. */
  static Refusal invalid(String message) {
    return new Refusal(422, "VALIDATION_ERROR", message);
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }
}

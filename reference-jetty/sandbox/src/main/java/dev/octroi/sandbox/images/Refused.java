package dev.octroi.sandbox.images;

/** A request that the vendor answers by 400. */
final class Refused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String code;

  Refused(String code, String message) {
    super(message);
    this.code = code;
  }

  static Refused wrong(String parameter, String message) {
    return new Refused("invalid_value", parameter + ": " + message);
  }

  String code() {
    return code;
  }
}

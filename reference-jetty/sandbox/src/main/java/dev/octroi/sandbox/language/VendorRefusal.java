package dev.octroi.sandbox.language;

/** A request that the vendor answers by an error. */
final class VendorRefusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String parameter;
  private final String code;

  VendorRefusal(int status, String parameter, String code, String message) {
    super(message);
    this.status = status;
    this.parameter = parameter;
    this.code = code;
  }

  static VendorRefusal missing(String parameter) {
    return new VendorRefusal(
        400, parameter, "missing_required_parameter", parameter + ": Field required");
  }

  static VendorRefusal wrong(String parameter, String message) {
    return new VendorRefusal(400, parameter, "invalid_value", parameter + ": " + message);
  }

  int status() {
    return status;
  }

  /** Empty where the request as a whole is refused. */
  String parameter() {
    return parameter;
  }

  String code() {
    return code;
  }

  String message() {
    String message = getMessage();
    return message == null ? code : message;
  }
}

package dev.octroi.sandbox.formula;

/** A call that a vendor refuses. Each vendor gives it a shape of its own. */
public final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String parameter;

  private Refusal(int status, String code, String parameter, String message) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.parameter = parameter;
  }

  /**
   * @param code the vendor's word for it
   */
  public Refusal(int status, String code, String message) {
    this(status, code, "", message);
  }

  /** The thing does not exist. */
  public static Refusal notFound(String what) {
    return new Refusal(404, "NOT_FOUND", what + " not found");
  }

  /** A parameter is missing, or what is asked for makes no sense. */
  public static Refusal badRequest(String message) {
    return new Refusal(400, "BAD_REQUEST", message);
  }

  /**
   * A parameter is of the wrong form, out of range or none of the allowed values.
   *
   * @param code what is wrong with it
   */
  public static Refusal invalid(String parameter, String code, String message) {
    return new Refusal(422, code, parameter, message);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  /** The parameter that is refused; empty where it is not one. */
  public String parameter() {
    return parameter;
  }
}

package dev.octroi.services.language;

/** A caller's body that cannot be served: 400, naming the member. */
public final class InvalidPrompt extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String member;

  /**
   * @param member where the fault is, such as {@code messages[2].role}; empty for the whole body
   * @param message for the caller; holds nothing of the inside
   */
  public InvalidPrompt(String member, String message) {
    super(message);
    this.member = member;
  }

  public String member() {
    return member;
  }

  /** The fault as every protocol can tell it. */
  public Problem problem() {
    String message = String.valueOf(getMessage());
    return new Problem(Problem.Kind.INVALID_REQUEST, 400, message, member, "invalid_params");
  }
}

package dev.octroi.payments;

/**
 * Ends a call with an answer in place of its method's: thrown by payments themselves, and by a
 * {@link Tariff} or an {@link Admission} of any host.
 */
public final class CallRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient HttpAnswer answer;

  public CallRefused(HttpAnswer answer) {
    // Without a stack trace: refusing is the commonest thing that payments do.
    super(null, null, false, false);
    this.answer = answer;
  }

  /** What the caller is told. */
  public HttpAnswer answer() {
    return answer;
  }
}

package dev.octroi.reference.cli;

/** What a command's exit code tells a script. Documented in the module's README. */
final class ExitCode {

  static final int OK = 0;

  /** The command itself failed: no connection, unreadable answer, invalid settings. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** The gateway refused the request or could not serve it; nothing was charged. */
  static final int NOT_SERVED = 3;

  /** The price is above {@code --max}; nothing was signed. */
  static final int TOO_EXPENSIVE = 4;

  /** The payment was refused; nothing was charged. */
  static final int PAYMENT_REFUSED = 5;

  /** Not known yet whether the payment settled: the same payment may be sent again. */
  static final int IN_DOUBT = 6;

  /** The books differ somewhere. */
  static final int DIFFERENT = 7;

  private ExitCode() {}
}

package dev.octroi.reference.cli;

/** The gateway does not do what the operator asked for. */
final class AdminRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  AdminRefused(int status, String sentence) {
    super("refused (" + status + "): " + sentence);
  }
}

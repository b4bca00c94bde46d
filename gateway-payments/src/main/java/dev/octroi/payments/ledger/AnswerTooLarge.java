package dev.octroi.payments.ledger;

/**
 * An answer exceeds what the ledger stores; it is thrown before anything is charged, and the claim
 * is still held: release it.
 */
public final class AnswerTooLarge extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public AnswerTooLarge(int bytes, int limit) {
    super("an answer of " + bytes + " bytes exceeds the " + limit + " that are stored");
  }
}

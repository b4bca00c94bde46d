package dev.octroi.payments.books;

/**
 * One place where the books disagree.
 *
 * @param check the word of the rule that is broken
 * @param subject what it is about: a payment's id, or an account's
 * @param stated what one side says
 * @param found what the other says
 */
public record Difference(String check, String subject, String stated, String found) {

  @Override
  public String toString() {
    return check + " " + subject + ": " + stated + ", but " + found;
  }
}

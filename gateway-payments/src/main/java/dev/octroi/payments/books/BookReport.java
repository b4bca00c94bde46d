package dev.octroi.payments.books;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a verification of the books found.
 *
 * @param at the moment for which it holds; what moved later was not looked at
 * @param closedBefore before when lines are carried over to opening balances and no longer compared
 *     with their payments; empty if nothing was closed yet
 * @param payments how many settled payments were compared with their journal lines
 * @param lines how many journal lines there are
 * @param proven how many settled payments a chain has proven
 * @param unproven how many no chain could be asked about, or could not yet prove
 * @param channels how many channels were compared with their contract
 * @param differences the first of them, at most as many as were asked for
 * @param hasMore whether there are more
 */
public record BookReport(
    Instant at,
    Optional<Instant> closedBefore,
    long payments,
    long lines,
    long proven,
    long unproven,
    long channels,
    List<Difference> differences,
    boolean hasMore) {

  public BookReport {
    differences = List.copyOf(differences);
  }

  /** Whether nothing disagrees. */
  public boolean isClean() {
    return differences.isEmpty();
  }

  /**
   * One place where the books disagree.
   *
   * @param check the word of the rule that is broken
   * @param subject what it is about: the id of a payment, an account or a channel
   * @param stated what one side says
   * @param found what the other says
   */
  public record Difference(String check, String subject, String stated, String found) {

    @Override
    public String toString() {
      return check + " " + subject + ": " + stated + ", but " + found;
    }
  }
}

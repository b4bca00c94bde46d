package dev.octroi.payments.ledger;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What it takes to settle answers that left before they were paid for, kept until their payments
 * have ended, so that any node can settle what another one did not come to. Thread-safe; throws
 * {@link LedgerUnavailable}.
 */
public interface DeferredSettlements {

  /**
   * Notes that the answer of a claim of this node leaves before it is paid for; durable before it
   * begins to.
   */
  void leaving(Claim claim);

  /**
   * What answers that left before they were paid for come to, on all nodes, in millionths of a
   * dollar: those that are leaving by their ceilings, those that were not paid for yet by their
   * charges, and those that were not paid for in the end, for a day.
   */
  long owed();

  /**
   * Keeps it for a claim of this node, durable before the payment begins to settle.
   *
   * @param order what is settled, in the caller's form; at most 40,000 characters
   * @param askAt from when on other nodes may settle it
   */
  void keep(Claim claim, String order, Instant askAt);

  /** Those that are to be settled by now, of payments that have begun to and have not ended. */
  List<DeferredSettlement> due(Instant now, int most);

  /** It is due again at this moment, unless its payment has ended by then. */
  void later(DeferredSettlement settlement, Instant at);

  /** Forgets those whose payments have ended, and after a day those of losses; how many. */
  int forget();

  /**
   * One settlement.
   *
   * @param order what is settled, as it was kept
   */
  record DeferredSettlement(UUID payment, int attempt, String order) {}
}

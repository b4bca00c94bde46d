package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerSettings.ReplayLimits;
import dev.octroi.payments.ledger.SignInNonces;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Update;

/** Deletes what has outlived its use, in chunks that no writer has to wait for. */
record Retention(Jdbi database, LedgerSettings settings, Clock clock) {

  private static final int CHUNK = 500;
  private static final int CHUNKS_A_RUN = 20;

  /** As long as it is unresolved whether an answer was paid for, it may still be owed. */
  private static final String ANSWERS =
      """
      DELETE FROM stored_answer WHERE payment_id IN (
        SELECT a.payment_id FROM stored_answer a
        WHERE a.stored_at < :before
          AND NOT EXISTS (SELECT 1 FROM doubt d WHERE d.payment_id = a.payment_id)
          AND NOT EXISTS (SELECT 1 FROM payment_identifier i WHERE i.payment_id = a.payment_id)
          AND (a.reader IS NULL OR a.stored_at < :kept)
        ORDER BY a.stored_at LIMIT :chunk)
      """;

  /**
   * What could still be presented, or is owed back, is kept, whatever its age. A payment that was
   * long in doubt is kept as long as its line in the journal.
   */
  private static final String PAYMENTS =
      """
      DELETE FROM payment WHERE id IN (
        SELECT p.id FROM payment p
        WHERE p.claimed_at < :before AND p.valid_before < :before AND p.state IN ('SETTLED', 'FAILED', 'RELEASED')
          AND (p.settled_at IS NULL OR p.settled_at < :before)
          AND NOT EXISTS (SELECT 1 FROM refund r WHERE r.payment_id = p.id AND r.state <> 'PAID')
        LIMIT :chunk)
      """;

  private static final String IDENTIFIERS =
      """
      DELETE FROM payment_identifier WHERE payment_id IN (
        SELECT payment_id FROM payment_identifier WHERE used_at < :before ORDER BY used_at LIMIT :chunk)
      """;

  /** The oldest answers go first, but none as long as it may still be owed. */
  private static final String EXCESS =
      """
      DELETE FROM stored_answer WHERE payment_id IN (
        SELECT k.payment_id FROM (
          SELECT a.payment_id, a.stored_at,
            SUM(a.size) OVER (ORDER BY a.stored_at DESC, a.payment_id) AS bytes,
            ROW_NUMBER() OVER (ORDER BY a.stored_at DESC, a.payment_id) AS place
          FROM stored_answer a
          WHERE a.reader IS NOT NULL
            OR EXISTS (SELECT 1 FROM payment_identifier i WHERE i.payment_id = a.payment_id)) k
        WHERE (k.bytes > %d OR k.place > %d) AND k.stored_at < :before
          AND NOT EXISTS (SELECT 1 FROM doubt d WHERE d.payment_id = k.payment_id) LIMIT :chunk)
      """;

  /** Its message is refused by its age long before. */
  private static final String NONCES =
      """
      DELETE FROM sign_in_nonce WHERE nonce IN (
        SELECT nonce FROM sign_in_nonce WHERE used_at < :before ORDER BY used_at LIMIT :chunk)
      """;

  private static final String USAGE =
      """
      DELETE FROM key_usage WHERE (key_id, on_day, scope) IN (
        SELECT key_id, on_day, scope FROM key_usage WHERE on_day < CAST(:before AS DATE) LIMIT :chunk)
      """;

  /**
   * An effect of unknown outcome is kept, whatever its age, and any other as long as its payment:
   * what may run again must find what was done (money rule 6).
   */
  private static final String EFFECTS =
      """
      DELETE FROM effect WHERE id IN (
        SELECT e.id FROM effect e WHERE e.outcome <> 'UNKNOWN' AND e.closed_at < :before
          AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.id = e.payment_id) LIMIT :chunk)
      """;

  /** As long as its line is there, it is known by this row that the line is of no sale. */
  private static final String TRANSFERS =
      """
      DELETE FROM netting WHERE id IN (
        SELECT id FROM netting
        WHERE closed_at < :before AND closed_at < (SELECT closed_before FROM journal_closing WHERE id = 1) LIMIT :chunk)
      """;

  /** What a chain has decided, or replaced, and no authorization can be sent again by. */
  private static final String RELAYED_PAYMENTS =
      """
      DELETE FROM chain_tx_payment WHERE hash IN (
        SELECT hash FROM chain_tx
        WHERE state IN ('FINAL', 'REPLACED') AND created_at < :before AND good_until < :before LIMIT :chunk)
      """;

  private static final String RELAYED =
      """
      DELETE FROM chain_tx WHERE hash IN (
        SELECT t.hash FROM chain_tx t
        WHERE t.state IN ('FINAL', 'REPLACED') AND t.created_at < :before AND t.good_until < :before
          AND NOT EXISTS (SELECT 1 FROM chain_tx_payment p WHERE p.hash = t.hash) LIMIT :chunk)
      """;

  private static final String SPONSORED =
      """
      DELETE FROM solana_tx WHERE (network, message_hash) IN (
        SELECT network, message_hash FROM solana_tx
        WHERE state IN ('LANDED', 'DEAD') AND stored_at < :before LIMIT :chunk)
      """;

  /** Who kept what it was given is remembered for good. */
  private static final String APPROVALS =
      """
      DELETE FROM sponsored_approval WHERE (network, payer, token) IN (
        SELECT network, payer, token FROM sponsored_approval
        WHERE state = 'DONE' AND given_at < :before LIMIT :chunk)
      """;

  private static final String DEPOSITS =
      """
      DELETE FROM channel_deposit WHERE (network, channel, nonce) IN (
        SELECT network, channel, nonce FROM channel_deposit WHERE at < :before LIMIT :chunk)
      """;

  void run() {
    Instant now = clock.instant();
    ReplayLimits replays = settings.replays();
    delete(IDENTIFIERS, now.minus(replays.time()));
    delete(
        EXCESS.formatted(replays.bytes(), replays.count()), now.minus(settings.answerRetention()));
    deleteAnswers(now);
    delete(NONCES, now.minus(SignInNonces.LIFE.multipliedBy(2)));
    Instant records = now.minus(settings.recordRetention());
    for (String old :
        List.of(
            TRANSFERS,
            RELAYED_PAYMENTS,
            RELAYED,
            SPONSORED,
            PAYMENTS,
            EFFECTS,
            USAGE,
            DEPOSITS,
            APPROVALS)) {
      delete(old, records);
    }
  }

  /** Those that are kept for wallets have the time of those with an identifier. */
  private void deleteAnswers(Instant now) {
    Instant kept = now.minus(settings.replays().time());
    delete(ANSWERS, now.minus(settings.answerRetention()), update -> update.bind("kept", kept));
  }

  private void delete(String sql, Instant before) {
    delete(sql, before, update -> update);
  }

  private void delete(String sql, Instant before, UnaryOperator<Update> more) {
    int deleted = CHUNK;
    for (int chunks = 0; deleted == CHUNK && chunks < CHUNKS_A_RUN; chunks++) {
      deleted =
          database.withHandle(
              handle ->
                  more.apply(handle.createUpdate(sql))
                      .bind("before", before)
                      .bind("chunk", CHUNK)
                      .execute());
    }
  }
}

package dev.octroi.payments.books;

import dev.octroi.payments.books.BookReport.Difference;

/**
 * What must hold between payments, journal and accounts, each as the query for what breaks it: rows
 * of a subject and what both sides say. {@code :kept} is the moment since which closed payments are
 * still there, {@code :closed} the one before which lines are carried over to opening balances.
 *
 * <p>Both sides of a rule are put in one list and summed up, where a join would do: H2 runs a query
 * that is joined again for each row.
 */
enum BookRule {
  /** A line that moves money from a payer to a seller belongs to a payment that has settled. */
  LINE_WITHOUT_PAYMENT(
      "line-without-payment",
      "the journal moves %s",
      "the payment's state is %s",
      """
      SELECT CAST(l.payment_id AS VARCHAR(36)), l.amount, COALESCE(CAST(p.state AS VARCHAR(16)), 'missing')
      FROM (SELECT j.payment_id, j.amount, j.at FROM journal j
        JOIN book_account d ON d.id = j.debit JOIN book_account c ON c.id = j.credit
        WHERE d.kind IN ('PAYER', 'DEBT') AND c.kind = 'SELLER') l
      LEFT JOIN payment p ON p.id = l.payment_id
      WHERE l.at >= :kept AND (p.id IS NULL OR p.state <> 'SETTLED')
      """),
  /** Both sides of a line are known, so that the journal as a whole sums up to nothing. */
  UNKNOWN_ACCOUNT(
      "unknown-account",
      "account %s gives",
      "account %s takes, and one of them is missing",
      """
      SELECT CAST(j.id AS VARCHAR(20)), j.debit, j.credit FROM journal j
      LEFT JOIN book_account d ON d.id = j.debit LEFT JOIN book_account c ON c.id = j.credit
      WHERE d.id IS NULL OR c.id IS NULL
      """),
  /** What was carried over is a balance of accounts that are known. */
  UNKNOWN_OPENING(
      "unknown-opening",
      "account %s is missing",
      "its opening balance is %s",
      """
      SELECT CAST(o.account AS VARCHAR(20)), o.account, o.amount FROM journal_opening o
      LEFT JOIN book_account a ON a.id = o.account WHERE a.id IS NULL
      """),
  /** Each line was carried over with both of its sides. */
  OPENING(
      "opening",
      "the opening balances sum up to %s",
      "they must come to %s",
      """
      SELECT 'journal', t.amount, 0
      FROM (SELECT COALESCE(SUM(amount), 0) AS amount FROM journal_opening) t WHERE t.amount <> 0
      """),
  /** A balance that this database keeps is the sum of its movements. */
  BALANCE(
      "balance",
      "the account holds %s",
      "its movements sum up to %s",
      """
      SELECT CAST(t.account AS VARCHAR(20)), SUM(t.balance), SUM(t.moved) FROM (
        SELECT id AS account, balance, 0 AS moved FROM book_account WHERE balance IS NOT NULL
        UNION ALL SELECT account, CAST(NULL AS BIGINT), amount FROM journal_opening
        UNION ALL SELECT credit, CAST(NULL AS BIGINT), amount FROM journal
        UNION ALL SELECT debit, CAST(NULL AS BIGINT), -amount FROM journal) t
      GROUP BY t.account HAVING COUNT(t.balance) > 0 AND SUM(t.balance) <> SUM(t.moved)
      """),
  /** What is reserved of a payer's money is the sum of its open claims, deposits and debts. */
  RESERVED(
      "reserved",
      "the account has %s reserved",
      "its open claims sum up to %s",
      """
      SELECT CAST(MAX(t.id) AS VARCHAR(20)), SUM(t.reserved), SUM(t.claimed) FROM (
        SELECT network, owner, asset, id, reserved, 0 AS claimed FROM book_account WHERE kind = 'PAYER'
        UNION ALL SELECT network, payer, asset, 0, 0, amount FROM payment WHERE state IN ('CLAIMED', 'SETTLING', 'IN_DOUBT')
        UNION ALL SELECT network, payer, asset, 0, 0, deposit FROM channel WHERE payment_id IS NOT NULL
        UNION ALL SELECT network, payer, asset, 0, 0, amount FROM owed WHERE netting_id IS NULL) t
      GROUP BY t.network, t.owner, t.asset
      HAVING MAX(t.id) > 0 AND SUM(t.reserved) <> SUM(t.claimed)
      """),
  /** No channel was charged more than its payer has signed. */
  CHANNEL(
      "channel",
      "the channel was charged %s",
      "its payer has signed %s",
      "SELECT terms, charged, signed FROM channel WHERE charged > signed"),

  /** What was given back is what the journal moved back (money rule 6). */
  REFUNDED(
      "refunded",
      "refunds of %s are paid",
      "the journal gives back %s",
      """
      SELECT CAST(t.payment_id AS VARCHAR(36)), SUM(t.paid), SUM(t.booked) FROM (
        SELECT payment_id, amount AS paid, 0 AS booked FROM refund
          WHERE state = 'PAID' AND closed_at >= :closed
        UNION ALL SELECT j.payment_id, 0, j.amount FROM journal j
          JOIN book_account d ON d.id = j.debit JOIN book_account c ON c.id = j.credit
          WHERE d.kind = 'SELLER' AND c.kind = 'PAYER' AND j.at >= :closed) t
      GROUP BY t.payment_id HAVING SUM(t.paid) <> SUM(t.booked)
      """),
  /** No payer gets back more than was paid. */
  REFUNDED_TOO_MUCH(
      "refunded-too-much",
      "refunds sum up to %s",
      "the payment brought %s",
      """
      SELECT CAST(r.payment_id AS VARCHAR(36)), r.amount, COALESCE(p.charged, p.amount)
      FROM (SELECT payment_id, SUM(amount) AS amount FROM refund GROUP BY payment_id) r
      JOIN payment p ON p.id = r.payment_id
      WHERE r.amount > COALESCE(p.charged, p.amount)
      """),
  /** A key's usage is the sum of what was settled with it. */
  KEY_USAGE(
      "key-usage",
      "the usage of the key is %s",
      "its settled payments sum up to %s",
      """
      SELECT CAST(t.key_id AS VARCHAR(36)), SUM(t.used), SUM(t.paid) FROM (
        SELECT key_id, on_day, spend AS used, 0 AS paid FROM key_usage
        UNION ALL SELECT key_id, CAST(claimed_at AT TIME ZONE 'UTC' AS DATE), 0,
            COALESCE(charged, amount)
          FROM payment WHERE state = 'SETTLED' AND key_id IS NOT NULL) t
      WHERE t.on_day > CAST(CAST(:kept AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'UTC' AS DATE)
      GROUP BY t.key_id HAVING SUM(t.used) <> SUM(t.paid)
      """),
  /** No more is taken off a key's usage than was refunded of its payments. */
  KEY_REFUNDED(
      "key-refunded",
      "the usage of the key was lessened by %s",
      "the refunds of its payments sum up to %s",
      """
      SELECT CAST(t.key_id AS VARCHAR(36)), SUM(t.taken), SUM(t.refunded) FROM (
        SELECT key_id, on_day, refunded AS taken, 0 AS refunded FROM key_usage
        UNION ALL SELECT p.key_id, CAST(p.claimed_at AT TIME ZONE 'UTC' AS DATE), 0, r.amount
          FROM refund r JOIN payment p ON p.id = r.payment_id WHERE p.key_id IS NOT NULL) t
      WHERE t.on_day > CAST(CAST(:kept AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'UTC' AS DATE)
      GROUP BY t.key_id HAVING SUM(t.taken) > SUM(t.refunded)
      """),
  /**
   * What a payer owes is what its calls on account came to, less what transfers paid for; what a
   * channel owes, what it was charged, less what was claimed.
   */
  DEBT(
      "debt",
      "the calls that are not paid for yet come to %s",
      "the journal's debt is %s",
      """
      SELECT CAST(MAX(t.id) AS VARCHAR(20)), SUM(t.owed), SUM(t.moved) FROM (
        SELECT network, owner, asset, id, 0 AS owed, 0 AS moved FROM book_account WHERE kind = 'DEBT'
        UNION ALL SELECT network, payer, asset, 0, amount, 0 FROM owed
        UNION ALL SELECT network, id, asset, 0, charged - claimed, 0 FROM channel
        UNION ALL SELECT a.network, a.owner, a.asset, 0, 0, -o.amount
          FROM journal_opening o JOIN book_account a ON a.id = o.account WHERE a.kind = 'DEBT'
        UNION ALL SELECT a.network, a.owner, a.asset, 0, 0, j.amount
          FROM journal j JOIN book_account a ON a.id = j.debit WHERE a.kind = 'DEBT'
        UNION ALL SELECT a.network, a.owner, a.asset, 0, 0, -j.amount
          FROM journal j JOIN book_account a ON a.id = j.credit WHERE a.kind = 'DEBT') t
      GROUP BY t.network, t.owner, t.asset HAVING MAX(t.id) > 0 AND SUM(t.owed) <> SUM(t.moved)
      """),
  /** The list of doubts stands in for an index on the state, so it must be complete. */
  DOUBT_NOT_LISTED(
      "doubt-not-listed",
      "the payment's state is %s",
      "the list of doubts names it %s times",
      """
      SELECT CAST(p.id AS VARCHAR(36)), p.state, 0 FROM payment p
      LEFT JOIN doubt d ON d.payment_id = p.id
      WHERE p.state = 'IN_DOUBT' AND d.payment_id IS NULL
      """),
  /** And nothing that has ended stands in it. */
  DOUBT_THAT_ENDED(
      "doubt-that-ended",
      "the list of doubts names it %s times",
      "the payment's state is %s",
      """
      SELECT CAST(d.payment_id AS VARCHAR(36)), 1, COALESCE(CAST(p.state AS VARCHAR(16)), 'missing') FROM doubt d
      LEFT JOIN payment p ON p.id = d.payment_id
      WHERE p.id IS NULL OR p.state NOT IN ('SETTLING', 'IN_DOUBT')
      """);

  private final String word;
  private final String stated;
  private final String found;
  private final String sql;

  BookRule(String word, String stated, String found, String sql) {
    this.word = word;
    this.stated = stated;
    this.found = found;
    this.sql = sql;
  }

  String sql() {
    return sql;
  }

  Difference broken(String subject, String one, String other) {
    return new Difference(word, subject, String.format(stated, one), String.format(found, other));
  }
}

package dev.octroi.payments.books;

/**
 * What must hold between payments, journal and accounts, each as the query for what breaks it: rows
 * of a subject and what both sides say. {@code :kept} is the moment since which closed payments are
 * still there.
 */
enum BookRule {
  /** A line that moves money from a payer to a seller belongs to a payment that has settled. */
  LINE_WITHOUT_PAYMENT(
      "line-without-payment",
      "the journal moves %d",
      "the payment's state is %d",
      """
      SELECT CAST(l.payment_id AS VARCHAR(36)), l.amount, COALESCE(p.state, 0)
      FROM (SELECT j.payment_id, j.amount, j.at FROM journal j
        JOIN book_account d ON d.id = j.debit JOIN book_account c ON c.id = j.credit
        WHERE d.kind = 1 AND c.kind = 2) l
      LEFT JOIN payment p ON p.id = l.payment_id
      WHERE l.at >= :kept AND (p.id IS NULL OR p.state <> 3)
      """),
  /** Both sides of a line are known, so that the journal as a whole sums up to nothing. */
  UNKNOWN_ACCOUNT(
      "unknown-account",
      "account %d gives",
      "account %d takes, and one of them is missing",
      """
      SELECT CAST(j.id AS VARCHAR(20)), j.debit, j.credit FROM journal j
      LEFT JOIN book_account d ON d.id = j.debit LEFT JOIN book_account c ON c.id = j.credit
      WHERE d.id IS NULL OR c.id IS NULL
      """),
  /** A balance that this database keeps is the sum of its movements. */
  BALANCE(
      "balance",
      "the account holds %d",
      "its movements sum up to %d",
      """
      SELECT CAST(a.id AS VARCHAR(20)), a.balance, COALESCE(m.moved, 0) FROM book_account a
      LEFT JOIN (SELECT t.account, SUM(t.amount) AS moved FROM (
          SELECT credit AS account, amount FROM journal
          UNION ALL SELECT debit, -amount FROM journal) t
        GROUP BY t.account) m ON m.account = a.id
      WHERE a.balance IS NOT NULL AND a.balance <> COALESCE(m.moved, 0)
      """),
  /** What is reserved of a payer's money is the sum of its open claims (money rule 8). */
  RESERVED(
      "reserved",
      "the account has %d reserved",
      "its open claims sum up to %d",
      """
      SELECT CAST(a.id AS VARCHAR(20)), a.reserved, COALESCE(o.amount, 0) FROM book_account a
      LEFT JOIN (SELECT network, payer, asset, SUM(amount) AS amount FROM payment
        WHERE state IN (1, 2, 6) GROUP BY network, payer, asset) o
        ON o.network = a.network AND o.payer = a.owner AND o.asset = a.asset
      WHERE a.kind = 1 AND a.reserved <> COALESCE(o.amount, 0)
      """),
  /** The list of doubts stands in for an index on the state, so it must be complete. */
  DOUBT_NOT_LISTED(
      "doubt-not-listed",
      "the payment's state is %d",
      "the list of doubts names it %d times",
      """
      SELECT CAST(p.id AS VARCHAR(36)), p.state, 0 FROM payment p
      LEFT JOIN doubt d ON d.payment_id = p.id
      WHERE p.state = 6 AND d.payment_id IS NULL
      """),
  /** And nothing that has ended stands in it. */
  DOUBT_THAT_ENDED(
      "doubt-that-ended",
      "the list of doubts names it %d times",
      "the payment's state is %d",
      """
      SELECT CAST(d.payment_id AS VARCHAR(36)), 1, COALESCE(p.state, 0) FROM doubt d
      LEFT JOIN payment p ON p.id = d.payment_id
      WHERE p.id IS NULL OR p.state NOT IN (2, 6)
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

  Difference broken(String subject, long one, long other) {
    return new Difference(word, subject, String.format(stated, one), String.format(found, other));
  }
}

package dev.octroi.payments.books;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.books.BookReport.Difference;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Evidence.ChannelFunds;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Payouts.Payout;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Compares payments, journal and chain. Reads one snapshot, so that it may run beside traffic; rows
 * are streamed, so that the books may be large. Thread-safe.
 */
public final class BookVerification {

  private static final int FETCH = 500;

  private static final String SETTLED =
      """
      SELECT p.*, COALESCE(p.charged, p.amount) AS due, p.settled_at AS ended FROM payment p
      WHERE p.state = 'SETTLED' AND p.settled_at >= :from AND p.settled_at < :to
      ORDER BY p.id
      """;

  /** Not joined with the payments: H2 would read the journal once for each of them. */
  private static final String LINES =
      """
      SELECT j.payment_id, j.amount, d.network, d.owner AS payer, c.owner AS seller, d.asset
      FROM journal j
      JOIN book_account d ON d.id = j.debit JOIN book_account c ON c.id = j.credit
      WHERE d.kind IN ('PAYER', 'DEBT') AND c.kind = 'SELLER' AND j.payment_id IS NOT NULL
      ORDER BY j.payment_id
      """;

  private static final String SETTLED_PAGE =
      """
      SELECT p.*, COALESCE(p.charged, p.amount) AS due, p.settled_at AS ended FROM payment p
      WHERE p.state = 'SETTLED' AND p.settled_at >= :from AND p.settled_at < :to AND p.id > :after
        AND p.network = :network AND p.tx NOT LIKE 'on-account:%' AND p.tx NOT LIKE 'voucher:%'
      ORDER BY p.id LIMIT :page
      """;

  /**
   * By the start of the call, which has an index: what ended in the period began then or before.
   */
  private static final String UNPAID_PAGE =
      """
      SELECT p.*, COALESCE(p.charged, p.amount) AS due, p.claimed_at AS ended FROM payment p
      WHERE p.state IN ('FAILED', 'RELEASED') AND p.claimed_at >= :from AND p.claimed_at < :to AND p.id > :after
        AND p.network = :network
      ORDER BY p.id LIMIT :page
      """;

  private static final String UNPAID =
      "SELECT 1 FROM payment WHERE id = :id AND attempt = :attempt AND state IN ('FAILED', 'RELEASED')";

  /**
   * Refunds that a treasury has paid. Those that the operator paid by hand are the operator's word.
   */
  private static final String REFUND_PAGE =
      """
      SELECT r.*, p.network, COALESCE(c.payer, p.payer) AS payer, p.asset FROM refund r
      JOIN payment p ON p.id = r.payment_id
      LEFT JOIN channel c ON c.network = p.network AND c.id = p.payer
      WHERE r.state = 'PAID' AND r.treasury IS NOT NULL AND r.closed_at >= :from AND r.closed_at < :to
        AND r.id > :after AND p.network = :network
      ORDER BY r.id LIMIT :page
      """;

  private static final UUID BEFORE_ALL = new UUID(0, 0);

  /** What one snapshot of the database says of itself. */
  private record Inside(Optional<Instant> closedBefore, long lines) {}

  private final Jdbi database;
  private final Map<String, Evidence> chains;
  private final Duration recordsKept;

  /** One holds a connection for minutes. */
  private final Semaphore turns = new Semaphore(1);

  private final Clock clock;

  /**
   * Makes a verification.
   *
   * @param chains by network, what proves a settlement; networks without one are not proven
   * @param recordsKept how long closed payments are kept: an older line has none any more
   */
  public BookVerification(
      DataSource database, Map<String, Evidence> chains, Duration recordsKept, Clock clock) {
    this.database = BookReads.of(database);
    this.chains = Map.copyOf(chains);
    this.recordsKept = recordsKept;
    this.clock = clock;
  }

  /** Verifies the books as {@link #verify} does; empty where another verification is under way. */
  public Optional<BookReport> verifyAlone(Period period, int most) {
    if (!turns.tryAcquire()) {
      return Optional.empty();
    }
    try {
      return Optional.of(verify(period, most));
    } finally {
      turns.release();
    }
  }

  /**
   * Verifies the books.
   *
   * @param period which settlements are compared line by line; what must hold of all is judged as a
   *     whole
   * @param most how many differences are told
   */
  public BookReport verify(Period period, int most) {
    Instant now = clock.instant();
    Findings findings = new Findings(most);
    LineComparison comparison = new LineComparison(findings);
    Inside inside =
        database.inTransaction(
            BookExport.ONE_STATE,
            handle -> {
              Optional<Instant> closed = BookExport.closedBefore(handle);
              compareLines(handle, period, closed.orElse(period.from()), comparison);
              for (BookRule rule : BookRule.values()) {
                judge(handle, rule, now, closed.orElse(Instant.EPOCH), findings, most);
              }
              return new Inside(closed, lines(handle));
            });
    ChainComparison proof = new ChainComparison(findings);
    ChainComparison proofOfRefunds = new ChainComparison(findings);
    chains.forEach(
        (network, evidence) -> {
          each(
              after -> page(SETTLED_PAGE, network, period, after, (row, context) -> payment(row)),
              payment -> proof.compare(payment, evidence.of(payment)));
          each(
              after -> page(UNPAID_PAGE, network, period, after, (row, context) -> payment(row)),
              payment -> disprove(evidence, proof, payment));
          each(
              after -> page(REFUND_PAGE, network, period, after, (row, context) -> refund(row)),
              refund -> proofOfRefunds.compare(refund, evidence.ofTreasury(refund)));
        });
    ChannelComparison channels = new ChannelComparison(database, findings);
    chains.forEach(channels::compare);
    return new BookReport(
        now,
        inside.closedBefore(),
        comparison.payments(),
        inside.lines(),
        proof.proven(),
        comparison.payments() - proof.proven(),
        channels.compared(),
        findings.differences(),
        findings.isFull());
  }

  private static long lines(Handle handle) {
    return handle.createQuery("SELECT count(*) FROM journal").mapTo(Long.class).one();
  }

  /** What was settled before the books were closed has no line any more, or soon has none. */
  private static void compareLines(
      Handle handle, Period period, Instant closed, LineComparison comparison) {
    Instant from = closed.isAfter(period.from()) ? closed : period.from();
    Query settled =
        handle.createQuery(SETTLED).bind("from", from).bind("to", period.to()).setFetchSize(FETCH);
    Query booked = handle.createQuery(LINES).setFetchSize(FETCH);
    try (ResultIterator<UnresolvedPayment> payments =
            settled.map((row, context) -> payment(row)).iterator();
        ResultIterator<BookedLines.Booked> lines =
            booked.map((row, context) -> line(row)).iterator()) {
      BookedLines journal = new BookedLines(lines);
      payments.forEachRemaining(each -> comparison.compare(each, journal.of(each.id())));
    }
  }

  private static BookedLines.Booked line(ResultSet row) throws SQLException {
    return new BookedLines.Booked(
        row.getObject("payment_id", UUID.class),
        new LineComparison.Line(
            row.getLong("amount"),
            KeyBytes.text(row, "payer"),
            KeyBytes.text(row, "seller"),
            row.getString("asset")));
  }

  private void judge(
      Handle handle, BookRule rule, Instant now, Instant closed, Findings findings, int most) {
    Query query = handle.createQuery(rule.sql());
    if (rule.sql().contains(":closed")) {
      query.bind("closed", closed);
    }
    if (rule.sql().contains(":kept")) {
      query.bind("kept", now.minus(recordsKept));
    }
    query
        .setMaxRows(most + 1)
        .map((row, context) -> rule.broken(row.getString(1), row.getString(2), row.getString(3)))
        .forEach(findings::add);
  }

  /** Reads page by page, outside of any transaction: a chain that is asked may take its time. */
  private static void each(
      Function<UUID, List<UnresolvedPayment>> pageAfter, Consumer<UnresolvedPayment> reader) {
    List<UnresolvedPayment> page = pageAfter.apply(BEFORE_ALL);
    while (!page.isEmpty()) {
      page.forEach(reader);
      page = pageAfter.apply(page.get(page.size() - 1).id());
    }
  }

  /** Asks what became of one that counts as not paid: a transfer may have arrived all the same. */
  private void disprove(Evidence evidence, ChainComparison proof, UnresolvedPayment payment) {
    evidence
        .transfer(payment)
        .filter(transaction -> stillCountsAsUnpaid(payment))
        .ifPresent(transaction -> proof.paidAllTheSame(payment, transaction));
  }

  /** A released one may have been claimed again and paid while the chain was asked. */
  private boolean stillCountsAsUnpaid(UnresolvedPayment payment) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(UNPAID)
                .bind("id", payment.id())
                .bind("attempt", payment.attempt())
                .mapTo(Integer.class)
                .findOne()
                .isPresent());
  }

  private List<UnresolvedPayment> page(
      String sql, String network, Period period, UUID after, RowMapper<UnresolvedPayment> mapper) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(sql)
                .bind("from", period.from())
                .bind("to", period.to())
                .bind("network", network)
                .bind("after", after)
                .bind("page", FETCH)
                .map(mapper)
                .list());
  }

  /** A payment that has ended, in the form in which a chain is asked about it. */
  private static UnresolvedPayment payment(ResultSet row) throws SQLException {
    return new UnresolvedPayment(
        row.getObject("id", UUID.class),
        row.getInt("attempt"),
        new PaymentKey(
            row.getString("network"), KeyBytes.text(row, "payer"), KeyBytes.text(row, "nonce")),
        row.getString("asset"),
        row.getString("pay_to"),
        row.getLong("due"),
        NamedStatements.instant(row, "valid_before").orElseThrow(),
        NamedStatements.instant(row, "ended").orElseThrow(),
        row.getString("tx"),
        false);
  }

  /** A refund as the payment that it is: from the treasury to the payer. */
  private static UnresolvedPayment refund(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    PaymentKey key =
        Payout.key(id, row.getString("network"), row.getString("treasury"), row.getBytes("nonce"));
    return new UnresolvedPayment(
        id,
        row.getInt("attempt"),
        key,
        row.getString("asset"),
        KeyBytes.text(row, "payer"),
        row.getLong("amount"),
        NamedStatements.instant(row, "valid_before").orElseThrow(),
        NamedStatements.instant(row, "closed_at").orElseThrow(),
        row.getString("tx"),
        false);
  }

  /** The lines of the journal that pay for something, in the order of their payments' ids. */
  private static final class BookedLines {

    /** A line, and the payment that it belongs to. */
    record Booked(UUID payment, LineComparison.Line line) {}

    private final Iterator<Booked> lines;
    private @Nullable Booked next;

    /**
     * Reads the lines once.
     *
     * @param lines in the order in which databases have ids: by their bytes, unsigned
     */
    BookedLines(Iterator<Booked> lines) {
      this.lines = lines;
      this.next = following();
    }

    /** The lines of a payment; each call asks for a later one. */
    List<LineComparison.Line> of(UUID payment) {
      List<LineComparison.Line> found = new ArrayList<>(1);
      for (Booked line = next; line != null && compare(line.payment(), payment) <= 0; line = next) {
        if (line.payment().equals(payment)) {
          found.add(line.line());
        }
        next = following();
      }
      return found;
    }

    private @Nullable Booked following() {
      return lines.hasNext() ? lines.next() : null;
    }

    private static int compare(UUID one, UUID other) {
      int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
      return high != 0
          ? high
          : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }
  }

  /** Compares payments that have ended with what their chain proves. */
  private static final class ChainComparison {

    private final Findings findings;
    private long proven;

    ChainComparison(Findings findings) {
      this.findings = findings;
    }

    void compare(UnresolvedPayment payment, Optional<Settlement> outcome) {
      if (outcome.isEmpty()) {
        return;
      }
      if (outcome.get() instanceof Settlement.Settled) {
        proven++;
      } else {
        findings.add(
            new Difference(
                "not-on-chain",
                payment.id().toString(),
                "the ledger says it settled in " + payment.transaction(),
                "the chain says " + outcome.get()));
      }
    }

    /** The ledger says that it brought nothing, the chain names the transaction that paid it. */
    void paidAllTheSame(UnresolvedPayment payment, String transaction) {
      findings.add(
          new Difference(
              "transfer-not-booked",
              payment.id().toString(),
              "the ledger says that it was not charged",
              "the chain says that " + transaction + " paid " + payment.amount()));
    }

    long proven() {
      return proven;
    }
  }

  /**
   * Compares channels with their contract: nothing was claimed that was not charged, what the
   * ledger takes for claimed was claimed, and what is owed is there. A contract is asked between
   * two looks at the ledger, so that a call or a claim of that moment makes no difference.
   */
  private static final class ChannelComparison {

    /** So many are asked about at once. */
    private static final int PAGE = 100;

    private static final String CHANNELS =
        """
        SELECT id, charged, claimed FROM channel WHERE network = :network AND id > :after
        ORDER BY id LIMIT :page
        """;

    private static final String CHARGED =
        "SELECT charged FROM channel WHERE network = :network AND id = :id";

    /** A channel as the ledger has it. */
    private record BookedChannel(byte[] key, String id, long charged, long claimed) {}

    private final Jdbi database;
    private final Findings findings;
    private long compared;

    ChannelComparison(Jdbi database, Findings findings) {
      this.database = database;
      this.findings = findings;
    }

    long compared() {
      return compared;
    }

    void compare(String network, Evidence evidence) {
      byte[] last = {};
      List<BookedChannel> page = page(network, last);
      while (!page.isEmpty()) {
        Map<String, ChannelFunds> funds =
            evidence.channels(page.stream().map(BookedChannel::id).toList());
        for (BookedChannel channel : page) {
          ChannelFunds held = funds.get(channel.id());
          if (held != null) {
            compared++;
            compare(network, channel, held);
          }
        }
        last = page.get(page.size() - 1).key();
        page = page(network, last);
      }
    }

    private void compare(String network, BookedChannel channel, ChannelFunds held) {
      if (held.claimed() < channel.claimed()) {
        differ("channel-not-claimed", channel, "claimed " + channel.claimed(), held);
      }
      if (held.balance() < channel.charged()) {
        differ("channel-short", channel, "charged " + channel.charged(), held);
      }
      if (held.claimed() > channel.charged()) {
        long charged = charged(network, channel);
        if (held.claimed() > charged) {
          differ("channel-overclaimed", channel, "charged " + charged, held);
        }
      }
    }

    private void differ(String check, BookedChannel channel, String stated, ChannelFunds held) {
      findings.add(
          new Difference(
              check,
              channel.id(),
              "the ledger says that it was " + stated,
              "the contract holds "
                  + held.balance()
                  + " and says that "
                  + held.claimed()
                  + " were claimed"));
    }

    private List<BookedChannel> page(String network, byte[] after) {
      return database.withHandle(
          handle ->
              handle
                  .createQuery(CHANNELS)
                  .bind("network", network)
                  .bind("after", after)
                  .bind("page", PAGE)
                  .map(
                      (row, context) -> {
                        byte[] key = row.getBytes("id");
                        return new BookedChannel(
                            key,
                            KeyBytes.text(network, key),
                            row.getLong("charged"),
                            row.getLong("claimed"));
                      })
                  .list());
    }

    private long charged(String network, BookedChannel channel) {
      return database.withHandle(
          handle ->
              handle
                  .createQuery(CHARGED)
                  .bind("network", network)
                  .bind("id", channel.key())
                  .mapTo(Long.class)
                  .one());
    }
  }

  /** Collects differences up to a number; how many more there are is of no use to the operator. */
  static final class Findings {

    private final int most;
    private final List<Difference> differences = new ArrayList<>();
    private boolean more;

    Findings(int most) {
      this.most = most;
    }

    void add(Difference difference) {
      if (differences.size() < most) {
        differences.add(difference);
      } else {
        more = true;
      }
    }

    boolean isFull() {
      return more;
    }

    List<Difference> differences() {
      return differences;
    }
  }
}

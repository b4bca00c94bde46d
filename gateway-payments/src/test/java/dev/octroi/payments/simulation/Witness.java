package dev.octroi.payments.simulation;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.ledger.AccountKind;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.PaymentState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges from outside: by what clients were told, what the chain moved and what stands in the
 * database, never by what the code under test thinks.
 */
final class Witness {

  private static final int MAX_RERUNS = 3;

  /** What a client still wants to be told. */
  enum Wish {
    SEND_AGAIN,
    NOTHING
  }

  private final Books books;
  private final SimulatedChain chain;
  private final SimulatedVendor vendor;
  private final List<String> log = new ArrayList<>();
  private final Map<String, Authorization> known = new LinkedHashMap<>();
  private final Map<String, Wish> wishes = new HashMap<>();
  private final Set<String> delivered = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final Map<SimulatedCall, String> answering = new HashMap<>();
  private final Set<String> arrived = new HashSet<>();

  Witness(Books books, SimulatedChain chain, SimulatedVendor vendor) {
    this.books = books;
    this.chain = chain;
    this.vendor = vendor;
  }

  void note(String what) {
    log.add(what);
  }

  List<String> log() {
    return log;
  }

  List<Authorization> authorizations() {
    return List.copyOf(known.values());
  }

  void signed(Authorization authorization) {
    known.put(authorization.nonce(), authorization);
    wishes.put(authorization.nonce(), Wish.SEND_AGAIN);
  }

  boolean wants(Authorization authorization) {
    return wishes.get(authorization.nonce()) == Wish.SEND_AGAIN;
  }

  /** Its verification failed. */
  void refused(Authorization authorization) {
    refused.add(authorization.nonce());
  }

  /** Whether its answer is noted as delivered. */
  boolean isDelivered(Authorization authorization) {
    return books.row(authorization.key()).filter(Books.Row::delivered).isPresent();
  }

  /** The upstream was called for it. */
  void ran(Authorization authorization) {
    String nonce = authorization.nonce();
    require(!refused.contains(nonce), nonce, "the upstream ran after a failed verification");
  }

  /** A request that asked after the delivery was noted has got a claim all the same. */
  void claimedAgain(Authorization authorization) {
    require(false, authorization.nonce(), "claimed after it was delivered");
  }

  /** A call is at work on an answer that was paid for; no other may be that still has the say. */
  void begins(Authorization authorization, SimulatedCall call) {
    if (!call.isOfALivingNode()) {
      return;
    }
    String nonce = authorization.nonce();
    answering.forEach(
        (other, whose) ->
            require(
                other == call || !whose.equals(nonce) || !other.isOfALivingNode(),
                nonce,
                "is being answered by " + other + " already"));
    answering.put(call, nonce);
  }

  /** Its answer has arrived, or certainly not. */
  void ends(SimulatedCall call) {
    answering.remove(call);
  }

  /** Its answer has arrived in time, which its node knows before the database does. */
  void arrived(Authorization authorization, SimulatedCall call) {
    ends(call);
    arrived.add(authorization.nonce());
  }

  void lost(Authorization authorization) {
    note(authorization.nonce() + " answer lost on the way");
  }

  /** A life that was taken over did something with a claim of its own. */
  void usurped(Authorization authorization) {
    require(false, authorization.nonce(), "a node that lost its claim did something with it");
  }

  /** A stored answer is about to leave. */
  void replayed(Authorization authorization, String path, String answer) {
    require(answer.equals(path), authorization.nonce(), path + " is answered with " + answer);
  }

  void answered(Authorization authorization, String path, int status) {
    String nonce = authorization.nonce();
    note(nonce + " " + path + " -> " + status);
    Optional<Books.Row> found = books.row(authorization.key());
    Optional<Books.Row> row = found.filter(it -> it.path().equals(path));
    if (status == 200) {
      require(
          row.filter(Books.Row::isCharged).isPresent(), nonce, "delivered for nothing: " + found);
      delivered.add(nonce);
      wishes.put(nonce, Wish.NOTHING);
    } else if (status == 402) {
      require(row.filter(Books.Row::isUnresolved).isEmpty(), nonce, "402 while in doubt: " + row);
      require(row.filter(it -> isOwed(authorization, it)).isEmpty(), nonce, "owed, yet " + row);
      // Another request had it; the first one may still want its own.
      if (found.isEmpty() || row.isPresent()) {
        wishes.put(nonce, Wish.NOTHING);
      }
    }
  }

  /** Paid for, and it did not arrive: its answer can be had. */
  private boolean isOwed(Authorization authorization, Books.Row row) {
    boolean paid =
        row.state() == PaymentState.SETTLED || (row.state() == PaymentState.SETTLING && row.sent());
    boolean runs = authorization.redelivery() == Redelivery.REREAD;
    boolean had = row.delivered() || arrived.contains(authorization.nonce());
    return paid && !had && !(runs && row.reruns() >= MAX_RERUNS);
  }

  /** What must hold at every instant. */
  void look() {
    for (Authorization authorization : known.values()) {
      String nonce = authorization.nonce();
      require(chain.submissions(nonce) <= 1, nonce, "money was asked to move twice");
    }
    Books.Sums sums = books.sums();
    require(sums.taken() <= Books.DAILY, "the API key", "spent over its budget: " + sums);
    require(
        sums.taken() == sums.spent(), "the API key", "its budget is not what it spent: " + sums);
    require(sums.open() == sums.reserved(), "the accounts", "reserve what is not open: " + sums);
  }

  /**
   * What must hold once everything has come to rest.
   *
   * @param claimed what was claimed out of channels
   */
  void conclude(long claimed) {
    look();
    require(
        books.number(
                "SELECT count(*) FROM payment WHERE state IN ('CLAIMED', 'SETTLING', 'IN_DOUBT')")
            == 0,
        "all",
        "something is still open");
    for (Authorization authorization : known.values()) {
      String nonce = authorization.nonce();
      Optional<Books.Row> row = books.row(authorization.key());
      boolean settled = row.filter(it -> it.state() == PaymentState.SETTLED).isPresent();
      require(settled == chain.hasMoved(nonce), nonce, "the chain and " + row + " disagree");
      boolean charged = row.filter(Books.Row::isCharged).isPresent();
      require(charged || !delivered.contains(nonce), nonce, "delivered for nothing: " + row);
      if (authorization.redelivery() == Redelivery.RESUMED && row.isPresent()) {
        concludeEffect(nonce, row.get());
      }
    }
    require(
        booked(AccountKind.SELLER) == chain.received() + claimed,
        "the seller",
        "journal and chain disagree");
    long losses =
        books.number(
            "SELECT COALESCE(SUM(COALESCE(charged, amount)), 0) FROM payment"
                + " WHERE state = 'FAILED' AND sent");
    require(
        -booked(AccountKind.LOSS) == losses,
        "the losses",
        "are " + losses + ", the journal disagrees");
    require(
        booked(AccountKind.PAYER) + booked(AccountKind.SELLER) + booked(AccountKind.LOSS) == 0,
        "the journal",
        "does not sum to zero");
    require(books.number("SELECT count(*) FROM doubt") == 0, "the doubts", "outlive themselves");
  }

  /** What was paid for was done once and is not refunded, or was not done and is, once. */
  private void concludeEffect(String nonce, Books.Row row) {
    int done = vendor.done(row.id());
    long recorded = effects(row, Effects.Outcome.DONE);
    long refunds = books.number("SELECT count(*) FROM refund WHERE payment_id = ?", row.id());
    require(done <= 1, nonce, "its effect was done " + done + " times");
    require(
        effects(row, Effects.Outcome.UNKNOWN) == 0,
        nonce,
        "what became of its effect is unknown: " + row);
    require(recorded == done, nonce, "its effect was done " + done + ", recorded " + recorded);
    require(row.isCharged() || done == 0, nonce, "its effect was done for nothing: " + row);
    long due = row.state() == PaymentState.SETTLED && done == 0 ? 1 : 0;
    require(refunds == due, nonce, refunds + " refunds, yet its effect was done " + done);
    require(done == 1 || !delivered.contains(nonce), nonce, "answered, and never done");
  }

  private long effects(Books.Row row, Effects.Outcome outcome) {
    return books.number(
        "SELECT count(*) FROM effect WHERE payment_id = ? AND outcome = ?",
        row.id(),
        outcome.name());
  }

  private long booked(AccountKind kind) {
    return books.number(
        """
        SELECT COALESCE(SUM(CASE WHEN j.credit = a.id THEN j.amount ELSE -j.amount END), 0)
        FROM book_account a JOIN journal j ON j.credit = a.id OR j.debit = a.id
        WHERE a.kind = ?
        """,
        kind.name());
  }

  static void require(boolean holds, String whose, String otherwise) {
    if (!holds) {
      throw new AssertionError(whose + ": " + otherwise);
    }
  }
}

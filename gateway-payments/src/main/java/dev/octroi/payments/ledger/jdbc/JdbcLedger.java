package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Debts;
import dev.octroi.payments.ledger.DeferredSettlements;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.Identifiers;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.Ledger.PayerHistory;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Owner;
import dev.octroi.payments.ledger.PaymentState;
import dev.octroi.payments.ledger.PaymentStatuses;
import dev.octroi.payments.ledger.PaymentStatuses.PaymentStatus;
import dev.octroi.payments.ledger.Purchases;
import dev.octroi.payments.ledger.Refunds;
import dev.octroi.payments.ledger.ReleaseReason;
import dev.octroi.payments.ledger.SandboxBank;
import dev.octroi.payments.ledger.SignInNonces;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.ledger.jdbc.Membership.ClaimTime;
import dev.octroi.payments.ledger.jdbc.Transition.SettlementMode;
import dev.octroi.payments.ledger.jdbc.Work.CompletionListener;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * The ledger in H2 or PostgreSQL, whose schema the module {@code db} has applied before.
 *
 * <p>The data source must not take part in a host's transactions (a rollback would undo a claim)
 * and needs connections for two writers, the heartbeat and the housekeeping. An H2 file needs
 * {@code jdbc:h2:async:…;WRITE_DELAY=0}: by default H2 loses acknowledged commits.
 */
public final class JdbcLedger implements Ledger {

  private static final String CLAIM_LOST = "claim_lost";

  private final DataSource database;
  private final LedgerSettings settings;
  private final AnswerVault vault;
  private final Clock clock;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final OpenClaims open = new OpenClaims();
  private final Deliveries deliveries;
  private final ClaimTime claimTime;
  private final Membership membership;
  private final Writers writers;
  private final ClaimQueue claims;
  private final Transitions transitions;
  private final Housekeeping housekeeping;
  private final SandboxBank bank;
  private final Statements statements;
  private final Effects effects;
  private final Refunds refunds;
  private final Debts debts;
  private final Channels channels;
  private final UnresolvedPayments unresolved;
  private final Identifiers identifiers;
  private final JdbcPurchases purchases;
  private final LateAnswers lateAnswers;
  private final JournalClosing closing;
  private final Outbox outbox;

  /**
   * Opens the ledger: this node begins a new epoch, and what expired epochs left open is closed.
   *
   * @throws LedgerUnavailable if the database cannot be reached
   */
  public JdbcLedger(DataSource store, AnswerVault vault, LedgerSettings settings, Clock clock) {
    this(store, vault, settings, Outbox.NONE, clock);
  }

  /**
   * The same.
   *
   * @param outbox takes the events that are sent to others
   */
  public JdbcLedger(
      DataSource store, AnswerVault vault, LedgerSettings settings, Outbox outbox, Clock clock) {
    this(store, store, vault, settings, outbox, clock);
  }

  /**
   * The same.
   *
   * @param reads the same database for lists, which may take long and which no payment waits for
   */
  public JdbcLedger(
      DataSource store,
      DataSource reads,
      AnswerVault vault,
      LedgerSettings settings,
      Outbox outbox,
      Clock clock) {
    database = SingleWriter.of(store);
    LedgerReads lists = new LedgerReads(reads);
    this.settings = settings;
    this.vault = vault;
    this.clock = clock;
    this.outbox = outbox;
    Dialect dialect = Dialect.of(database, outbox);
    deliveries = new Deliveries(open, settings.answerRetention(), clock);
    Jdbi jdbi = NamedStatements.of(database);
    Books books = new Books(dialect);
    claimTime = new ClaimTime(clock);
    membership = new Membership(jdbi, settings, open, clock, claimTime);
    Redelivering redelivering = new Redelivering(settings.answerRetention(), open);
    Claims decisions = new Claims(dialect, books, redelivering, settings);
    Batch batch = new Batch(dialect, membership, books, decisions, deliveries, clock, claimTime);
    claims = new ClaimQueue(settings.callDeadline());
    writers = new Writers(database, batch, settings.node());
    Readers readers = new Readers(settings.replays().forWallets());
    transitions = new Transitions(open, membership, writers, deliveries, readers, clock);
    statements = new Statements(writers, settings.callDeadline());
    bank = new JdbcSandboxBank(statements, dialect, books, settings.startingBalance(), clock);
    effects = new JdbcEffects(statements, lists, paymentStatuses(), clock);
    refunds = new JdbcRefunds(statements, lists, dialect, books, outbox, clock);
    purchases = new JdbcPurchases(statements);
    identifiers = new JdbcIdentifiers(statements, vault, settings, clock);
    lateAnswers = new LateAnswers(statements, clock);
    debts = new JdbcDebts(statements, dialect, books, refunds, clock);
    channels = new JdbcChannels(statements, dialect, books, clock);
    unresolved =
        new JdbcUnresolvedPayments(statements, dialect, transitions, settings.callDeadline());
    closing =
        new JournalClosing(
            jdbi, dialect.journal(), settings.recordRetention(), clock, membership::isAlive);
    housekeeping =
        new Housekeeping(
            settings,
            membership,
            new Sweep(jdbi, dialect, books, membership, clock),
            new Retention(jdbi, settings, clock),
            () -> jdbi.useTransaction(handle -> dialect.journal().make(handle, clock.instant())),
            writers,
            deliveries);
    housekeeping.start();
    writers.start(dialect.writers());
  }

  @Override
  public ClaimResult claim(ClaimRequest asked) {
    return ask(asked, false);
  }

  @Override
  public ClaimResult redeliver(ClaimRequest asked) {
    return ask(asked, true);
  }

  private ClaimResult ask(ClaimRequest request, boolean late) {
    request.check();
    OpenClaims.Entry entry = new OpenClaims.Entry(request, claimTime.now());
    Optional<OpenClaims.Entry> before = open.enter(entry);
    if (before.isPresent()) {
      return before.get().tell(request);
    }
    if (!claims.enter()) {
      open.leave(entry);
      throw LedgerUnavailable.nothingDone("as many claims wait as the ledger serves in time");
    }
    long began = System.nanoTime();
    try {
      ClaimCompletion listener = new ClaimCompletion(entry, open, transitions, deliveries, clock);
      ClaimWork work = new ClaimWork(entry, late, listener);
      writers.submit(work);
      return work.await(settings.callDeadline().toNanos());
    } finally {
      claims.leave(System.nanoTime() - began);
    }
  }

  @Override
  public boolean isBusy() {
    return claims.isFull();
  }

  @Override
  public void charge(Claim claim, long amount) {
    if (amount <= 0 || amount > claim.amount()) {
      throw new IllegalArgumentException("a charge is above zero and at most what was reserved");
    }
    open.of(claim).ifPresent(entry -> entry.charge(amount));
  }

  @Override
  public boolean settling(Claim claim, @Nullable StoredAnswer answer) {
    byte[] sealed = vault.seal(claim.id(), answer, settings.maxAnswer());
    if (!membership.isAlive()) {
      return false;
    }
    return begin(claim, transitions.settling(claim, sealed));
  }

  @Override
  public boolean settlingDelivered(Claim claim) {
    return membership.isAlive() && begin(claim, transitions.settlingDelivered(claim));
  }

  @Override
  public DeferredSettlements deferredSettlements() {
    return new JdbcDeferredSettlements(statements, clock);
  }

  @Override
  public PayerHistory history(String network, String payer) {
    return purchases.history(network, payer);
  }

  @Override
  public boolean settled(Claim claim, Settlement outcome) {
    PaymentState from = PaymentState.SETTLING;
    if (outcome instanceof Settlement.Settled settled) {
      return end(claim, from, PaymentState.SETTLED, settled.transaction(), null);
    }
    if (outcome instanceof Settlement.Refused refused) {
      return end(claim, from, PaymentState.FAILED, null, refused.reason());
    }
    if (outcome instanceof Settlement.Unsent unsent) {
      return end(claim, from, PaymentState.RELEASED, null, unsent.reason());
    }
    if (outcome instanceof Settlement.Sent sent) {
      return transitions.sent(claim, sent.transaction()).await(settings.callDeadline().toNanos());
    }
    Settlement.Unknown unknown = (Settlement.Unknown) outcome;
    return end(claim, from, PaymentState.IN_DOUBT, unknown.transaction(), unknown.reason());
  }

  @Override
  public Settlement settleHere(Claim claim, @Nullable StoredAnswer answer) {
    return atOnce(claim, answer, "sandbox:" + claim.id(), SettlementMode.HERE);
  }

  @Override
  public Settlement settleOnAccount(Claim claim, @Nullable StoredAnswer answer) {
    return atOnce(claim, answer, "on-account:" + claim.id(), SettlementMode.ON_ACCOUNT);
  }

  @Override
  public Settlement settleByVoucher(Claim claim, @Nullable StoredAnswer answer) {
    return atOnce(claim, answer, "voucher:" + claim.id(), SettlementMode.CHAIN);
  }

  private Settlement atOnce(
      Claim claim, @Nullable StoredAnswer answer, String transaction, SettlementMode mode) {
    byte[] sealed = vault.seal(claim.id(), answer, settings.maxAnswer());
    if (!membership.isAlive()) {
      return new Settlement.Unknown(CLAIM_LOST, null);
    }
    Instant now = clock.instant();
    if (open.of(claim).filter(it -> it.request().endsBefore(now)).isPresent()) {
      // A chain would refuse it as well, however long the upstream took.
      return end(claim, PaymentState.CLAIMED, PaymentState.FAILED, null, Claims.EXPIRED)
          ? new Settlement.Refused(Claims.EXPIRED)
          : new Settlement.Unknown(CLAIM_LOST, null);
    }
    return begin(claim, transitions.settlingHere(claim, sealed, transaction, mode))
        ? new Settlement.Settled(transaction)
        : new Settlement.Unknown(CLAIM_LOST, null);
  }

  @Override
  public boolean answered(Claim claim, StoredAnswer answer) {
    byte[] sealed = Objects.requireNonNull(vault.seal(claim.id(), answer, settings.maxAnswer()));
    return membership.isAlive()
        && lateAnswers.store(claim, transitions.owner(claim), sealed, transitions.reader(claim));
  }

  @Override
  public Purchases purchases() {
    return purchases;
  }

  @Override
  public Identifiers identifiers() {
    return identifiers;
  }

  @Override
  public SignInNonces signInNonces() {
    return new JdbcSignInNonces(statements, vault, clock);
  }

  @Override
  public boolean release(Claim claim, ReleaseReason why) {
    Optional<OpenClaims.Entry> entry = open.of(claim);
    if (entry.isPresent() && entry.get().repeats()) {
      unanswered(claim);
      return true;
    }
    return transitions.release(claim, why).await(settings.callDeadline().toNanos());
  }

  @Override
  public void unanswered(Claim claim) {
    deliveries.giveBack(claim, transitions.owner(claim), statements);
    open.leave(claim);
  }

  @Override
  public void delivered(Claim claim) {
    open.of(claim).ifPresent(OpenClaims.Entry::delivered);
    deliveries.arrived(claim, transitions.owner(claim));
  }

  @Override
  public Channels channels() {
    return channels;
  }

  /** Sandbox money in this database. */
  public SandboxBank sandboxBank() {
    return bank;
  }

  /** Runs other stores' statements in this database. */
  public Statements statements() {
    return statements;
  }

  /** Takes the events of other stores, in their own transactions. */
  public Outbox outbox() {
    return outbox;
  }

  @Override
  public PaymentStatuses paymentStatuses() {
    return new JdbcPaymentStatuses(statements);
  }

  @Override
  public Effects effects() {
    return effects;
  }

  /** What accounts owe for calls that were settled on account. */
  public Debts debts() {
    return debts;
  }

  /** Closes months of this database's journal; to be run from time to time by any node. */
  public JournalClosing closing() {
    return closing;
  }

  /** How this node keeps the ledger. */
  public LedgerSettings settings() {
    return settings;
  }

  @Override
  public Refunds refunds() {
    return refunds;
  }

  /** The payments in this database whose end is not known yet. */
  public UnresolvedPayments unresolved() {
    return unresolved;
  }

  /** How this node is at the moment. */
  public LedgerPulse pulse() {
    return new LedgerPulse(
        membership.isAlive(),
        writers.queued(),
        housekeeping.livingNodes(),
        database instanceof SingleWriter h2 && h2.needsRestart());
  }

  /** Finishes what is queued and ends this node's epoch; open claims are closed by the next. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    housekeeping.flush();
    writers.close();
    housekeeping.close();
  }

  /** Whose the work is that this node begins now. */
  public Owner owner() {
    return membership.owner();
  }

  /** A settlement that could not be begun in time is called off, so that nothing stays open. */
  private boolean begin(Claim claim, TransitionWork work) {
    writers.submit(work);
    try {
      return work.await(settings.callDeadline().toNanos());
    } catch (LedgerUnavailable e) {
      transitions.callOff(claim, work);
      throw e;
    }
  }

  private boolean end(
      Claim claim,
      PaymentState from,
      PaymentState target,
      @Nullable String transaction,
      @Nullable String reason) {
    return transitions
        .end(claim, from, target, transaction, reason)
        .await(settings.callDeadline().toNanos());
  }

  /** Reads the statuses of payments on the ledger's writer threads. */
  private record JdbcPaymentStatuses(Statements statements) implements PaymentStatuses {

    private static final String FIND =
        "SELECT state, sent, tx, method, path, query, body_hash FROM payment WHERE id = :id";

    private record Found(PaymentStatus paymentStatus, @Nullable String transaction) {}

    private static final Found NOTHING = new Found(PaymentStatus.DEAD, null);

    @Override
    public PaymentStatus of(PaymentUse use) {
      return statements.run(handle -> of(handle, use));
    }

    @Override
    public PaymentStatus of(Handle handle, PaymentUse use) {
      return find(handle, use).paymentStatus();
    }

    @Override
    public Optional<String> transaction(PaymentUse use) {
      Found found = statements.run(handle -> find(handle, use));
      return found.paymentStatus() == PaymentStatus.SETTLED
          ? Optional.ofNullable(found.transaction())
          : Optional.empty();
    }

    private static Found find(Handle handle, PaymentUse use) {
      return handle
          .createQuery(FIND)
          .bind("id", use.payment())
          .map((row, context) -> found(row, use))
          .findOne()
          .orElse(NOTHING);
    }

    private static Found found(ResultSet row, PaymentUse use) throws SQLException {
      return Rows.binding(row).hash().equals(use.request())
          ? new Found(
              paymentStatus(PaymentState.valueOf(row.getString("state")), row.getBoolean("sent")),
              row.getString("tx"))
          : NOTHING;
    }

    private static PaymentStatus paymentStatus(PaymentState state, boolean sent) {
      return switch (state) {
        case SETTLED -> PaymentStatus.SETTLED;
        case SETTLING -> sent ? PaymentStatus.SETTLED : PaymentStatus.OPEN;
        case CLAIMED, IN_DOUBT -> PaymentStatus.OPEN;
        case FAILED, RELEASED -> PaymentStatus.DEAD;
      };
    }
  }

  /** A claim is entered before its caller hears of it, and given back if the caller never does. */
  private record ClaimCompletion(
      OpenClaims.Entry entry,
      OpenClaims open,
      Transitions transitions,
      Deliveries deliveries,
      Clock clock)
      implements CompletionListener<ClaimResult> {

    @Override
    public void done(ClaimResult result) {
      if (result instanceof ClaimResult.Claimed claimed) {
        entry.hold(claimed.claim());
      } else if (result instanceof ClaimResult.Rerun rerun) {
        entry.repeat(rerun.claim(), clock.instant());
      } else if (result instanceof ClaimResult.Replay replay) {
        entry.repeat(replay.claim(), clock.instant());
      } else {
        open.leave(entry);
      }
    }

    @Override
    public void unheard(ClaimResult result) {
      if (result instanceof ClaimResult.Claimed claimed) {
        var unused = transitions.release(claimed.claim(), ReleaseReason.of("ledger_unavailable"));
      } else if (result instanceof ClaimResult.Rerun rerun) {
        giveBack(rerun.claim());
      } else if (result instanceof ClaimResult.Replay replay) {
        giveBack(replay.claim());
      }
    }

    private void giveBack(Claim claim) {
      deliveries.givenBack(claim, transitions.owner(claim));
      open.leave(entry);
    }

    @Override
    public void notDone() {
      open.leave(entry);
    }
  }

  /**
   * Stores answers of calls that were settled before their effect, as long as their node still owns
   * the payment (money rule 1).
   */
  private record LateAnswers(Statements statements, Clock clock) {

    private static final String STORE =
        """
        INSERT INTO stored_answer (payment_id, stored_at, sealed, size, reader)
        SELECT p.id, CAST(:now AS TIMESTAMP WITH TIME ZONE), CAST(:sealed AS BYTEA), CAST(:size AS INTEGER),
          CAST(:reader AS BYTEA)
        FROM payment p
        WHERE p.id = :id AND p.attempt = :attempt AND p.node = :node AND p.epoch = :epoch
          AND (p.state = 'SETTLED' OR (p.state = 'SETTLING' AND p.sent)) AND NOT p.delivered
          AND NOT EXISTS (SELECT 1 FROM stored_answer a WHERE a.payment_id = p.id)
        """;

    /** An earlier try may have been committed without our knowing. */
    private static final String STORED =
        """
        SELECT 1 FROM payment p JOIN stored_answer a ON a.payment_id = p.id
        WHERE p.id = :id AND p.attempt = :attempt AND p.node = :node AND p.epoch = :epoch
        """;

    boolean store(Claim claim, Owner owner, byte[] sealed, byte @Nullable [] reader) {
      return statements.run(handle -> store(handle, claim, owner, sealed, reader));
    }

    private boolean store(
        Handle handle, Claim claim, Owner owner, byte[] sealed, byte @Nullable [] reader) {
      int stored =
          of(handle.createUpdate(STORE), claim, owner)
              .bind("now", clock.instant())
              .bind("sealed", sealed)
              .bind("size", sealed.length)
              .bind("reader", reader)
              .execute();
      return stored == 1
          || of(handle.createQuery(STORED), claim, owner)
              .mapTo(Integer.class)
              .findOne()
              .isPresent();
    }

    private static <S extends SqlStatement<S>> S of(S statement, Claim claim, Owner owner) {
      return statement
          .bind("id", claim.id())
          .bind("attempt", claim.attempt())
          .bind("node", owner.node())
          .bind("epoch", owner.epoch());
    }
  }

  /**
   * How a node of the ledger is at a moment.
   *
   * @param alive whether it may claim and settle: its heartbeat reached the database in time
   * @param queued how many changes wait for the database, 16 384 at most
   * @param nodes how many nodes keep the ledger, this one included
   * @param needsRestart whether the file of H2 was closed by an error, and this process cannot open
   *     it again because its pool of connections keeps what is closed
   */
  public record LedgerPulse(boolean alive, int queued, int nodes, boolean needsRestart) {}
}

package dev.octroi.payments.ledger;

import java.time.Duration;

/**
 * How a node keeps the ledger.
 *
 * @param node the name of this node, 1 to 64 characters; one living process per name: starting
 *     under a name ends the epoch of the process that had it before
 * @param heartbeat how often the node proves that it lives
 * @param expiry how long after its last heartbeat its open claims are closed by others; whole
 *     seconds, at least three heartbeats
 * @param callDeadline how long a caller waits for a statement before {@link LedgerUnavailable}
 * @param batch the most statements of callers that share one commit, 1 to 1024
 * @param maxAnswer the largest body that is stored before it is charged, in bytes
 * @param answerRetention how long an undelivered answer can be had again after it was charged;
 *     answers private to a payer must not live longer than 10 minutes (money rule 4)
 * @param recordRetention how long closed payments are kept, at least until their authorization
 *     expires
 * @param startingBalance what a payer of sandbox money seen for the first time has, in atomic units
 * @param replays how long and how many answers are kept for payments with an identifier
 * @param clockDifference by how much this node's clock may differ from the database's; while it
 *     does by more, the node claims, settles and deletes nothing
 */
public record LedgerSettings(
    String node,
    Duration heartbeat,
    Duration expiry,
    Duration callDeadline,
    int batch,
    int maxAnswer,
    Duration answerRetention,
    Duration recordRetention,
    long startingBalance,
    ReplayLimits replays,
    Duration clockDifference) {

  /** What a clock that NTP keeps never differs by. */
  private static final Duration MOST_DIFFERENCE = Duration.ofSeconds(30);

  private static final int MAX_NAME = 64;
  private static final int MAX_BATCH = 1024;
  private static final int BEATS_BEFORE_EXPIRY = 3;

  public LedgerSettings {
    require(!node.isBlank() && node.length() <= MAX_NAME, "a node's name has 1 to 64 characters");
    require(batch >= 1 && batch <= MAX_BATCH, "a batch has 1 to 1024 statements");
    require(maxAnswer > 0, "the largest stored answer has at least one byte");
    require(startingBalance >= 0, "a balance is not negative");
    require(
        expiry.toSeconds() >= 1 && expiry.toNanosPart() == 0, "a node expires after whole seconds");
    require(
        heartbeat.multipliedBy(BEATS_BEFORE_EXPIRY).compareTo(expiry) <= 0,
        "a node expires after three missed heartbeats at the earliest");
  }

  /** The defaults, for a node of this name. */
  public static LedgerSettings of(String node) {
    return new LedgerSettings(
        node,
        Duration.ofSeconds(3),
        Duration.ofSeconds(15),
        Duration.ofSeconds(5),
        256,
        8 << 20,
        Duration.ofMinutes(10),
        Duration.ofDays(400),
        1_000_000_000L,
        ReplayLimits.DEFAULT,
        MOST_DIFFERENCE);
  }

  /** The same with another heartbeat and expiry. */
  public LedgerSettings withHeartbeat(Duration every, Duration expiresAfter) {
    return new LedgerSettings(
        node,
        every,
        expiresAfter,
        callDeadline,
        batch,
        maxAnswer,
        answerRetention,
        recordRetention,
        startingBalance,
        replays,
        clockDifference);
  }

  /** The same with another deadline for callers. */
  public LedgerSettings withCallDeadline(Duration deadline) {
    return new LedgerSettings(
        node,
        heartbeat,
        expiry,
        deadline,
        batch,
        maxAnswer,
        answerRetention,
        recordRetention,
        startingBalance,
        replays,
        clockDifference);
  }

  /** The same with other limits of stored answers: bytes, and how long they are kept. */
  public LedgerSettings withAnswers(int maxBytes, Duration keptFor) {
    return new LedgerSettings(
        node,
        heartbeat,
        expiry,
        callDeadline,
        batch,
        maxBytes,
        keptFor,
        recordRetention,
        startingBalance,
        replays,
        clockDifference);
  }

  /** The same with another retention of closed payments. */
  public LedgerSettings withRecordRetention(Duration keptFor) {
    return new LedgerSettings(
        node,
        heartbeat,
        expiry,
        callDeadline,
        batch,
        maxAnswer,
        answerRetention,
        keptFor,
        startingBalance,
        replays,
        clockDifference);
  }

  /** The same with another starting balance of sandbox money, in atomic units. */
  public LedgerSettings withStartingBalance(long atomicUnits) {
    return new LedgerSettings(
        node,
        heartbeat,
        expiry,
        callDeadline,
        batch,
        maxAnswer,
        answerRetention,
        recordRetention,
        atomicUnits,
        replays,
        clockDifference);
  }

  /** The same with other limits of answers that are kept for payments with an identifier. */
  public LedgerSettings withReplays(ReplayLimits limits) {
    return new LedgerSettings(
        node,
        heartbeat,
        expiry,
        callDeadline,
        batch,
        maxAnswer,
        answerRetention,
        recordRetention,
        startingBalance,
        limits,
        clockDifference);
  }

  /** The same with another tolerance of clocks. */
  public LedgerSettings withClockDifference(Duration most) {
    return new LedgerSettings(
        node,
        heartbeat,
        expiry,
        callDeadline,
        batch,
        maxAnswer,
        answerRetention,
        recordRetention,
        startingBalance,
        replays,
        most);
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /**
   * How long and how many answers are kept for those who may have them again, besides those that
   * are still owed.
   *
   * @param time how long an identifier stands for its first use
   * @param bytes what kept answers take up together; the oldest go first
   * @param count the most answers kept; the oldest go first
   * @param forWallets whether the answers of all payers that sign for themselves are kept so, for
   *     who signs in with their wallets
   */
  public record ReplayLimits(Duration time, long bytes, int count, boolean forWallets) {

    /** A day, 256 MiB, 100,000 answers. */
    public static final ReplayLimits DEFAULT =
        new ReplayLimits(Duration.ofHours(24), 256L << 20, 100_000, false);

    /** The same, also for those who sign in with their wallets or not. */
    public ReplayLimits alsoForWallets(boolean kept) {
      return new ReplayLimits(time, bytes, count, kept);
    }

    /** Throws {@link IllegalArgumentException} where a limit is not above zero. */
    public ReplayLimits {
      if (time.isNegative() || time.isZero() || bytes <= 0 || count <= 0) {
        throw new IllegalArgumentException("the limits of kept answers are above zero");
      }
    }
  }
}

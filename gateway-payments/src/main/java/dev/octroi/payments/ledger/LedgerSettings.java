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
    int maxAnswer,
    Duration answerRetention,
    Duration recordRetention,
    long startingBalance,
    ReplayLimits replays,
    Duration clockDifference) {

  private static final int MAX_NAME = 64;
  private static final int BEATS_BEFORE_EXPIRY = 3;

  public LedgerSettings {
    require(!node.isBlank() && node.length() <= MAX_NAME, "a node's name has 1 to 64 characters");
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
    return builder(node).build();
  }

  /** The defaults, to be changed, for a node of this name. */
  public static Builder builder(String node) {
    return new Builder(node);
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** Settings on the way; what is not named is the default. */
  public static final class Builder {

    private final String node;
    private Duration heartbeat = Duration.ofSeconds(3);
    private Duration expiry = Duration.ofSeconds(15);
    private Duration callDeadline = Duration.ofSeconds(5);
    private int maxAnswer = 8 << 20;
    private Duration answerRetention = Duration.ofMinutes(10);
    private Duration recordRetention = Duration.ofDays(400);
    private long startingBalance = 1_000_000_000L;
    private ReplayLimits replays = ReplayLimits.DEFAULT;

    /** What a clock that NTP keeps never differs by. */
    private Duration clockDifference = Duration.ofSeconds(30);

    private Builder(String node) {
      this.node = node;
    }

    /** Another heartbeat and expiry. */
    public Builder heartbeat(Duration every, Duration expiresAfter) {
      heartbeat = every;
      expiry = expiresAfter;
      return this;
    }

    /** Another deadline for callers. */
    public Builder callDeadline(Duration deadline) {
      callDeadline = deadline;
      return this;
    }

    /** Another largest stored answer, in bytes. */
    public Builder maxAnswer(int bytes) {
      maxAnswer = bytes;
      return this;
    }

    /** Another retention of stored answers. */
    public Builder answerRetention(Duration keptFor) {
      answerRetention = keptFor;
      return this;
    }

    /** Another retention of closed payments. */
    public Builder recordRetention(Duration keptFor) {
      recordRetention = keptFor;
      return this;
    }

    /** Another starting balance of sandbox money, in atomic units. */
    public Builder startingBalance(long atomicUnits) {
      startingBalance = atomicUnits;
      return this;
    }

    /** Other limits of answers that are kept for payments with an identifier. */
    public Builder replays(ReplayLimits limits) {
      replays = limits;
      return this;
    }

    /** Another tolerance of clocks. */
    public Builder clockDifference(Duration most) {
      clockDifference = most;
      return this;
    }

    /** Throws {@link IllegalArgumentException} where a rule of the settings does not hold. */
    public LedgerSettings build() {
      return new LedgerSettings(
          node,
          heartbeat,
          expiry,
          callDeadline,
          maxAnswer,
          answerRetention,
          recordRetention,
          startingBalance,
          replays,
          clockDifference);
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

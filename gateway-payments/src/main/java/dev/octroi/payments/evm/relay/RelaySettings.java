package dev.octroi.payments.evm.relay;

import java.math.BigInteger;
import java.time.Duration;

/**
 * How payments are sent and followed.
 *
 * @param until how long an answer waits
 * @param confirmations blocks from which a payment is final, its own included; at least 1
 * @param batch payments in a transaction, 1 to {@value #MAX_BATCH}
 * @param window how long a payment waits for company; zero takes what came during the last send
 * @param feeCap the most that is offered for a unit of gas, in wei
 * @param resendAfter how long a transaction may lie unmined before it is sent again, with more fees
 *     if it needs them
 * @param deadline how long a settlement waits, and never longer than its authorization lives
 * @param takeover how long another node's transaction lies untouched before this one follows it
 * @param poll how often the chain is asked while transactions are under way
 * @param leastRefund atomic units of which less is not given back out of a channel, unless nothing
 *     more is left in it: the relay pays for the gas
 */
public record RelaySettings(
    Wait until,
    int confirmations,
    int batch,
    Duration window,
    BigInteger feeCap,
    Duration resendAfter,
    Duration deadline,
    Duration takeover,
    Duration poll,
    long leastRefund) {

  /** More would come near to the gas that some chains allow a transaction. */
  public static final int MAX_BATCH = 32;

  public RelaySettings {
    if (confirmations < 1 || batch < 1 || batch > MAX_BATCH || feeCap.signum() <= 0) {
      throw new IllegalArgumentException(
          "a relay needs a confirmation, batches of 1 to " + MAX_BATCH + " and a fee cap");
    }
  }

  /** Waits for one confirmation, in batches of up to 32, at up to 50 gwei, unless changed. */
  public static Builder builder() {
    return new Builder();
  }

  /** Settings on the way; what is not named is the default. */
  public static final class Builder {

    private Wait until = Wait.CONFIRMED;
    private int confirmations = 1;
    private int batch = MAX_BATCH;
    private Duration window = Duration.ZERO;
    private BigInteger feeCap = BigInteger.valueOf(50_000_000_000L);
    private Duration resendAfter = Duration.ofSeconds(15);
    private Duration deadline = Duration.ofSeconds(30);
    private Duration takeover = Duration.ofSeconds(30);
    private Duration poll = Duration.ofMillis(500);
    private long leastRefund = 1;

    private Builder() {}

    /** Another wait. */
    public Builder waiting(Wait other) {
      until = other;
      return this;
    }

    /** Payments final from another number of blocks. */
    public Builder confirmedAfter(int blocks) {
      confirmations = blocks;
      return this;
    }

    /** Other batches. */
    public Builder batching(int size, Duration otherWindow) {
      batch = size;
      window = otherWindow;
      return this;
    }

    /** Another cap, in wei for a unit of gas. */
    public Builder payingAtMost(BigInteger wei) {
      feeCap = wei;
      return this;
    }

    /** Other limits of time for a transaction, and for a settlement. */
    public Builder within(Duration beforeResend, Duration settlement) {
      resendAfter = beforeResend;
      deadline = settlement;
      return this;
    }

    /** Other pauses before another node's transaction is followed, and between looks. */
    public Builder pausing(Duration beforeTakeover, Duration polling) {
      takeover = beforeTakeover;
      poll = polling;
      return this;
    }

    /** Other least amounts that are given back. */
    public Builder refundingAtLeast(long units) {
      leastRefund = units;
      return this;
    }

    /** Throws {@link IllegalArgumentException} where a relay could not work so. */
    public RelaySettings build() {
      return new RelaySettings(
          until,
          confirmations,
          batch,
          window,
          feeCap,
          resendAfter,
          deadline,
          takeover,
          poll,
          leastRefund);
    }
  }

  /** How long an answer waits for its payment (money rule 11). */
  public enum Wait {

    /** Until the payment is proven at the configured depth. */
    CONFIRMED,

    /** Until a node has taken the transaction; the gateway bears what is lost afterwards. */
    BROADCAST
  }
}

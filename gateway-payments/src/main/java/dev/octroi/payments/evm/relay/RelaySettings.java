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

  /** Waits for one confirmation, in batches of up to 32, at up to 50 gwei. */
  public static RelaySettings defaults() {
    return new RelaySettings(
        Wait.CONFIRMED,
        1,
        MAX_BATCH,
        Duration.ZERO,
        BigInteger.valueOf(50_000_000_000L),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30),
        Duration.ofSeconds(30),
        Duration.ofMillis(500),
        1);
  }

  /** The same with another wait. */
  public RelaySettings waiting(Wait other) {
    return new RelaySettings(
        other,
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

  /** The same with other batches. */
  public RelaySettings batching(int size, Duration otherWindow) {
    return new RelaySettings(
        until,
        confirmations,
        size,
        otherWindow,
        feeCap,
        resendAfter,
        deadline,
        takeover,
        poll,
        leastRefund);
  }

  /** The same with payments final from another number of blocks. */
  public RelaySettings confirmedAfter(int blocks) {
    return new RelaySettings(
        until, blocks, batch, window, feeCap, resendAfter, deadline, takeover, poll, leastRefund);
  }

  /** The same with another cap, in wei for a unit of gas. */
  public RelaySettings payingAtMost(BigInteger wei) {
    return new RelaySettings(
        until,
        confirmations,
        batch,
        window,
        wei,
        resendAfter,
        deadline,
        takeover,
        poll,
        leastRefund);
  }

  /** The same with other pauses. */
  public RelaySettings pausing(
      Duration beforeResend, Duration settlement, Duration beforeTakeover, Duration polling) {
    return new RelaySettings(
        until,
        confirmations,
        batch,
        window,
        feeCap,
        beforeResend,
        settlement,
        beforeTakeover,
        polling,
        leastRefund);
  }

  /** The same that gives back other least amounts. */
  public RelaySettings refundingAtLeast(long units) {
    return new RelaySettings(
        until, confirmations, batch, window, feeCap, resendAfter, deadline, takeover, poll, units);
  }

  /** How long an answer waits for its payment (money rule 11). */
  public enum Wait {

    /** Until the payment is proven at the configured depth. */
    CONFIRMED,

    /** Until a node has taken the transaction; the gateway bears what is lost afterwards. */
    BROADCAST
  }
}

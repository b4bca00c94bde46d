package dev.octroi.payments.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The contract of channels on the simulated chain, whose times are shorter than a real one's. */
final class SimulatedContract {

  /** So long a payer waits for what it withdraws. */
  static final Duration DELAY = Duration.ofSeconds(120);

  /**
   * A channel in the contract.
   *
   * @param balance what was put into it and not taken back; claims do not reduce it
   * @param claimed what of it is the seller's for good
   * @param withdrawing what its payer has begun to take back
   */
  record Held(long balance, long claimed, long withdrawing) {

    static final Held NOTHING = new Held(0, 0, 0);

    long spendable() {
      return balance - withdrawing;
    }

    private Held without(long amount) {
      long left = balance - amount;
      return new Held(left, claimed, Math.min(withdrawing, left - claimed));
    }
  }

  private final Clock clock;
  private final Map<String, Held> channels = new HashMap<>();
  private final Map<String, Instant> withdrawn = new HashMap<>();

  SimulatedContract(Clock clock) {
    this.clock = clock;
  }

  Held of(String channel) {
    return channels.getOrDefault(channel, Held.NOTHING);
  }

  void deposit(String channel, long amount) {
    Held held = of(channel);
    channels.put(channel, new Held(held.balance() + amount, held.claimed(), held.withdrawing()));
  }

  /** The seller gives back what it does not claim. */
  void refund(String channel, long amount) {
    Held held = of(channel);
    channels.put(channel, held.without(Math.min(amount, held.balance() - held.claimed())));
  }

  /** False if the transaction would fail. */
  boolean claim(String channel, long total, long signed, byte[] signature) {
    Held held = of(channel);
    boolean good =
        total <= signed
            && total <= held.balance()
            && Arrays.equals(signature, Voucher.signature(channel, signed));
    if (good && total > held.claimed()) {
      channels.put(channel, new Held(held.balance(), total, held.withdrawing()));
    }
    return good;
  }

  /** The payer begins to take back all that was not claimed. */
  void withdraw(String channel) {
    Held held = of(channel);
    channels.put(
        channel, new Held(held.balance(), held.claimed(), held.balance() - held.claimed()));
    withdrawn.put(channel, clock.instant());
  }

  boolean isWithdrawing(String channel) {
    return withdrawn.containsKey(channel);
  }

  boolean isDue(String channel) {
    Instant since = withdrawn.get(channel);
    return since != null && !clock.instant().isBefore(since.plus(DELAY));
  }

  /** The payer takes back what it began to, whatever it has signed. */
  void finish(String channel) {
    Held held = of(channel);
    channels.put(
        channel, held.without(Math.min(held.withdrawing(), held.balance() - held.claimed())));
    withdrawn.remove(channel);
  }
}

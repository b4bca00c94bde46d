package dev.octroi.payments.solana;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.solana.SolanaTransactions.StoredTransaction;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a stored transaction to the chain and waits for its end. Thread-safe.
 *
 * <p>The chain forgets what it cannot take at once, so that a transaction is sent again until a
 * block holds it; the same bytes can be held only once.
 */
final class Sending implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sending.class);

  private final SolanaRpc rpc;
  private final SolanaTransactions store;
  private final SolanaSettings settings;
  private final CountDownLatch closing = new CountDownLatch(1);

  Sending(SolanaRpc rpc, SolanaTransactions store, SolanaSettings settings) {
    this.rpc = rpc;
    this.store = store;
    this.settings = settings;
  }

  /** Sends for the first time. {@link Settlement.Unsent} means that the fee payer cannot pay. */
  Settlement send(SolanaTransaction signed, Instant stored) {
    try {
      JsonNode refusal = rpc.send(signed, true).orElse(null);
      if (refusal != null && !SimulationErrors.isAlreadyProcessed(refusal)) {
        return refused(signed, stored, refusal);
      }
    } catch (IOException e) {
      LOG.warn("Transaction {} may have been sent or not: {}", signed.id(), e.getMessage());
    }
    return await(signed);
  }

  /**
   * The first node that saw the whole transaction kept it to itself: no other one has it, unless
   * another gateway took this one for dead and sent what it had stored.
   */
  private Settlement refused(SolanaTransaction signed, Instant stored, JsonNode refusal) {
    if (SimulationErrors.isFeePayerPoor(refusal)) {
      return store.withdraw(signed.messageHash(), stored)
          ? new Settlement.Unsent("settlement_unavailable")
          : await(signed);
    }
    note(signed, StoredTransaction.State.DEAD);
    return new Settlement.Refused(SimulationErrors.FAILED);
  }

  private Settlement await(SolanaTransaction signed) {
    long end = System.nanoTime() + settings.timeout().toNanos();
    long sent = System.nanoTime();
    try {
      while (System.nanoTime() < end) {
        Optional<Settlement> outcome = outcome(signed);
        if (outcome.isPresent()) {
          return outcome.get();
        }
        if (System.nanoTime() - sent > settings.resend().toNanos()) {
          again(signed);
          sent = System.nanoTime();
        }
        if (closing.await(settings.poll().toNanos(), TimeUnit.NANOSECONDS)) {
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Settlement.Unknown("settlement_pending", signed.id());
  }

  private Optional<Settlement> outcome(SolanaTransaction signed) {
    SolanaRpc.Status status;
    try {
      status = rpc.status(signed.id(), false).orElse(null);
    } catch (IOException e) {
      LOG.debug("Transaction {}: {}", signed.id(), e.getMessage());
      return Optional.empty();
    }
    if (status == null || !settings.finality().reachedBy(status)) {
      return Optional.empty();
    }
    note(signed, status.failed() ? StoredTransaction.State.DEAD : StoredTransaction.State.LANDED);
    return Optional.of(
        status.failed()
            ? new Settlement.Refused("invalid_exact_svm_transaction_failed")
            : new Settlement.Settled(signed.id()));
  }

  /** An end that cannot be written down is certain all the same, and found again when needed. */
  private void note(SolanaTransaction signed, StoredTransaction.State end) {
    try {
      store.close(signed.messageHash(), end);
    } catch (IllegalStateException e) {
      LOG.warn("The end {} of transaction {} was not written down", end, signed.id(), e);
    }
  }

  private void again(SolanaTransaction signed) {
    try {
      rpc.send(signed, false);
    } catch (IOException e) {
      LOG.debug("Transaction {}: {}", signed.id(), e.getMessage());
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }

  /** What the chain's own words for a failure mean for a payment. */
  static final class SimulationErrors {

    /** The reference implementations' reason for whatever has no better one. */
    static final String FAILED = "invalid_exact_svm_transaction_simulation_failed";

    private SimulationErrors() {}

    /** The message was carried out before, so that its answer may be owed. */
    static boolean isAlreadyProcessed(JsonNode error) {
      return error.asText().equals("AlreadyProcessed");
    }

    /** The message's blockhash is too old, or of a fork that is gone. */
    static boolean isBlockhashGone(JsonNode error) {
      return error.asText().equals("BlockhashNotFound");
    }

    /** The first account, which is ours, cannot pay the fee. */
    static boolean isFeePayerPoor(JsonNode error) {
      return error.asText().equals("InsufficientFundsForFee")
          || error.asText().equals("AccountNotFound")
          || error.path("InsufficientFundsForRent").path("account_index").asInt(-1) == 0;
    }
  }
}

package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored transaction that is under way, without its bytes.
 *
 * @param hash 0x and 64 hex digits
 * @param relayer whose nonce it uses
 * @param gas its gas limit
 * @param createdAt when it was stored
 * @param sentAt when it was last sent, or stored
 * @param goodUntil when the last of its authorizations ends; for one without payments, its creation
 * @param block where it was seen; null if it was not
 */
record RelayedTransaction(
    String hash,
    EvmAddress relayer,
    long nonce,
    TransactionState state,
    long gas,
    Fees fees,
    Instant createdAt,
    Instant sentAt,
    Instant goodUntil,
    @Nullable Long block) {

  /** Where a transaction is on its way. */
  enum TransactionState {
    /** In the database; perhaps on its way, if a node died in between. */
    STORED,
    /** Taken by a node. */
    SENT,
    /** In a block that may still be taken back. */
    MINED,
    /** In a block at the configured depth, with the outcome of each payment. */
    FINAL,
    /** Another transaction has its nonce for good. */
    REPLACED;

    boolean isUnderWay() {
      return this == STORED || this == SENT || this == MINED;
    }
  }
}

package dev.octroi.payments.solana;

import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.solana.SolanaTransactions.StoredTransaction;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Solana proves of a payment in doubt. Thread-safe.
 *
 * <p>Paid is what a block holds that counts as settled, if it carries what the payer signed and
 * raised the recipient's balance by the amount. Not paid is what failed there, what no block holds
 * although a final one is higher than the transaction may stand and the node holds all before it,
 * and what was never stored and is barred now.
 */
public final class SolanaEvidence implements Evidence {

  /** A blockhash may be of a fork that was some blocks ahead when the height was asked. */
  private static final int FORK_BLOCKS = 32;

  /** How long a blockhash dates transactions. */
  private static final int LIFE_BLOCKS = 150;

  private static final Logger LOG = LoggerFactory.getLogger(SolanaEvidence.class);

  private final SolanaRpc rpc;
  private final SolanaSettings.Finality finality;
  private final @Nullable SolanaTransactions store;

  private SolanaEvidence(
      SolanaRpc rpc, SolanaSettings.Finality finality, @Nullable SolanaTransactions store) {
    this.rpc = rpc;
    this.finality = finality;
    this.store = store;
  }

  /** For payments that this gateway settles itself. */
  static SolanaEvidence ofOwn(
      SolanaRpc rpc, SolanaSettings.Finality finality, SolanaTransactions store) {
    return new SolanaEvidence(rpc, finality, store);
  }

  /**
   * For payments that a remote facilitator settles: only those whose transaction was heard of can
   * be decided, and none by expiry, because who signs as fee payer may do so later.
   */
  public static SolanaEvidence ofOthers(SolanaRpc rpc, SolanaSettings.Finality finality) {
    return new SolanaEvidence(rpc, finality, null);
  }

  @Override
  public Optional<Settlement> of(UnresolvedPayment payment) {
    SolanaRpc node = rpc.throughOneNode();
    try {
      return store == null ? ofHeard(payment, node) : ofStored(payment, store, node);
    } catch (IOException e) {
      LOG.debug("Payment {}: {}", payment.id(), e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> transfer(UnresolvedPayment payment) {
    try {
      String id = payment.transaction();
      if (id == null && store != null) {
        id = store.find(payment.key().nonce()).map(found -> found.transaction().id()).orElse(null);
      }
      return id == null
          ? Optional.empty()
          : landed(payment, id, rpc.throughOneNode())
              .filter(Settlement.Settled.class::isInstance)
              .map(settled -> ((Settlement.Settled) settled).transaction());
    } catch (IOException e) {
      LOG.debug("Payment {}: {}", payment.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<Settlement> ofHeard(UnresolvedPayment payment, SolanaRpc node)
      throws IOException {
    String id = payment.transaction();
    return id == null ? Optional.empty() : landed(payment, id, node);
  }

  private Optional<Settlement> ofStored(
      UnresolvedPayment payment, SolanaTransactions stored, SolanaRpc node) throws IOException {
    String hash = payment.key().nonce();
    StoredTransaction found = stored.find(hash).orElse(null);
    return found == null ? ofUnknown(payment, stored, node) : ofFound(payment, found, stored, node);
  }

  /** Of what is forgotten, or was never stored: then no node may store it any more. */
  private Optional<Settlement> ofUnknown(
      UnresolvedPayment payment, SolanaTransactions stored, SolanaRpc node) throws IOException {
    if (payment.transaction() != null || stored.mayHaveForgotten(payment.since())) {
      return ofHeard(payment, node);
    }
    return stored.bar(payment.key().nonce())
        ? Optional.of(new Settlement.Refused("never_sent"))
        : Optional.empty();
  }

  private Optional<Settlement> ofFound(
      UnresolvedPayment payment, StoredTransaction found, SolanaTransactions stored, SolanaRpc node)
      throws IOException {
    SolanaTransaction transaction = found.transaction();
    // Asked for before the state, so that nothing can land between the two.
    SolanaRpc.Block top = node.finalized();
    long last = found.lastValidHeight() + FORK_BLOCKS;
    Optional<Settlement> outcome = landed(payment, transaction.id(), node);
    if (outcome.isEmpty()
        && found.state() != StoredTransaction.State.LANDED
        && node.status(transaction.id(), true, top.slot()).isEmpty()) {
      if (top.height() > last) {
        long first = Math.max(0, found.lastValidHeight() - LIFE_BLOCKS - FORK_BLOCKS);
        node.requireBlocks(first, last, top);
        node.requireExpired(transaction.message().blockhash(), top);
        node.requireChain();
        outcome = Optional.of(new Settlement.Refused("transaction_expired"));
      } else if (found.state() == StoredTransaction.State.OPEN
          && stored.takeOver(payment.key().nonce())) {
        node.send(transaction, false);
      }
    }
    outcome.ifPresent(end -> stored.close(payment.key().nonce(), state(end)));
    return outcome;
  }

  private static StoredTransaction.State state(Settlement end) {
    return end instanceof Settlement.Settled
        ? StoredTransaction.State.LANDED
        : StoredTransaction.State.DEAD;
  }

  /** The end of a transaction that a block holds; empty as long as none does for good. */
  private Optional<Settlement> landed(UnresolvedPayment payment, String id, SolanaRpc node)
      throws IOException {
    SolanaRpc.Status status = node.status(id, true).orElse(null);
    if (status == null || !finality.reachedBy(status)) {
      return Optional.empty();
    }
    SolanaRpc.Landed landed = node.landed(id).orElse(null);
    if (landed == null) {
      return Optional.empty();
    }
    if (!landed.message().equals(payment.key().nonce())) {
      LOG.error("Transaction {} is not what payment {} signed: look at it", id, payment.id());
      return Optional.empty();
    }
    if (status.failed()) {
      return Optional.of(new Settlement.Refused("invalid_exact_svm_transaction_failed"));
    }
    if (landed.credited(payment.payTo(), payment.asset()) < payment.amount()) {
      LOG.error("Transaction {} did not pay payment {}: look at it", id, payment.id());
      return Optional.empty();
    }
    return Optional.of(new Settlement.Settled(id));
  }
}

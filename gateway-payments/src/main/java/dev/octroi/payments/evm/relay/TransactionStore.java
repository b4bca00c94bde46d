package dev.octroi.payments.evm.relay;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.relay.Conclusion.PartOutcome;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction.TransactionState;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/**
 * Relayed transactions in the database, which hands out nonces: taking one and storing the
 * transaction that uses it are one commit, so that no two nodes take the same and none is lost.
 *
 * <p>Thread-safe; its statements run on the relay's own threads, which are never interrupted.
 */
final class TransactionStore {

  private static final String OPEN =
      "INSERT INTO relayer (network, address, next_nonce) VALUES (:network, :relayer, :nonce)";

  private static final String CATCH_UP =
      """
      UPDATE relayer SET next_nonce = CASE WHEN next_nonce < :nonce THEN :nonce ELSE next_nonce END
      WHERE network = :network AND address = :relayer
      """;

  /** The row stays locked until the transaction that uses the nonce is stored. */
  private static final String TAKE_NONCE =
      """
      UPDATE relayer SET next_nonce = next_nonce + 1
      WHERE network = :network AND address = :relayer
      """;

  private static final String NEXT_NONCE =
      "SELECT next_nonce FROM relayer WHERE network = :network AND address = :relayer";

  private static final String INSERT =
      """
      INSERT INTO chain_tx (hash, network, relayer, nonce, state, raw, gas_limit, max_fee, tip, node,
        created_at, sent_at, good_until)
      VALUES (:hash, :network, :relayer, :nonce, 'STORED', :raw, :gas, :max, :tip, :node, :now, :now, :until)
      """;

  private static final String INSERT_PART =
      """
      INSERT INTO chain_tx_payment (hash, position, network, payer, nonce, token, call)
      VALUES (:hash, :position, :network, :payer, :nonce, :token, :call)
      """;

  private static final String SENT =
      """
      UPDATE chain_tx SET sent_at = :now, node = :node, state = CASE WHEN state = 'STORED' THEN 'SENT' ELSE state END
      WHERE hash = :hash AND state IN ('STORED', 'SENT', 'MINED')
      """;

  private static final String SEEN =
      "UPDATE chain_tx SET state = :state, block = :block WHERE hash = :hash AND state IN ('STORED', 'SENT', 'MINED')";

  private static final String FINISH =
      "UPDATE chain_tx SET state = 'FINAL', block = :block, fee = :fee WHERE hash = :hash AND state IN ('STORED', 'SENT', 'MINED')";

  private static final String REPLACE =
      """
      UPDATE chain_tx SET state = 'REPLACED'
      WHERE network = :network AND relayer = :relayer AND nonce = :nonce AND state IN ('STORED', 'SENT', 'MINED')
      """;

  private static final String OUTCOME =
      "UPDATE chain_tx_payment SET outcome = :outcome WHERE hash = :hash AND position = :position";

  private final Jdbi database;
  private final String network;
  private final String node;
  private final Clock clock;
  private final TransactionQueries queries;

  /** A transaction with the nonce that was taken for it. */
  record Taken(long nonce, SignedTransaction signed) {}

  TransactionStore(DataSource database, String network, String node, Clock clock) {
    this.database = NamedStatements.of(database);
    this.queries = new TransactionQueries(this.database, network, node);
    this.network = network;
    this.node = node;
    this.clock = clock;
  }

  /** What this node is called in the database. */
  String node() {
    return node;
  }

  /** What is stored. */
  TransactionQueries read() {
    return queries;
  }

  /** Makes the relayer's next nonce at least this one, for a key may have been used elsewhere. */
  void catchUp(EvmAddress relayer, long nonce) {
    if (caughtUp(relayer, nonce)) {
      return;
    }
    try {
      database.useHandle(
          handle -> of(handle.createUpdate(OPEN), relayer).bind("nonce", nonce).execute());
    } catch (UnableToExecuteStatementException e) {
      // Another node was first.
      if (!caughtUp(relayer, nonce)) {
        throw e;
      }
    }
  }

  private boolean caughtUp(EvmAddress relayer, long nonce) {
    return database.withHandle(
        handle -> of(handle.createUpdate(CATCH_UP), relayer).bind("nonce", nonce).execute() == 1);
  }

  private <S extends SqlStatement<S>> S of(S statement, EvmAddress relayer) {
    return statement.bind("network", network).bind("relayer", relayer.bytes());
  }

  /** The nonce that would be taken next; 0 for a relayer that never took one. */
  long nextNonce(EvmAddress relayer) {
    return database.withHandle(handle -> nextNonce(handle, relayer));
  }

  private long nextNonce(Handle handle, EvmAddress relayer) {
    return of(handle.createQuery(NEXT_NONCE), relayer).mapTo(Long.class).findFirst().orElse(0L);
  }

  /** Takes the next nonce, signs with it and stores what was signed. */
  Taken store(EvmAddress relayer, Draft draft, Fees fees, LongFunction<SignedTransaction> signer) {
    return store(relayer, draft, fees, signer, (handle, hash) -> {});
  }

  /**
   * The same.
   *
   * @param with what is written in the same commit, told the hash
   */
  Taken store(
      EvmAddress relayer,
      Draft draft,
      Fees fees,
      LongFunction<SignedTransaction> signer,
      BiConsumer<Handle, String> with) {
    return database.inTransaction(
        handle -> {
          if (of(handle.createUpdate(TAKE_NONCE), relayer).execute() != 1) {
            throw new IllegalStateException(relayer + " has no nonces here: it was never opened");
          }
          long nonce = nextNonce(handle, relayer) - 1;
          SignedTransaction signed = signer.apply(nonce);
          insert(handle, relayer, nonce, draft, fees, signed);
          with.accept(handle, signed.hash());
          return new Taken(nonce, signed);
        });
  }

  /** Stores another transaction for a nonce that was taken before. */
  void storeAgain(
      EvmAddress relayer, long nonce, Draft draft, Fees fees, SignedTransaction signed) {
    database.useTransaction(handle -> insert(handle, relayer, nonce, draft, fees, signed));
  }

  private void insert(
      Handle handle,
      EvmAddress relayer,
      long nonce,
      Draft draft,
      Fees fees,
      SignedTransaction signed) {
    Instant now = clock.instant();
    byte[] hash = Hex.parse(signed.hash());
    handle
        .createUpdate(INSERT)
        .bind("hash", hash)
        .bind("network", network)
        .bind("relayer", relayer.bytes())
        .bind("nonce", nonce)
        .bind("raw", signed.raw())
        .bind("gas", draft.gas())
        .bind("max", new BigDecimal(fees.max()))
        .bind("tip", new BigDecimal(fees.tip()))
        .bind("node", node)
        .bind("now", now)
        .bind("until", draft.goodUntil(now))
        .execute();
    for (int i = 0; i < draft.calls().size(); i++) {
      TransferCall call = draft.calls().get(i);
      handle
          .createUpdate(INSERT_PART)
          .bind("hash", hash)
          .bind("position", i)
          .bind("network", network)
          .bind("payer", call.owner())
          .bind("nonce", call.nonce())
          .bind("token", call.token().bytes())
          .bind("call", call.data())
          .execute();
    }
  }

  /** A node of the chain has taken it; the gateway node that sent it follows it from now on. */
  void sent(String hash) {
    database.useHandle(
        handle ->
            handle
                .createUpdate(SENT)
                .bind("hash", Hex.parse(hash))
                .bind("node", node)
                .bind("now", clock.instant())
                .execute());
  }

  /** It is in this block. */
  void mined(String hash, long block) {
    seen(hash, TransactionState.MINED, block);
  }

  /** It was in a block, and the chain has taken that back. */
  void unmined(String hash) {
    seen(hash, TransactionState.SENT, null);
  }

  private void seen(String hash, TransactionState state, @Nullable Long block) {
    database.useHandle(
        handle ->
            handle
                .createUpdate(SEEN)
                .bind("hash", Hex.parse(hash))
                .bind("state", state)
                .bind("block", block)
                .execute());
  }

  /**
   * It is final, with the outcome of each payment; the others of its nonce are replaced.
   *
   * @param fee what it has cost, in wei; null if that is not told
   */
  void finish(
      RelayedTransaction transaction,
      long block,
      @Nullable BigInteger fee,
      List<PartOutcome> outcomes) {
    database.useTransaction(
        handle -> {
          byte[] hash = Hex.parse(transaction.hash());
          handle
              .createUpdate(FINISH)
              .bind("hash", hash)
              .bind("block", block)
              .bind("fee", fee == null ? null : new BigDecimal(fee))
              .execute();
          replace(handle, transaction.relayer(), transaction.nonce());
          for (int i = 0; i < outcomes.size(); i++) {
            handle
                .createUpdate(OUTCOME)
                .bind("hash", hash)
                .bind("position", i)
                .bind("outcome", outcomes.get(i))
                .execute();
          }
        });
  }

  /** A transaction that no node here sent has used the nonce. */
  void replaced(EvmAddress relayer, long nonce) {
    database.useHandle(handle -> replace(handle, relayer, nonce));
  }

  private void replace(Handle handle, EvmAddress relayer, long nonce) {
    of(handle.createUpdate(REPLACE), relayer).bind("nonce", nonce).execute();
  }

  /**
   * A stored transaction that is under way, without its bytes.
   *
   * @param hash 0x and 64 hex digits
   * @param relayer whose nonce it uses
   * @param gas its gas limit
   * @param createdAt when it was stored
   * @param sentAt when it was last sent, or stored
   * @param goodUntil when the last of its authorizations ends; for one without payments, its
   *     creation
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
}

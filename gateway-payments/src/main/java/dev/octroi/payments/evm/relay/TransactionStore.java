package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/**
 * Relayed transactions in the database, which hands out nonces: taking one and storing the
 * transaction that uses it are one commit, so that no two nodes take the same and none is lost.
 *
 * <p>Thread-safe; its statements run on the relay's own threads, which nobody interrupts.
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
      VALUES (:hash, :network, :relayer, :nonce, 1, :raw, :gas, :max, :tip, :node, :now, :now, :until)
      """;

  private static final String INSERT_PART =
      """
      INSERT INTO chain_tx_payment (hash, position, network, payer, nonce, token, call)
      VALUES (:hash, :position, :network, :payer, :nonce, :token, :call)
      """;

  private static final String COLUMNS =
      """
      SELECT hash, relayer, nonce, state, gas_limit, max_fee, tip, created_at, sent_at, good_until,
        block FROM chain_tx
      """;

  /** A relayer's transactions of one nonce come together, the dearest last. */
  private static final String UNDER_WAY =
      COLUMNS
          + """
          WHERE network = :network AND state IN (1, 2, 3) AND (node = :node OR sent_at < :before)
          ORDER BY relayer, nonce, max_fee LIMIT :most
          """;

  private static final String OF_NONCE =
      COLUMNS
          + """
          WHERE network = :network AND relayer = :relayer AND nonce = :nonce ORDER BY max_fee
          """;

  private static final String CALLS =
      "SELECT token, call FROM chain_tx_payment WHERE hash = :hash ORDER BY position";

  private static final String PLACES =
      """
      SELECT t.relayer, t.nonce FROM chain_tx_payment p JOIN chain_tx t ON t.hash = p.hash
      WHERE p.network = :network AND p.payer = :payer AND p.nonce = :nonce
        AND t.state IN (1, 2, 3)
      """;

  private static final String RAW = "SELECT raw FROM chain_tx WHERE hash = :hash";

  private static final String SENT =
      """
      UPDATE chain_tx SET sent_at = :now, node = :node, state = CASE WHEN state = 1 THEN 2 ELSE state END
      WHERE hash = :hash AND state IN (1, 2, 3)
      """;

  private static final String SEEN =
      "UPDATE chain_tx SET state = :state, block = :block WHERE hash = :hash AND state IN (1, 2, 3)";

  private static final String FINISH =
      "UPDATE chain_tx SET state = 4, block = :block WHERE hash = :hash AND state IN (1, 2, 3)";

  private static final String REPLACE =
      """
      UPDATE chain_tx SET state = 5
      WHERE network = :network AND relayer = :relayer AND nonce = :nonce AND state IN (1, 2, 3)
      """;

  private static final String OUTCOME =
      "UPDATE chain_tx_payment SET outcome = :outcome WHERE hash = :hash AND position = :position";

  private static final String PAID =
      """
      SELECT hash FROM chain_tx_payment
      WHERE network = :network AND payer = :payer AND nonce = :nonce AND outcome = 2
      """;

  private static final String LOAD =
      """
      SELECT relayer, COUNT(*) AS open, SUM(max_fee * gas_limit) AS cost FROM chain_tx
      WHERE network = :network AND state IN (1, 2, 3) GROUP BY relayer
      """;

  private final Jdbi database;
  private final String network;
  private final String node;
  private final Clock clock;

  /** What a relayer has under way. */
  record Load(long open, BigInteger cost) {}

  /** A transaction with the nonce that was taken for it. */
  record Taken(long nonce, SignedTransaction signed) {}

  TransactionStore(DataSource database, String network, String node, Clock clock) {
    this.database = Jdbi.create(database);
    this.network = network;
    this.node = node;
    this.clock = clock;
  }

  /** Makes the relayer's next nonce at least this one, for a key may have been used elsewhere. */
  void catchUp(EvmAddress relayer, long nonce) {
    if (caughtUp(relayer, nonce)) {
      return;
    }
    try {
      database.useHandle(
          handle ->
              handle
                  .createUpdate(OPEN)
                  .bind("network", network)
                  .bind("relayer", bytes(relayer))
                  .bind("nonce", nonce)
                  .execute());
    } catch (UnableToExecuteStatementException e) {
      // Another node was first.
      if (!caughtUp(relayer, nonce)) {
        throw e;
      }
    }
  }

  private boolean caughtUp(EvmAddress relayer, long nonce) {
    return database.withHandle(
        handle ->
            handle
                    .createUpdate(CATCH_UP)
                    .bind("network", network)
                    .bind("relayer", bytes(relayer))
                    .bind("nonce", nonce)
                    .execute()
                == 1);
  }

  /** The nonce that would be taken next; 0 for a relayer that never took one. */
  long nextNonce(EvmAddress relayer) {
    return database.withHandle(handle -> nextNonce(handle, relayer));
  }

  private long nextNonce(Handle handle, EvmAddress relayer) {
    return handle
        .createQuery(NEXT_NONCE)
        .bind("network", network)
        .bind("relayer", bytes(relayer))
        .mapTo(Long.class)
        .findFirst()
        .orElse(0L);
  }

  /** Takes the next nonce, signs with it and stores what was signed. */
  Taken store(EvmAddress relayer, Draft draft, Fees fees, LongFunction<SignedTransaction> signer) {
    return database.inTransaction(
        handle -> {
          handle
              .createUpdate(TAKE_NONCE)
              .bind("network", network)
              .bind("relayer", bytes(relayer))
              .execute();
          long nonce = nextNonce(handle, relayer) - 1;
          SignedTransaction signed = signer.apply(nonce);
          insert(handle, relayer, nonce, draft, fees, signed);
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
        .bind("relayer", bytes(relayer))
        .bind("nonce", nonce)
        .bind("raw", signed.raw())
        .bind("gas", draft.gas())
        .bind("max", new BigDecimal(fees.max()))
        .bind("tip", new BigDecimal(fees.tip()))
        .bind("node", node)
        .bind("now", StoredRows.utc(now))
        .bind("until", StoredRows.utc(StoredRows.goodUntil(draft.calls(), now)))
        .execute();
    for (int i = 0; i < draft.calls().size(); i++) {
      TransferCall call = draft.calls().get(i);
      handle
          .createUpdate(INSERT_PART)
          .bind("hash", hash)
          .bind("position", i)
          .bind("network", network)
          .bind("payer", bytes(call.payer()))
          .bind("nonce", call.nonce())
          .bind("token", bytes(call.token()))
          .bind("call", call.data())
          .execute();
    }
  }

  /** What this node follows, and what other nodes have not touched since. */
  List<RelayedTransaction> underWay(Instant untouchedSince, int most) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(UNDER_WAY)
                .bind("network", network)
                .bind("node", node)
                .bind("before", StoredRows.utc(untouchedSince))
                .bind("most", most)
                .map((row, context) -> StoredRows.transaction(row))
                .list());
  }

  /** All transactions that were ever made for a nonce. */
  List<RelayedTransaction> ofNonce(EvmAddress relayer, long nonce) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(OF_NONCE)
                .bind("network", network)
                .bind("relayer", bytes(relayer))
                .bind("nonce", nonce)
                .map((row, context) -> StoredRows.transaction(row))
                .list());
  }

  /** The payments in a transaction, in their order. */
  List<TransferCall> calls(String hash) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(CALLS)
                .bind("hash", Hex.parse(hash))
                .map((row, context) -> StoredRows.call(row))
                .list());
  }

  /** Whether a payment is under way with another nonce than this transaction's. */
  boolean isElsewhere(TransferCall call, RelayedTransaction transaction) {
    Place place = new Place(transaction.relayer(), transaction.nonce());
    return places(call).stream().anyMatch(other -> !other.equals(place));
  }

  /** Whether a payment is in any transaction whose end is not known. */
  boolean isUnderWay(TransferCall call) {
    return !places(call).isEmpty();
  }

  private record Place(EvmAddress relayer, long nonce) {}

  private List<Place> places(TransferCall call) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(PLACES)
                .bind("network", network)
                .bind("payer", bytes(call.payer()))
                .bind("nonce", call.nonce())
                .map(
                    (row, context) ->
                        new Place(StoredRows.address(row.getBytes(1)), row.getLong(2)))
                .list());
  }

  /** The bytes to send. */
  byte[] raw(String hash) {
    return database.withHandle(
        handle -> handle.createQuery(RAW).bind("hash", Hex.parse(hash)).mapTo(byte[].class).one());
  }

  /** A node has taken it; whoever sent it follows it from now on. */
  void sent(String hash) {
    database.useHandle(
        handle ->
            handle
                .createUpdate(SENT)
                .bind("hash", Hex.parse(hash))
                .bind("node", node)
                .bind("now", StoredRows.utc(clock.instant()))
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
                .bind("state", state.code())
                .bind("block", block)
                .execute());
  }

  /** It is final, with the outcome of each payment; the others of its nonce are replaced. */
  void finish(RelayedTransaction transaction, long block, List<PartOutcome> outcomes) {
    database.useTransaction(
        handle -> {
          byte[] hash = Hex.parse(transaction.hash());
          handle.createUpdate(FINISH).bind("hash", hash).bind("block", block).execute();
          replace(handle, transaction.relayer(), transaction.nonce());
          for (int i = 0; i < outcomes.size(); i++) {
            handle
                .createUpdate(OUTCOME)
                .bind("hash", hash)
                .bind("position", i)
                .bind("outcome", outcomes.get(i).code())
                .execute();
          }
        });
  }

  /** Somebody else has used the nonce. */
  void replaced(EvmAddress relayer, long nonce) {
    database.useHandle(handle -> replace(handle, relayer, nonce));
  }

  private void replace(Handle handle, EvmAddress relayer, long nonce) {
    handle
        .createUpdate(REPLACE)
        .bind("network", network)
        .bind("relayer", bytes(relayer))
        .bind("nonce", nonce)
        .execute();
  }

  /** The final transaction that paid, if one of ours did. */
  Optional<String> paidBy(EvmAddress payer, byte[] nonce) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(PAID)
                .bind("network", network)
                .bind("payer", bytes(payer))
                .bind("nonce", nonce)
                .map((row, context) -> Hex.of(row.getBytes(1)))
                .findFirst());
  }

  /** What each relayer has under way, on all nodes. */
  Map<EvmAddress, Load> load() {
    return database.withHandle(
        handle ->
            handle
                .createQuery(LOAD)
                .bind("network", network)
                .map(
                    (row, context) ->
                        Map.entry(
                            StoredRows.address(row.getBytes("relayer")),
                            new Load(
                                row.getLong("open"), row.getBigDecimal("cost").toBigInteger())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private static byte[] bytes(EvmAddress address) {
    return Hex.parse(address.lowerCase());
  }
}

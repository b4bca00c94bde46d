package dev.octroi.payments.evm.relay;

import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.relay.TransactionSender.Fees;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction;
import dev.octroi.payments.evm.relay.TransactionStore.RelayedTransaction.TransactionState;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/** What the database knows of relayed transactions. Thread-safe. */
final class TransactionQueries {

  private static final String COLUMNS =
      """
      SELECT hash, relayer, nonce, state, gas_limit, max_fee, tip, created_at, sent_at, good_until,
        block FROM chain_tx
      """;

  /** What was touched so long after the moment in question, a clock that was ahead has told. */
  static final Duration AHEAD = Duration.ofMinutes(10);

  /**
   * A relayer's transactions of one nonce come together and none is missing, the dearest last: of a
   * part alone a nonce that our own replacement has used would look like a stranger's.
   */
  private static final String UNDER_WAY =
      COLUMNS
          + """
          JOIN (
            SELECT relayer AS followed_relayer, nonce AS followed_nonce FROM chain_tx
            WHERE network = :network AND state IN ('STORED', 'SENT', 'MINED') GROUP BY relayer, nonce
            HAVING MAX(sent_at) < :before OR MAX(sent_at) > :ahead OR COUNT(CASE WHEN node = :node THEN 1 END) > 0
            ORDER BY relayer, nonce LIMIT :most
          ) followed ON relayer = followed_relayer AND nonce = followed_nonce
          WHERE network = :network AND state IN ('STORED', 'SENT', 'MINED') ORDER BY relayer, nonce, max_fee
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
        AND t.state IN ('STORED', 'SENT', 'MINED')
      """;

  private static final String CARRIER =
      """
      SELECT t.hash FROM chain_tx_payment p JOIN chain_tx t ON t.hash = p.hash
      WHERE p.network = :network AND p.payer = :payer AND p.nonce = :nonce
        AND t.state IN ('STORED', 'SENT', 'MINED')
      ORDER BY t.max_fee DESC LIMIT 1
      """;

  private static final String PAYOUT =
      """
      SELECT t.hash FROM chain_tx_payment p JOIN chain_tx t ON t.hash = p.hash
      WHERE p.network = :network AND p.payer = :payer
        AND (t.state IN ('STORED', 'SENT', 'MINED') OR t.sent_at > :since)
      """;

  private static final Instant NEVER = Instant.parse("9000-01-01T00:00:00Z");

  private static final String STATE = "SELECT state FROM chain_tx WHERE hash = :hash";

  private static final String RAW = "SELECT raw FROM chain_tx WHERE hash = :hash";

  private static final String PAID =
      """
      SELECT hash FROM chain_tx_payment
      WHERE network = :network AND payer = :payer AND nonce = :nonce AND outcome = 'PAID'
      """;

  private static final String LOAD =
      """
      SELECT relayer, COUNT(*) AS open, SUM(max_fee * gas_limit) AS cost FROM chain_tx
      WHERE network = :network AND state IN ('STORED', 'SENT', 'MINED') GROUP BY relayer
      """;

  /** What a relayer has under way. */
  record Load(long open, BigInteger cost) {}

  private final Jdbi database;
  private final String network;
  private final String node;
  private final long chainId;

  TransactionQueries(Jdbi database, String network, String node) {
    this.database = database;
    this.network = network;
    this.node = node;
    this.chainId = TokenDomain.chainId(network);
  }

  /** What this node follows, and what other nodes have not touched since, of so many nonces. */
  List<RelayedTransaction> underWay(Instant untouchedSince, int most) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(UNDER_WAY)
                .bind("network", network)
                .bind("node", node)
                .bind("before", untouchedSince)
                .bind("ahead", untouchedSince.plus(AHEAD))
                .bind("most", most)
                .map((row, context) -> transaction(row))
                .list());
  }

  /** All transactions that were ever made for a nonce. */
  List<RelayedTransaction> ofNonce(EvmAddress relayer, long nonce) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(OF_NONCE)
                .bind("network", network)
                .bind("relayer", relayer.bytes())
                .bind("nonce", nonce)
                .map((row, context) -> transaction(row))
                .list());
  }

  /** The payments in a transaction, in their order. */
  List<TransferCall> calls(String hash) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(CALLS)
                .bind("hash", Hex.parse(hash))
                .map(
                    (row, context) ->
                        TransferCall.of(
                            EvmAddress.of(row.getBytes("token")), row.getBytes("call"), chainId))
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
            ofPayment(handle, PLACES, call.owner(), call.nonce())
                .map((row, context) -> new Place(EvmAddress.of(row.getBytes(1)), row.getLong(2)))
                .list());
  }

  /** The transaction under way that carries a payment; the dearest, if there are several. */
  Optional<String> carrier(TransferCall call) {
    return first(CARRIER, call.owner(), call.nonce());
  }

  private Optional<String> first(String sql, byte[] owner, byte[] nonce) {
    return database.withHandle(
        handle ->
            ofPayment(handle, sql, owner, nonce)
                .map((row, context) -> Hex.of(row.getBytes(1)))
                .findFirst());
  }

  private Query ofPayment(Handle handle, String sql, byte[] owner, byte[] nonce) {
    return handle
        .createQuery(sql)
        .bind("network", network)
        .bind("payer", owner)
        .bind("nonce", nonce);
  }

  /** Whether a claim or payout of the gateway's own is in any such transaction. */
  boolean isPayingOut() {
    return isUnderWay(BatchSettlement.ADDRESS.bytes(), NEVER);
  }

  /** Whether a refund out of a channel is, or was last sent since then. */
  boolean isRefunding(Instant since) {
    return isUnderWay(ChannelCalls.refundOwner(), since);
  }

  private boolean isUnderWay(byte[] owner, Instant since) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(PAYOUT)
                .bind("network", network)
                .bind("payer", owner)
                .bind("since", since)
                .mapTo(byte[].class)
                .findFirst()
                .isPresent());
  }

  /** How far a transaction has come. */
  TransactionState state(String hash) {
    return database.withHandle(
        handle ->
            handle
                .createQuery(STATE)
                .bind("hash", Hex.parse(hash))
                .mapTo(TransactionState.class)
                .one());
  }

  /** The bytes to send. */
  byte[] raw(String hash) {
    return database.withHandle(
        handle -> handle.createQuery(RAW).bind("hash", Hex.parse(hash)).mapTo(byte[].class).one());
  }

  /** The final transaction that paid, if one of ours did. */
  Optional<String> paidBy(byte[] owner, byte[] nonce) {
    return first(PAID, owner, nonce);
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
                            EvmAddress.of(row.getBytes("relayer")),
                            new Load(
                                row.getLong("open"), row.getBigDecimal("cost").toBigInteger())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private static RelayedTransaction transaction(ResultSet row) throws SQLException {
    long block = row.getLong("block");
    Long seen = row.wasNull() ? null : Long.valueOf(block);
    return new RelayedTransaction(
        Hex.of(row.getBytes("hash")),
        EvmAddress.of(row.getBytes("relayer")),
        row.getLong("nonce"),
        TransactionState.valueOf(row.getString("state")),
        row.getLong("gas_limit"),
        new Fees(
            row.getBigDecimal("max_fee").toBigInteger(), row.getBigDecimal("tip").toBigInteger()),
        NamedStatements.instant(row, "created_at").orElseThrow(),
        NamedStatements.instant(row, "sent_at").orElseThrow(),
        NamedStatements.instant(row, "good_until").orElseThrow(),
        seen);
  }
}

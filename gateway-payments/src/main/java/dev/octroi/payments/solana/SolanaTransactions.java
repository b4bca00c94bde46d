package dev.octroi.payments.solana;

import dev.octroi.payments.Daemons;
import dev.octroi.payments.NamedStatements;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jdbi.v3.core.statement.Update;

/**
 * Transactions that are stored before they are sent, each message once over all nodes.
 *
 * <p>Thread-safe. Statements run on threads of its own, which are never interrupted: an interrupt
 * breaks an H2 file.
 */
public final class SolanaTransactions implements AutoCloseable {

  private static final String INSERT =
      """
      INSERT INTO solana_tx (network, message_hash, raw, last_valid_height, state, stored_at)
      VALUES (:network, :hash, :raw, :height, :state, :now)
      """;

  private static final String FIND =
      """
      SELECT raw, last_valid_height, state FROM solana_tx
      WHERE network = :network AND message_hash = :hash
      """;

  private static final String CLOSE =
      """
      UPDATE solana_tx SET state = :state
      WHERE network = :network AND message_hash = :hash AND state = 'OPEN'
      """;

  /** Moves the time, by which the node that stored it sees that it is no longer alone with it. */
  private static final String TAKE_OVER =
      """
      UPDATE solana_tx SET stored_at = stored_at + INTERVAL '1' SECOND
      WHERE network = :network AND message_hash = :hash AND state = 'OPEN'
      """;

  private static final String WITHDRAW =
      """
      DELETE FROM solana_tx
      WHERE network = :network AND message_hash = :hash AND state = 'OPEN' AND stored_at = :stored
      """;

  private static final String FORGET =
      "DELETE FROM solana_tx WHERE state <> 'OPEN' AND stored_at < :before";

  /** What a payment is barred with that was never to be sent: a transaction of no bytes. */
  private static final byte[] NOTHING = {};

  /** A message cannot be carried out again some minutes later; a doubt may last for weeks. */
  private static final Duration MEMORY = Duration.ofDays(30);

  private static final Duration MARGIN = Duration.ofDays(1);
  private static final int THREADS = 2;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final Jdbi database;
  private final String network;
  private final Clock clock;
  private final ExecutorService threads;

  /**
   * Opens the store; the schema must have been applied.
   *
   * @param network CAIP-2 id
   */
  public SolanaTransactions(DataSource database, String network, Clock clock) {
    this.database = NamedStatements.of(database);
    this.network = network;
    this.clock = clock;
    this.threads = Executors.newFixedThreadPool(THREADS, new Daemons("solana-transactions"));
  }

  /**
   * Stores a transaction to be sent. The result is when it was stored, and empty if its message was
   * stored or barred before.
   */
  Optional<Instant> store(SolanaTransaction transaction, long lastValidHeight) {
    return insert(
        transaction.messageHash(),
        transaction.toBytes(),
        lastValidHeight,
        StoredTransaction.State.OPEN);
  }

  /**
   * Keeps any node from storing a message that none has stored yet, so that it is certain that it
   * was never sent and never will be; false if one has.
   */
  boolean bar(String messageHash) {
    return insert(messageHash, NOTHING, 0, StoredTransaction.State.DEAD).isPresent()
        || find(messageHash).isEmpty();
  }

  private Optional<Instant> insert(
      String messageHash, byte[] raw, long height, StoredTransaction.State state) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return run(
        handle -> {
          try {
            handle
                .createUpdate(INSERT)
                .bind("network", network)
                .bind("hash", hash(messageHash))
                .bind("raw", raw)
                .bind("height", height)
                .bind("state", state)
                .bind("now", now)
                .execute();
            return Optional.of(now);
          } catch (UnableToExecuteStatementException e) {
            if (find(handle, messageHash).isEmpty()) {
              throw e;
            }
            return Optional.empty();
          }
        });
  }

  /** A stored transaction; empty if there is none, or the message was only barred. */
  Optional<StoredTransaction> find(String messageHash) {
    return run(handle -> find(handle, messageHash))
        .filter(row -> row.raw().length > 0)
        .map(
            row ->
                new StoredTransaction(
                    SolanaTransaction.read(row.raw()), row.height(), row.state()));
  }

  /** Notes the end of an open transaction. */
  void close(String messageHash, StoredTransaction.State end) {
    change(CLOSE, messageHash, update -> update.bind("state", end));
  }

  /** Keeps a transaction from being withdrawn, because this node sends it too; false if it was. */
  boolean takeOver(String messageHash) {
    return change(TAKE_OVER, messageHash, update -> update);
  }

  /**
   * Takes back a transaction that certainly no node of the chain has forwarded, so that it may be
   * stored again; false if another gateway has taken it over meanwhile.
   */
  boolean withdraw(String messageHash, Instant stored) {
    return change(WITHDRAW, messageHash, update -> update.bind("stored", stored));
  }

  private boolean change(String sql, String messageHash, UnaryOperator<Update> more) {
    return run(
        handle ->
            more.apply(handle.createUpdate(sql))
                    .bind("network", network)
                    .bind("hash", hash(messageHash))
                    .execute()
                == 1);
  }

  /** Deletes what has ended and is older than a month; returns how many. */
  int forget() {
    return run(
        handle ->
            handle.createUpdate(FORGET).bind("before", clock.instant().minus(MEMORY)).execute());
  }

  /** Whether a transaction of that time may have been deleted, or be so soon. */
  boolean mayHaveForgotten(Instant stored) {
    return stored.isBefore(clock.instant().minus(MEMORY).plus(MARGIN));
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  private record Row(byte[] raw, long height, StoredTransaction.State state) {}

  private Optional<Row> find(Handle handle, String messageHash) {
    return handle
        .createQuery(FIND)
        .bind("network", network)
        .bind("hash", hash(messageHash))
        .map(
            (row, context) ->
                new Row(
                    row.getBytes(1),
                    row.getLong(2),
                    StoredTransaction.State.valueOf(row.getString(3))))
        .findOne();
  }

  private static byte[] hash(String messageHash) {
    return HexFormat.of().parseHex(messageHash);
  }

  private <T> T run(Function<Handle, T> work) {
    Future<T> result = threads.submit(() -> database.withHandle(work::apply));
    try {
      return result.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the transactions' database failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("the transactions' database did not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * A payment's transaction as it was stored before it was sent.
   *
   * @param transaction signed by all
   * @param lastValidHeight no block above this height can hold it
   * @param state where it stands
   */
  record StoredTransaction(SolanaTransaction transaction, long lastValidHeight, State state) {

    /** Where a stored transaction stands. */
    enum State {
      /** Stored, and perhaps sent. */
      OPEN,
      /** In a block, and the money moved. */
      LANDED,
      /** It moved nothing and never will. */
      DEAD
    }
  }
}

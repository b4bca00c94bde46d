package dev.octroi.payments.evm.chain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.NamedStatements;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.chain.Multicall3.Call;
import dev.octroi.payments.evm.chain.Multicall3.Result;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.x402.StatedChannel;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/**
 * What the contract says of channels, as of a confirmed block. A reading holds for five minutes, a
 * third of the shortest delay of a withdrawal, on all nodes that share the database. So a call by
 * voucher asks no chain, and a payer who begins to withdraw is noticed in time. Thread-safe; throws
 * {@link ChainUnavailable} where the chain must be asked and cannot.
 */
public final class ChannelReader {

  private static final Duration FRESH = Duration.ofMinutes(5);

  /** So soon a channel is asked for again that does not hold enough: a deposit may have come. */
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /**
   * Nodes' clocks differ by less: what was read later than that, a clock that is ahead has told.
   */
  private static final Duration AHEAD = Duration.ofMinutes(2);

  /** Channels that this node remembers; others are read from the database. */
  private static final int MOST = 10_000;

  private static final String SETTLED = event("Settled(address,address,address,uint128)");
  private static final String REFUNDED = event("Refunded(bytes32,address,uint128)");

  private static final String FIND =
      "SELECT balance, claimed, withdrawing, read_at FROM channel_reading WHERE network = :network AND id = :id";

  private static final String UPDATE =
      """
      UPDATE channel_reading SET balance = :balance, claimed = :claimed, withdrawing = :withdrawing, read_at = :at
      WHERE network = :network AND id = :id
        AND (read_at <= :at OR read_at > CAST(:at AS TIMESTAMP WITH TIME ZONE) + INTERVAL '2' MINUTE)
      """;

  private static final String INSERT =
      """
      INSERT INTO channel_reading (network, id, balance, claimed, withdrawing, read_at)
      VALUES (:network, :id, :balance, :claimed, :withdrawing, :at)
      """;

  private static final String FORGET =
      "UPDATE channel_reading SET read_at = :never WHERE network = :network AND id = :id";

  /**
   * A channel in the contract, in atomic units of its token.
   *
   * @param balance what was put into it and not taken back; claims do not reduce it
   * @param claimed what of it is the receiver's for good
   * @param withdrawing what its payer has begun to take back
   * @param at when it was read
   */
  public record ChannelReading(long balance, long claimed, long withdrawing, Instant at) {

    /** What vouchers may come to in all. */
    public long spendable() {
      return balance - withdrawing;
    }
  }

  /**
   * A channel as another server is told it.
   *
   * @param stated what the contract says
   * @param spendable what vouchers may come to in all, in atomic units
   */
  public record ToldChannel(StatedChannel stated, BigInteger spendable) {}

  /**
   * A receiver in the contract, in atomic units.
   *
   * @param claimed what was claimed for it in all
   * @param paid what of it was paid out
   */
  public record ReceiverAccount(long claimed, long paid) {

    /** What it was not paid yet. */
    public long unpaid() {
      return claimed - paid;
    }
  }

  private final JsonRpc rpc;
  private final Jdbi database;
  private final String network;
  private final int confirmations;
  private final Clock clock;
  private final Map<String, ChannelReading> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ChannelReading> eldest) {
          return size() > MOST;
        }
      };

  /**
   * Makes what reads the channels of a chain.
   *
   * @param confirmations from how many blocks on, its own included, what a block says is believed
   */
  public ChannelReader(JsonRpc rpc, DataSource database, int confirmations, Clock clock) {
    this.rpc = rpc;
    this.database = NamedStatements.of(database);
    this.network = "eip155:" + rpc.chainId();
    this.confirmations = confirmations;
    this.clock = clock;
  }

  /**
   * A channel, by a reading that is fresh enough.
   *
   * @param id in hex
   * @param needed what vouchers come to; the chain is asked soon again where that is not there
   */
  ChannelReading of(String id, BigInteger needed) {
    Optional<ChannelReading> reading =
        remembered(id).filter(known -> serves(known, needed)).or(() -> stored(id));
    return reading.filter(read -> serves(read, needed)).orElseGet(() -> of(id));
  }

  private boolean serves(ChannelReading reading, BigInteger needed) {
    boolean enough = needed.compareTo(BigInteger.valueOf(reading.spendable())) <= 0;
    Instant now = clock.instant();
    return !reading.at().isAfter(now.plus(AHEAD))
        && now.isBefore(reading.at().plus(enough ? FRESH : AGAIN));
  }

  private Optional<ChannelReading> remembered(String id) {
    synchronized (known) {
      return Optional.ofNullable(known.get(id));
    }
  }

  private Optional<ChannelReading> stored(String id) {
    Optional<ChannelReading> stored =
        database.withHandle(
            handle ->
                handle
                    .createQuery(FIND)
                    .bind("network", network)
                    .bind("id", Hex.parse(id))
                    .map((row, context) -> reading(row))
                    .findFirst());
    stored.ifPresent(reading -> remember(id, reading));
    return stored;
  }

  private static ChannelReading reading(ResultSet row) throws SQLException {
    return new ChannelReading(
        row.getLong("balance"),
        row.getLong("claimed"),
        row.getLong("withdrawing"),
        NamedStatements.instant(row, "read_at").orElseThrow());
  }

  private void remember(String id, ChannelReading reading) {
    synchronized (known) {
      known.put(id, reading);
    }
  }

  /**
   * Has a channel read anew, into which money is put. What was read of it bounds, until then,
   * vouchers that were verified before.
   */
  void forget(String id) {
    synchronized (known) {
      known.remove(id);
    }
    database.useHandle(
        handle ->
            handle
                .createUpdate(FORGET)
                .bind("never", Instant.EPOCH)
                .bind("network", network)
                .bind("id", Hex.parse(id))
                .execute());
  }

  /** The same for one channel. */
  public ChannelReading of(String id) {
    return Objects.requireNonNull(read(List.of(id)).get(id));
  }

  /** Asks the contract now, in one round trip, and keeps what it says for all nodes. */
  public Map<String, ChannelReading> read(List<String> ids) {
    Map<String, ChannelReading> readings = ask(rpc, confirmations, ids, clock.instant());
    readings.forEach(this::keep);
    return readings;
  }

  private void keep(String id, ChannelReading reading) {
    if (reading.balance() > 0) {
      store(id, reading);
      remember(id, reading);
      return;
    }
    // A caller may name any number of channels that hold nothing; of one that did, it is news.
    var unused = write(UPDATE, id, reading);
    synchronized (known) {
      known.remove(id);
    }
  }

  /** Asks the contract, and keeps nothing. */
  static Map<String, ChannelReading> ask(
      JsonRpc rpc, int confirmations, List<String> ids, Instant now) {
    List<Call> calls = new ArrayList<>();
    for (String id : ids) {
      calls.add(call(ChannelCalls.channels(Hex.parse(id))));
      calls.add(call(ChannelCalls.pendingWithdrawals(Hex.parse(id))));
    }
    List<Result> said = confirmed(rpc, confirmations, calls);
    Map<String, ChannelReading> readings = new HashMap<>();
    for (int i = 0; i < ids.size(); i++) {
      readings.put(ids.get(i), reading(said.get(2 * i), said.get(2 * i + 1), now));
    }
    return readings;
  }

  /** What the contract says of one channel and of its withdrawal. */
  static ChannelReading reading(Result channel, Result withdrawal, Instant at) {
    return new ChannelReading(word(channel, 0), word(channel, 1), word(withdrawal, 0), at);
  }

  /** How often a channel was refunded. */
  public BigInteger refundNonce(byte[] channelId) {
    return BigInteger.valueOf(
        word(confirmed(List.of(call(ChannelCalls.refundNonce(channelId)))).get(0), 0));
  }

  /** The newest block. */
  long head() {
    return head(rpc);
  }

  private static long head(JsonRpc rpc) {
    return Quantities.small(rpc.read("eth_blockNumber"));
  }

  /** The last transaction after a block by which a channel was refunded. */
  Optional<String> refund(byte[] channelId, long block) {
    JsonNode logs =
        rpc.read(
            "eth_getLogs",
            Map.of(
                "address", BatchSettlement.ADDRESS.lowerCase(),
                "topics", List.of(REFUNDED, Hex.of(channelId)),
                "fromBlock", Quantities.hex(block + 1),
                "toBlock", "latest"));
    String transaction = logs.path(logs.size() - 1).path("transactionHash").asText();
    return Optional.of(transaction).filter(hash -> !hash.isEmpty());
  }

  /** What a receiver has claimed and was not paid yet, in atomic units. */
  public long unpaid(EvmAddress receiver, EvmAddress token) {
    return account(receiver, token).unpaid();
  }

  /** A receiver in the contract, in atomic units. */
  public ReceiverAccount account(EvmAddress receiver, EvmAddress token) {
    Result said = confirmed(List.of(call(ChannelCalls.receivers(receiver, token)))).get(0);
    return new ReceiverAccount(word(said, 0), word(said, 1));
  }

  /** A channel as another server is told it; asks the contract, and keeps what it says. */
  public ToldChannel told(String id) {
    Told told = tell(id);
    keep(id, told.reading());
    return told.channel();
  }

  /**
   * Reads a channel anew that was refunded, unless the node that is asked has not seen that yet.
   *
   * @param nonce the refund's
   * @return whether the refund is in what was read
   */
  boolean seesRefund(String id, BigInteger nonce) {
    Told told = tell(id);
    boolean sees = told.channel().stated().refundNonce().compareTo(nonce) > 0;
    if (sees) {
      keep(id, told.reading());
    }
    return sees;
  }

  private record Told(ChannelReading reading, ToldChannel channel) {}

  private Told tell(String id) {
    byte[] channel = Hex.parse(id);
    Instant now = clock.instant();
    List<Result> said =
        confirmed(
            List.of(
                call(ChannelCalls.channels(channel)),
                call(ChannelCalls.pendingWithdrawals(channel)),
                call(ChannelCalls.refundNonce(channel))));
    ChannelReading reading = reading(said.get(0), said.get(1), now);
    StatedChannel stated =
        new StatedChannel(
            id,
            BigInteger.valueOf(reading.balance()),
            BigInteger.valueOf(reading.claimed()),
            word(said.get(1), 1),
            BigInteger.valueOf(word(said.get(2), 0)));
    return new Told(reading, new ToldChannel(stated, BigInteger.valueOf(reading.spendable())));
  }

  /** What a transaction has paid a receiver, in atomic units. */
  public BigInteger paidOut(String transaction, EvmAddress receiver) {
    return moved(transaction, SETTLED, PaidTransfer.topic(receiver));
  }

  /** What a transaction has put into a channel, in atomic units. */
  public BigInteger deposited(String transaction, byte[] channelId) {
    return moved(transaction, DepositProof.DEPOSITED, Hex.of(channelId));
  }

  /** What a transaction has given back out of a channel, in atomic units. */
  public BigInteger refunded(String transaction, byte[] channelId) {
    return moved(transaction, REFUNDED, Hex.of(channelId));
  }

  private BigInteger moved(String transaction, String event, String about) {
    JsonNode receipt = rpc.read("eth_getTransactionReceipt", transaction);
    if (!PaidTransfer.succeeded(receipt)) {
      throw new ChainUnavailable("a node does not know the receipt of " + transaction);
    }
    for (JsonNode log : receipt.path("logs")) {
      if (PaidTransfer.isOf(log, BatchSettlement.ADDRESS.lowerCase())
          && DepositProof.isTopic(log, 0, event)
          && DepositProof.isTopic(log, 1, about)) {
        return new BigInteger(1, Quantities.bytes(log.path("data")), 0, AbiReader.WORD);
      }
    }
    return BigInteger.ZERO;
  }

  private static String event(String signature) {
    return Hex.of(Keccak.ofText(signature));
  }

  private static Call call(byte[] data) {
    return new Call(BatchSettlement.ADDRESS, data);
  }

  private List<Result> confirmed(List<Call> calls) {
    return confirmed(rpc, confirmations, calls);
  }

  private static List<Result> confirmed(JsonRpc rpc, int confirmations, List<Call> calls) {
    String block = "latest";
    if (confirmations > 1) {
      long head = head(rpc);
      block = Quantities.hex(Math.max(head - confirmations + 1, 0));
    }
    JsonNode said = rpc.read(List.of(PaymentReader.simulation(calls, block))).get(0);
    return Multicall3.results(Quantities.bytes(said), calls.size());
  }

  /** A number that the contract said; what is more than a long counts as the most that fits. */
  private static long word(Result said, int index) {
    int start = index * AbiReader.WORD;
    if (!said.success() || said.data().length < start + AbiReader.WORD) {
      throw new ChainUnavailable("the contract of channels is not on this chain");
    }
    BigInteger word = new BigInteger(1, said.data(), start, AbiReader.WORD);
    return word.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
  }

  private void store(String id, ChannelReading reading) {
    if (write(UPDATE, id, reading)) {
      return;
    }
    try {
      var unused = write(INSERT, id, reading);
    } catch (UnableToExecuteStatementException e) {
      // Another node read it at the same moment, or later.
      var unused = write(UPDATE, id, reading);
    }
  }

  private boolean write(String sql, String id, ChannelReading reading) {
    return database.withHandle(
        handle ->
            handle
                    .createUpdate(sql)
                    .bind("network", network)
                    .bind("id", Hex.parse(id))
                    .bind("balance", reading.balance())
                    .bind("claimed", reading.claimed())
                    .bind("withdrawing", reading.withdrawing())
                    .bind("at", reading.at())
                    .execute()
                == 1);
  }
}

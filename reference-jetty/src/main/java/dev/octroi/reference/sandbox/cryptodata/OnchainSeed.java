package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Figures;
import dev.octroi.reference.sandbox.Seeded;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.IntFunction;

/** Makes and fills the on-chain tables, {@code <network>.<table>}. */
final class OnchainSeed {

  /** The tables end so long before now, as the specification's limit on freshness says. */
  private static final long LAG = 300;

  private static final int TRANSACTIONS = 2_000;
  private static final int TRADES = 2_000;
  private static final int TRANSFERS = 3_000;
  private static final int BLOCKS = 1_000;
  private static final int YIELD_DAYS = 60;

  private static final List<String> NETWORKS = List.of("ethereum", "base", "arbitrum", "solana");

  private final Connection connection;
  private final long tip;

  private OnchainSeed(Connection connection, long now) {
    this.connection = connection;
    this.tip = Spans.floor(now, 60) - LAG;
  }

  /**
   * Fills a new database.
   *
   * @param reader the account that may select
   */
  static void fill(Connection connection, long now, String reader) throws SQLException {
    OnchainSeed seed = new OnchainSeed(connection, now);
    connection.setAutoCommit(false);
    seed.run("CREATE USER " + reader + " PASSWORD 'reader'");
    seed.run("CREATE SCHEMA agent");
    for (String network : NETWORKS) {
      seed.run("CREATE SCHEMA " + network);
      seed.transactions(network);
      seed.trades(network);
    }
    seed.blocks("ethereum");
    seed.blocks("base");
    seed.transfers("ethereum");
    seed.transfers("base");
    seed.yields();
    for (String network : NETWORKS) {
      seed.run("GRANT SELECT ON SCHEMA " + network + " TO " + reader);
    }
    seed.run("GRANT SELECT ON SCHEMA agent TO " + reader);
    connection.setAutoCommit(true);
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Also under the vendor's older name, {@code agent.<network>_<table>}. */
  private void table(
      String network, String table, String columns, int count, IntFunction<Object[]> row)
      throws SQLException {
    String name = network + "." + table;
    run("CREATE TABLE " + name + " (" + columns + ")");
    run("CREATE VIEW agent." + network + "_" + table + " AS SELECT * FROM " + name);
    int cells = row.apply(0).length;
    String marks = "?" + ", ?".repeat(cells - 1);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + name + " VALUES (" + marks + ")")) {
      for (int index = 0; index < count; index++) {
        Object[] values = row.apply(index);
        for (int at = 0; at < cells; at++) {
          insert.setObject(at + 1, values[at]);
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void blocks(String network) throws SQLException {
    table(
        network,
        "blocks",
        "block_number BIGINT PRIMARY KEY, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
            + " hash VARCHAR(66), gas_used BIGINT, gas_limit BIGINT, transaction_count INTEGER",
        BLOCKS,
        index -> {
          Seeded seeded = Seeded.of("block", network, index);
          long number = block(index);
          return new Object[] {
            number,
            time(number),
            date(number),
            seeded.transactionHash(),
            seeded.whole(5_000_000, 30_000_000),
            36_000_000L,
            seeded.whole(80, 300)
          };
        });
  }

  private void transactions(String network) throws SQLException {
    table(
        network,
        "transactions",
        "block_number BIGINT, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
            + " hash VARCHAR(88) PRIMARY KEY, from_address VARCHAR(44), to_address VARCHAR(44),"
            + " \"value\" DOUBLE PRECISION, gas_used BIGINT, gas_price_gwei DOUBLE PRECISION,"
            + " success BOOLEAN",
        TRANSACTIONS,
        index -> {
          Seeded seeded = Seeded.of("transaction", network, index);
          long number = block(index % BLOCKS);
          return new Object[] {
            number,
            time(number),
            date(number),
            hash(network, index),
            address(network, seeded),
            address(network, seeded),
            seeded.skewed(0.0001, 90, 6),
            seeded.whole(21_000, 600_000),
            seeded.skewed(0.01, 40, 4),
            seeded.chance(0.97)
          };
        });
  }

  private void trades(String network) throws SQLException {
    table(
        network,
        "dex_trades",
        "block_number BIGINT, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
            + " tx_hash VARCHAR(88), project VARCHAR(40), version VARCHAR(4), taker VARCHAR(44),"
            + " token_bought_symbol VARCHAR(12), token_bought_amount DOUBLE PRECISION,"
            + " token_sold_symbol VARCHAR(12), token_sold_amount DOUBLE PRECISION,"
            + " amount_usd DOUBLE PRECISION",
        TRADES,
        index -> trade(network, index));
  }

  private Object[] trade(String network, int index) {
    Seeded seeded = Seeded.of("dex", network, index);
    long number = block(index % BLOCKS);
    Token bought = seeded.pick(Token.ALL);
    Token sold = Token.of(bought.symbol().equals("USDC") ? "USDT" : "USDC");
    double usd = seeded.skewed(5, 250_000, 2);
    return new Object[] {
      number,
      time(number),
      date(number),
      hash(network, index % TRANSACTIONS),
      seeded.pick(List.of("uniswap", "curve", "aerodrome")),
      seeded.pick(List.of("2", "3", "4")),
      address(network, seeded),
      bought.symbol(),
      Prices.significant(usd / Prices.usd(bought, second(number))),
      sold.symbol(),
      Prices.significant(usd / Prices.usd(sold, second(number))),
      usd
    };
  }

  private void transfers(String network) throws SQLException {
    table(
        network,
        "transfers",
        "block_number BIGINT, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
            + " tx_hash VARCHAR(66), from_address VARCHAR(42), to_address VARCHAR(42),"
            + " symbol VARCHAR(12), token_address VARCHAR(42), amount DOUBLE PRECISION,"
            + " amount_usd DOUBLE PRECISION",
        TRANSFERS,
        index -> {
          Seeded seeded = Seeded.of("transfer", network, index);
          long number = block(index % BLOCKS);
          Token token = seeded.pick(Token.ALL);
          double usd = seeded.skewed(1, 400_000, 2);
          return new Object[] {
            number,
            time(number),
            date(number),
            hash(network, index % TRANSACTIONS),
            seeded.address(),
            seeded.address(),
            token.symbol(),
            token.contract(),
            Prices.significant(usd / Prices.usd(token, second(number))),
            usd
          };
        });
  }

  private void yields() throws SQLException {
    int pools = Project.DEFI.size() * 4;
    table(
        "ethereum",
        "yields_daily",
        "block_date DATE, project VARCHAR(40), symbol VARCHAR(12), apy DOUBLE PRECISION,"
            + " tvl_usd DOUBLE PRECISION",
        pools * YIELD_DAYS,
        index -> {
          Seeded seeded = Seeded.of("yield", index % pools);
          Token token = seeded.pick(Token.ALL);
          double apy = seeded.skewed(0.4, 20, 3) + Seeded.of("day", index).uniform(0, 0.5);
          return new Object[] {
            LocalDate.ofEpochDay(tip / Spans.DAY - index / pools),
            Project.DEFI.get(index % Project.DEFI.size()).slug(),
            token.symbol(),
            Figures.round(apy, 3),
            seeded.skewed(1e5, 9e8, 2)
          };
        });
  }

  /** Blocks lie twelve seconds apart; index 0 is the newest. */
  private long block(int index) {
    return tip / 12 - index;
  }

  private static long second(long block) {
    return block * 12;
  }

  private static OffsetDateTime time(long block) {
    return Instant.ofEpochSecond(second(block)).atOffset(ZoneOffset.UTC);
  }

  private static LocalDate date(long block) {
    return LocalDate.ofEpochDay(second(block) / Spans.DAY);
  }

  private static String hash(String network, int index) {
    Seeded seeded = Seeded.of("hash", network, index);
    return network.equals("solana") ? seeded.base58() + seeded.base58() : seeded.transactionHash();
  }

  private static String address(String network, Seeded seeded) {
    return network.equals("solana") ? seeded.base58() : seeded.address();
  }
}

package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
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
import java.util.stream.Collectors;

/** Makes and fills the on-chain tables, {@code <network>.<table>}. */
final class OnchainSeed {

  /** The tables end so long before now, as the specification's limit on freshness says. */
  private static final long LAG = 300;

  private static final int TRANSACTIONS = 2_000;
  private static final int TRADES = 2_000;
  private static final int TRANSFERS = 3_000;
  private static final int BLOCKS = 1_000;
  private static final int YIELD_DAYS = 60;
  private static final int POOLS = Project.DEFI.size() * 4;

  private final Connection connection;
  private final long tip;

  private OnchainSeed(Connection connection, long now) {
    this.connection = connection;
    this.tip = Spans.floor(now, 60) - LAG;
  }

  /** Fills a new database. */
  static void fill(Connection connection, long now) throws SQLException {
    OnchainSeed seed = new OnchainSeed(connection, now);
    connection.setAutoCommit(false);
    seed.run("CREATE SCHEMA " + OnchainTable.OLDER);
    for (String network : networks()) {
      seed.run("CREATE SCHEMA " + network);
    }
    for (OnchainTable table : OnchainTable.ALL) {
      seed.make(table);
    }
    connection.setAutoCommit(true);
  }

  /** Lets an account select from the tables, and do nothing else. */
  static void letRead(Connection connection, String reader) throws SQLException {
    OnchainSeed seed = new OnchainSeed(connection, 0);
    for (String network : networks()) {
      seed.run("GRANT SELECT ON SCHEMA " + network + " TO " + reader);
    }
    seed.run("GRANT SELECT ON SCHEMA " + OnchainTable.OLDER + " TO " + reader);
  }

  private static List<String> networks() {
    return OnchainTable.ALL.stream().map(OnchainTable::network).distinct().toList();
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void make(OnchainTable table) throws SQLException {
    switch (table.name()) {
      case "blocks" -> fill(table, BLOCKS, index -> blockRow(table.network(), index));
      case "transactions" ->
          fill(table, TRANSACTIONS, index -> transaction(table.network(), index));
      case "dex_trades" -> fill(table, TRADES, index -> trade(table.network(), index));
      case "transfers" -> fill(table, TRANSFERS, index -> transfer(table.network(), index));
      default -> fill(table, POOLS * YIELD_DAYS, this::yields);
    }
  }

  private void fill(OnchainTable table, int count, IntFunction<Object[]> row) throws SQLException {
    String columns =
        table.columns().stream()
            .map(column -> '"' + column.name() + "\" " + column.type())
            .collect(Collectors.joining(", "));
    String key =
        switch (table.name()) {
          case "blocks" -> ", PRIMARY KEY (block_number)";
          case "transactions" -> ", PRIMARY KEY (hash)";
          default -> "";
        };
    run("CREATE TABLE " + table.fullName() + " (" + columns + key + ")");
    run(
        "CREATE VIEW "
            + OnchainTable.OLDER
            + "."
            + table.network()
            + "_"
            + table.name()
            + " AS SELECT * FROM "
            + table.fullName());
    int cells = table.columns().size();
    String marks = "?" + ", ?".repeat(cells - 1);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO " + table.fullName() + " VALUES (" + marks + ")")) {
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

  private Object[] blockRow(String network, int index) {
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
  }

  private Object[] transaction(String network, int index) {
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

  private Object[] transfer(String network, int index) {
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
  }

  private Object[] yields(int index) {
    Seeded seeded = Seeded.of("yield", index % POOLS);
    Token token = seeded.pick(Token.ALL);
    double apy = seeded.skewed(0.4, 20, 3) + Seeded.of("day", index).uniform(0, 0.5);
    return new Object[] {
      LocalDate.ofEpochDay(tip / Spans.DAY - index / POOLS),
      Project.DEFI.get(index % Project.DEFI.size()).slug(),
      token.symbol(),
      Figures.round(apy, 3),
      seeded.skewed(1e5, 9e8, 2)
    };
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

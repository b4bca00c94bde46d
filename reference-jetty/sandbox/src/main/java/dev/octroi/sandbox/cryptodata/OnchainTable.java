package dev.octroi.sandbox.cryptodata;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One on-chain table, {@code <network>.<name>}. A query may read these and nothing else.
 *
 * @param columns in their order
 */
record OnchainTable(String network, String name, List<Column> columns) {

  /** Where each table is also found, under the vendor's older name. */
  static final String OLDER = "agent";

  private static final List<Column> BLOCKS =
      columns(
          "block_number BIGINT, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
              + " hash CHARACTER VARYING(66), gas_used BIGINT, gas_limit BIGINT,"
              + " transaction_count INTEGER");

  private static final List<Column> TRANSACTIONS =
      columns(
          "block_number BIGINT, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
              + " hash CHARACTER VARYING(88), from_address CHARACTER VARYING(44),"
              + " to_address CHARACTER VARYING(44), value DOUBLE PRECISION, gas_used BIGINT,"
              + " gas_price_gwei DOUBLE PRECISION, success BOOLEAN");

  private static final List<Column> TRADES =
      columns(
          "block_number BIGINT, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
              + " tx_hash CHARACTER VARYING(88), project CHARACTER VARYING(40),"
              + " version CHARACTER VARYING(4), taker CHARACTER VARYING(44),"
              + " token_bought_symbol CHARACTER VARYING(12), token_bought_amount DOUBLE PRECISION,"
              + " token_sold_symbol CHARACTER VARYING(12), token_sold_amount DOUBLE PRECISION,"
              + " amount_usd DOUBLE PRECISION");

  private static final List<Column> TRANSFERS =
      columns(
          "block_number BIGINT, block_time TIMESTAMP WITH TIME ZONE, block_date DATE,"
              + " tx_hash CHARACTER VARYING(66), from_address CHARACTER VARYING(42),"
              + " to_address CHARACTER VARYING(42), symbol CHARACTER VARYING(12),"
              + " token_address CHARACTER VARYING(42), amount DOUBLE PRECISION,"
              + " amount_usd DOUBLE PRECISION");

  private static final List<Column> YIELDS =
      columns(
          "block_date DATE, project CHARACTER VARYING(40), symbol CHARACTER VARYING(12),"
              + " apy DOUBLE PRECISION, tvl_usd DOUBLE PRECISION");

  /** Every table, by network and name. */
  static final List<OnchainTable> ALL =
      Stream.of("arbitrum", "base", "ethereum", "solana")
          .flatMap(OnchainTable::of)
          .sorted(Comparator.comparing(OnchainTable::network).thenComparing(OnchainTable::name))
          .toList();

  private static final Map<String, OnchainTable> BY_NAME =
      ALL.stream().collect(Collectors.toMap(OnchainTable::fullName, Function.identity()));

  /**
   * A column.
   *
   * @param type as SQL spells it
   */
  record Column(String name, String type) {

    /** The type without its length. */
    String plainType() {
      int length = type.indexOf('(');
      return length < 0 ? type : type.substring(0, length);
    }
  }

  private static Stream<OnchainTable> of(String network) {
    List<OnchainTable> tables = new ArrayList<>();
    tables.add(new OnchainTable(network, "transactions", TRANSACTIONS));
    tables.add(new OnchainTable(network, "dex_trades", TRADES));
    if (network.equals("ethereum") || network.equals("base")) {
      tables.add(new OnchainTable(network, "blocks", BLOCKS));
      tables.add(new OnchainTable(network, "transfers", TRANSFERS));
    }
    if (network.equals("ethereum")) {
      tables.add(new OnchainTable(network, "yields_daily", YIELDS));
    }
    return tables.stream();
  }

  private static List<Column> columns(String text) {
    return Stream.of(text.split(", "))
        .map(column -> column.split(" ", 2))
        .map(column -> new Column(column[0], column[1]))
        .toList();
  }

  /** The table of a name in any case, the older {@code agent.<network>_<name>} included. */
  static Optional<OnchainTable> find(String schema, String name) {
    String lower = schema.toLowerCase(Locale.ROOT) + "." + name.toLowerCase(Locale.ROOT);
    boolean older = lower.startsWith(OLDER + ".");
    return Optional.ofNullable(
        BY_NAME.get(older ? lower.substring(6).replaceFirst("_", ".") : lower));
  }

  /** Its name as SQL takes it. */
  String fullName() {
    return network + "." + name;
  }
}

package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Item;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.Values;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A coin, with the one curve that every price of it is read from.
 *
 * @param index its place among the listed ones, -1 for one that is not listed
 * @param row what the table of coins says of it
 * @param contract where it lives on its chain
 */
record Asset(int index, Row row, String symbol, String contract, long curve) implements Item {

  /** The listed ones. */
  static final List<Asset> ALL =
      Tables.rows("asset", "assets.txt").stream().map(Asset::of).toList();

  private static final Map<String, Asset> BY_CONTRACT =
      ALL.stream().collect(Collectors.toMap(Asset::contract, Function.identity()));

  private static Asset of(Row row) {
    String symbol = String.valueOf(row.get("symbol"));
    String contract = String.valueOf(row.get("contract"));
    return new Asset(
        (int) Values.whole(row.get("index")),
        row,
        symbol,
        contract.isEmpty() ? Chance.address(Chance.key("contract", symbol)) : contract,
        Chance.key("price", symbol));
  }

  static Asset of(String symbol) {
    return ALL.stream().filter(asset -> asset.symbol.equals(symbol)).findFirst().orElseThrow();
  }

  /**
   * The coin at an address; one that is not listed has a coin of its own, which follows from it.
   */
  static Asset at(String address) {
    Asset listed = BY_CONTRACT.get(address.toLowerCase(Locale.ROOT));
    return listed == null ? unlisted(address) : listed;
  }

  private static Asset unlisted(String address) {
    long key = Chance.key("asset", address);
    String symbol = "T" + Chance.hex(key, 3).toUpperCase(Locale.ROOT);
    Row row =
        Row.of("index", -1L, "symbol", symbol, "name", "Token " + symbol)
            .with("slug", "token-" + symbol.toLowerCase(Locale.ROOT))
            .with("chain", "ethereum")
            .with("price", Values.significant(Chance.skewed(key, 1, 0.0001, 50)))
            .with("volatility", 0.8)
            .with("supply", Math.floor(Chance.skewed(key, 2, 1e6, 1e10)))
            .with("max_supply", 0L)
            .with("categories", List.of());
    return new Asset(-1, row, symbol, address, key);
  }

  /** In dollars at a time. */
  double usd(long time) {
    return Values.significant(raw(time));
  }

  /** As {@link #usd}, not rounded. */
  double raw(long time) {
    double swing = Values.number(row.get("volatility")) * Chance.drift(curve, time);
    return Values.number(row.get("price")) * Math.exp(swing);
  }

  boolean isDollar() {
    return symbol.startsWith("USD");
  }

  @Override
  public String type() {
    return "asset";
  }

  @Override
  public @Nullable Object get(String name, long time) {
    return switch (name) {
      case "usd" -> usd(time);
      case "raw" -> raw(time);
      case "middle" -> row.get("price");
      case "contract" -> contract;
      case "is_dollar" -> isDollar();
      default -> row.get(name, time);
    };
  }
}

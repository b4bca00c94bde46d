package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Item;
import dev.octroi.sandbox.formula.Refusal;
import dev.octroi.sandbox.formula.Row;
import dev.octroi.sandbox.formula.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A network, with its blocks at regular times. */
record Chain(int index, Row row, String name) implements Item {

  static final List<Chain> ALL =
      Tables.rows("chain", "chains.txt").stream()
          .map(
              row ->
                  new Chain(
                      (int) Values.whole(row.get("index")), row, String.valueOf(row.get("name"))))
          .toList();

  static Chain of(String name) {
    return ALL.stream()
        .filter(chain -> chain.name.equals(name))
        .findFirst()
        .orElseThrow(() -> Refusal.notFound("Chain"));
  }

  boolean isBase58() {
    return name.equals("solana");
  }

  Asset coin() {
    return Asset.of(String.valueOf(row.get("native")));
  }

  private long since() {
    return Values.whole(row.get("since"));
  }

  private double seconds() {
    return Values.number(row.get("seconds"));
  }

  /** The number of the block that is the newest at a time. */
  long block(long time) {
    return Values.whole(row.get("block")) + (long) Math.floor((time - since()) / seconds());
  }

  /** When a block was made. */
  long time(long block) {
    return since() + (long) Math.ceil((block - Values.whole(row.get("block"))) * seconds());
  }

  String blockHash(long block) {
    return "0x" + Chance.hex(Chance.key("block", name, block), 64);
  }

  /** What a unit of gas costs at a time, in gwei. */
  double gas(long time) {
    double usual = Values.number(row.get("gas"));
    double level = usual * Math.exp(1.5 * Chance.drift(Chance.key("gas", name), time));
    return Values.round(level, 6);
  }

  @Override
  public String type() {
    return "chain";
  }

  @Override
  public @Nullable Object get(String name, long time) {
    return switch (name) {
      case "block" -> block(time);
      case "gas" -> gas(time);
      case "coin" -> coin();
      default -> row.get(name, time);
    };
  }
}

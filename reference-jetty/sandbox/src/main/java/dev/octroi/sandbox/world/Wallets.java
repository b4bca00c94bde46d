package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The wallets that deal with one another on every chain. Any other address exists too, with a
 * history of its own.
 */
final class Wallets {

  static final int COUNT = 600;

  static final List<String> EVM =
      IntStream.range(0, COUNT).mapToObj(at -> Chance.address(Chance.key("wallet", at))).toList();

  static final List<String> BASE58 =
      IntStream.range(0, COUNT).mapToObj(at -> Chance.base58(Chance.key("wallet", at))).toList();

  /** Who is known by name, each with an address of either kind. */
  static final List<Row> ENTITIES = Tables.rows("entity", "entities.txt");

  private static final Map<String, Integer> PLACES = new HashMap<>();
  private static final Map<String, Row> NAMED = new HashMap<>();

  static {
    IntStream.range(0, COUNT)
        .forEach(
            at -> {
              PLACES.put(EVM.get(at), at);
              PLACES.put(BASE58.get(at), at);
            });
    for (Row entity : ENTITIES) {
      long key = Chance.key("entity", entity.get("name"));
      entity.put("address", Chance.address(key));
      entity.put("base58", Chance.base58(key));
      NAMED.put(String.valueOf(entity.get("address")), entity);
      NAMED.put(String.valueOf(entity.get("base58")), entity);
    }
  }

  private Wallets() {}

  /** The place of one of the wallets; -1 for any other address. */
  static int place(String address) {
    return PLACES.getOrDefault(address, -1);
  }

  /** Who is known under an address. */
  static @Nullable Row entity(String address) {
    return NAMED.get(address);
  }

  static List<String> on(Chain chain) {
    return chain.isBase58() ? BASE58 : EVM;
  }
}

package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Figures;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;

/** Who stands behind an address, as far as the vendor knows. */
final class Labels {

  private static final List<String> NAMES =
      List.of(
          "Harbour", "Northwind", "Quarry", "Lantern", "Meridian", "Bluebell", "Copper", "Alder");

  private static final List<String> TYPES =
      List.of("exchange", "fund", "market_maker", "bridge", "dex", "individual");

  private static final List<String> TAGS =
      List.of("hot_wallet", "smart_money", "early_adopter", "nft_trader", "liquidity_provider");

  private Labels() {}

  /** The label object of an address: unknown owners have empty names. */
  static Fields of(String address) {
    Seeded seeded = Seeded.of("label", address);
    boolean known = seeded.chance(0.6);
    return Fields.of("address", address)
        .and("entity_name", known ? name(seeded) : "")
        .and("entity_type", known ? seeded.pick(TYPES) : "")
        .and(
            "labels",
            List.of(
                Fields.of("confidence", Figures.round(seeded.uniform(0.6, 0.99), 2))
                    .and("label", seeded.pick(TAGS))));
  }

  static String name(Seeded seeded) {
    return seeded.pick(NAMES) + " " + seeded.whole(1, 40);
  }

  static String type(Seeded seeded) {
    return seeded.pick(TYPES);
  }
}

package dev.octroi.sandbox.world;

import dev.octroi.sandbox.formula.Chance;
import dev.octroi.sandbox.formula.Item;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A wallet that trades in prediction markets. Every well-formed address is one.
 *
 * @param address in lower case at venue A, base58 at venue C
 * @param style how it trades
 */
record Trader(String address, Style style, long key) implements Item {

  /** Those that lists and leaderboards know. */
  static final List<Trader> LISTED =
      IntStream.range(0, 60).mapToObj(place -> of(Wallets.EVM.get(place))).toList();

  private static final List<Style> STYLES = List.of(Style.values());

  /** The cohorts, with what they usually stake on a market in shares. */
  enum Style {
    WHALE(40_000),
    MARKET_MAKER(9_000),
    ACTIVE_TRADER(2_500),
    BUY_AND_HOLD(1_800),
    DEGEN(900),
    HIGH_CONVICTION(6_000),
    CONTRARIAN(1_200),
    VALUE_HUNTER(3_000);

    private final double stake;

    Style(double stake) {
      this.stake = stake;
    }

    double stake() {
      return stake;
    }
  }

  static Trader of(String address) {
    long key = Chance.key("trader", address);
    return new Trader(address, Style.values()[Chance.below(key, 1, Style.values().length)], key);
  }

  @Override
  public String type() {
    return "trader";
  }

  @Override
  public @Nullable Object get(String name, long time) {
    return switch (name) {
      case "address" -> address;
      case "style" -> style.name();
      case "styles" -> STYLES.stream().map(Style::name).toList();
      case "fills" -> Ledger.of(this, Venue.A, time);
      case "fills_at_c" -> Ledger.of(this, Venue.C, time);
      case "key" -> key;
      default -> NONE;
    };
  }
}

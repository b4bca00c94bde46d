package dev.octroi.sandbox.prediction;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * An address that trades. Every well-formed address is one, except those that stand for an error.
 *
 * @param address lower-case at venue A, base58 at venue C
 * @param style how it trades
 */
record Wallet(String address, Style style) {

  /** Not known to the vendor. */
  static final String UNKNOWN = "0x" + "0".repeat(37) + "404";

  /** Its cluster is still being computed. */
  static final String PENDING = "0x" + "0".repeat(37) + "202";

  /** Not known to the vendor, at venue C. */
  static final String UNKNOWN_BASE58 = "1".repeat(32);

  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]{40}");
  private static final int SEEDED = 60;
  private static final List<Style> STYLES = List.of(Style.values());

  /** The cohorts, with what they usually stake on a market in shares. */
  enum Style {
    WHALE("is_whale", 40_000),
    MARKET_MAKER("is_market_maker", 9_000),
    ACTIVE_TRADER("is_active_trader", 2_500),
    BUY_AND_HOLD("is_buy_and_hold", 1_800),
    DEGEN("is_degen", 900),
    HIGH_CONVICTION("is_high_conviction", 6_000),
    CONTRARIAN("is_contrarian", 1_200),
    VALUE_HUNTER("is_value_hunter", 3_000);

    private final String flag;
    private final double stake;

    Style(String flag, double stake) {
      this.flag = flag;
      this.stake = stake;
    }

    double stake() {
      return stake;
    }
  }

  /** The wallets that the lists and the leaderboards know. */
  static List<Wallet> seeded() {
    return IntStream.range(0, SEEDED).mapToObj(i -> of(Chance.hex("wallet " + i, 40))).toList();
  }

  static Wallet of(String address) {
    int style = Chance.below(Chance.key(address), 1, STYLES.size());
    return new Wallet(address, STYLES.get(style));
  }

  /** The wallet of a parameter of venue A. */
  static Wallet hex(String text) {
    String address = text.toLowerCase(Locale.ROOT);
    if (!ADDRESS.matcher(address).matches()) {
      throw VendorRefusal.badRequest("Invalid wallet address", "Expected 0x and 40 hex characters");
    }
    if (address.equals(UNKNOWN)) {
      throw VendorRefusal.notFound("Wallet", address);
    }
    return of(address);
  }

  /** The wallet of a parameter of venue C. */
  static Wallet base58(String text) {
    if (!Chance.isBase58Address(text)) {
      throw VendorRefusal.badRequest("Invalid wallet address", "Expected a base58 address");
    }
    if (text.equals(UNKNOWN_BASE58)) {
      throw VendorRefusal.notFound("Wallet", text);
    }
    return of(text);
  }

  long key() {
    return Chance.key(address);
  }

  Row styles() {
    Row row = new Row();
    for (Style each : Style.values()) {
      row.with(each.flag, each == style);
    }
    return row.with("primary_style", style.name());
  }
}

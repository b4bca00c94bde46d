package dev.octroi.services.prediction;

import static dev.octroi.services.read.Parameter.optional;
import static dev.octroi.services.read.Parameter.required;

import dev.octroi.services.read.Parameter;
import dev.octroi.services.read.Parameter.Kind;
import java.util.Map;
import java.util.Objects;

/**
 * The parameters that several prediction rows share. Bounds of those that the specification leaves
 * open are the vendor contract's.
 */
final class PredictionParameters {

  /** The end of year 9999: a time beyond it is milliseconds, not the Unix seconds of rule 7. */
  private static final long LAST_SECOND = 253_402_300_799L;

  private static final String[] TRADER_SORTS = {
    "realized_pnl", "volume", "roi", "profit_factor", "win_rate", "trades"
  };

  private PredictionParameters() {}

  /** Specification, limits: page size 20, at most 100. */
  static Parameter limit() {
    return Parameter.limit(20, 100);
  }

  static Parameter offset() {
    return optional("offset", Kind.INTEGER).withDefault("0").atLeast(0);
  }

  static Parameter cursor() {
    return optional("pagination_key");
  }

  static Parameter start() {
    return seconds(optional("start_time", Kind.TIME));
  }

  static Parameter end() {
    return seconds(optional("end_time", Kind.TIME));
  }

  static Parameter startRequired() {
    return seconds(required("start_time", Kind.TIME));
  }

  static Parameter endRequired() {
    return seconds(required("end_time", Kind.TIME));
  }

  static Parameter seconds(Parameter time) {
    return time.between(0, LAST_SECOND);
  }

  /** Specification, parameter rule 8. */
  static Parameter evm(String name) {
    return required(name, Kind.EVM_ADDRESS);
  }

  static Parameter base58(String name) {
    return required(name, Kind.BASE58_ADDRESS);
  }

  static Parameter order() {
    return optional("order").oneOf("asc", "desc");
  }

  static Parameter window() {
    return optional("window").oneOf("1d", "7d", "30d", "all_time");
  }

  /** What the vendor sorts wallets and their markets by. */
  static Parameter sortBy() {
    return optional("sort_by").oneOf(TRADER_SORTS);
  }

  static Parameter status() {
    return optional("status").oneOf("open", "closed");
  }

  /** A text to be found in titles. */
  static Parameter search() {
    return optional("search").between(3, 100);
  }

  /** What the search of all venues takes. */
  static Parameter query(String name) {
    return required(name).between(3, 200);
  }

  /** The leaderboard's window in the specification's words. */
  static Parameter period() {
    return optional("period")
        .oneOf("24h", "7d", "30d", "all")
        .withDefault("30d")
        .upstream("window")
        .spelled(Map.of("24h", "1d", "all", "all_time"));
  }

  static Parameter eventSort() {
    return optional("sort")
        .oneOf(
            "created",
            "created_asc",
            "start_date",
            "start_date_asc",
            "end_date",
            "end_date_desc",
            "title",
            "relevance");
  }

  static Parameter gameSort() {
    return optional("sort_by").oneOf("game_date_asc", "game_date_desc");
  }

  /** An identifier in the path, under the vendor's name. */
  static Parameter id(String vendorName) {
    return required("id").upstream(vendorName);
  }

  /** A wallet that the specification calls an address. */
  static Parameter address() {
    return evm("address").upstream("wallet");
  }

  /** Minutes of a candle; 0 leaves the choice to the vendor. */
  static Parameter minutes() {
    return optional("interval", Kind.INTEGER).oneOf("0", "1", "5", "15", "60", "1440");
  }

  /** Of a series of days and longer. */
  static Parameter granularity() {
    return optional("granularity").oneOf("day", "week", "month", "year", "all");
  }

  /**
   * Of a profit series, where the vendor insists on one and has no default: {@code day}, as in its
   * other series.
   */
  static Parameter daily() {
    return granularity().withDefault("day");
  }

  /** Of a chart of volumes. */
  static Parameter chartGranularity() {
    return optional("granularity").oneOf("hour", "day", "week");
  }

  static Parameter gameDate(String name) {
    return optional(name, Kind.DATE);
  }

  static Parameter sport() {
    return optional("sport").oneOf("basketball", "soccer", "hockey", "baseball");
  }

  static Parameter symbol() {
    return required("symbol").oneOf("BTCUSDT", "ETHUSDT", "SOLUSDT", "XRPUSDT");
  }

  /** A number without a lower bound, such as a profit. */
  static Parameter number(String name) {
    return optional(name, Kind.DECIMAL);
  }

  /** A number from zero on, such as a volume. */
  static Parameter amount(String name) {
    return optional(name, Kind.DECIMAL).atLeast(0);
  }

  /** A share of one: a price or a rate. */
  static Parameter fraction(String name) {
    return optional(name, Kind.DECIMAL).between(0, 1);
  }

  /** A whole number from one on. */
  static Parameter count(String name) {
    return optional(name, Kind.INTEGER).atLeast(1);
  }

  /** One of the alternatives of parameter rule 5, at or above its floor. */
  static Parameter criterion(String name) {
    return optional(name, name.equals("min_trades") ? Kind.INTEGER : Kind.DECIMAL)
        .atLeast(Objects.requireNonNull(PredictionRules.FLOORS.get(name)));
  }
}

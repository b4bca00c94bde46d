package dev.octroi.api.price;

import dev.octroi.api.group.SoldRow;
import dev.octroi.payments.Usd;
import java.time.Instant;
import java.util.Optional;

/**
 * What something costs, and why.
 *
 * @param row what is sold
 * @param now what is asked at this moment
 * @param stillTaken the former price, while payments for it are still taken
 * @param next the next change of this price that is already written down
 */
public record RowPrice(SoldRow row, Step now, Optional<Usd> stillTaken, Optional<Step> next) {

  /**
   * A price for a time.
   *
   * @param price empty where it is counted from the tokens of each call
   * @param rule the line that made it, or {@code list}, or {@code tokens}
   * @param version the version that holds then
   * @param from since when that version holds; empty for ever
   */
  public record Step(Optional<Usd> price, String rule, String version, Optional<Instant> from) {}
}

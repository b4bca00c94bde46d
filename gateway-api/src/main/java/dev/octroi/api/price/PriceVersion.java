package dev.octroi.api.price;

import dev.octroi.payments.Usd;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The prices that hold from a moment on, those of earlier versions that still hold among them.
 *
 * @param name what the file calls it
 * @param prices by rule; what no rule says has its list price
 */
record PriceVersion(String name, Instant from, Map<PriceRule, Usd> prices) {

  /** The name of what the file says without a version: it held always. */
  static final String FIRST = "first";

  PriceVersion {
    prices = Map.copyOf(prices);
  }

  static PriceVersion listed() {
    return new PriceVersion(FIRST, Instant.MIN, Map.of());
  }

  /** The same with these changes; a rule without a price is taken away. */
  PriceVersion with(Map<PriceRule, Optional<Usd>> changes) {
    Map<PriceRule, Usd> changed = new HashMap<>(prices);
    changes.forEach(
        (rule, price) -> {
          if (price.isPresent()) {
            changed.put(rule, price.get());
          } else {
            changed.remove(rule);
          }
        });
    return new PriceVersion(name, from, changed);
  }

  PriceVersion named(String other, Instant since) {
    return new PriceVersion(other, since, prices);
  }

  /** The first of these rules that this version has. */
  Optional<PriceRule> decisive(List<PriceRule> rules) {
    return rules.stream().filter(prices::containsKey).findFirst();
  }

  /** The price that this version sets, if it does. */
  Optional<Usd> price(List<PriceRule> rules) {
    return decisive(rules).map(prices::get);
  }
}

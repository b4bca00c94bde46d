package dev.octroi.api.phone;

import dev.octroi.services.phone.Country;
import java.util.List;
import java.util.Optional;

/**
 * What a purchase is to buy, and for whom.
 *
 * @param areaCode three digits; empty for any
 * @param network that it is paid on, as CAIP-2 id
 */
record NumberOrder(Country country, Optional<String> areaCode, String network, String owner) {

  private static final String ANY = "*";

  /** As the effect keeps it. */
  String text() {
    return String.join(" ", country.name(), areaCode.orElse(ANY), network, owner);
  }

  static NumberOrder parse(String text) {
    List<String> words = List.of(text.split(" ", 4));
    return new NumberOrder(
        Country.valueOf(words.get(0)),
        Optional.of(words.get(1)).filter(code -> !code.equals(ANY)),
        words.get(2),
        words.get(3));
  }
}

package dev.octroi.api.openapi;

import dev.octroi.api.price.RowPrice;
import dev.octroi.payments.Usd;
import dev.octroi.services.read.Read;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The sentences and words that are made and not written. */
final class Descriptions {

  private static final String COUNTED =
      "What it costs is counted from the request and told by the challenge.";
  private static final String LATER =
      "Nothing of its own: the first poll that finds the work done settles the call's payment.";

  private Descriptions() {}

  /** {@code /venue-a/wallet/:wallet} is "Venue A wallet by wallet". */
  static String title(String path) {
    List<String> words = new ArrayList<>();
    List<String> parameters = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      if (segment.startsWith(":") || segment.startsWith("{")) {
        parameters.add(segment.replaceAll("[:{}]", "").replace('_', ' '));
      } else {
        words.add(segment.replaceAll("[-_]", " "));
      }
    }
    String title = String.join(" ", words);
    String spoken =
        title.isEmpty()
            ? "Home"
            : title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
    return parameters.isEmpty() ? spoken : spoken + " by " + String.join(" and ", parameters);
  }

  /** {@code Phone: leases a number.} without its chapter and its full stop. */
  static String summary(String about) {
    String words = about.substring(about.indexOf(':') + 1).strip().replaceAll("[.]$", "");
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /** What a call costs, for people. */
  static String price(Optional<RowPrice> row) {
    if (row.isEmpty()) {
      return LATER;
    }
    Optional<Usd> fixed = row.get().now().price();
    return fixed.map(price -> "**" + price.dollars() + " USD** a call.").orElse(COUNTED);
  }

  /** The same for programs, as the extension {@code x-payment-info}. */
  static Map<String, Object> payment(Optional<RowPrice> row) {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("protocols", List.of("x402"));
    Optional<Usd> fixed = row.flatMap(one -> one.now().price());
    info.put("pricingMode", row.isEmpty() ? "deferred" : fixed.isPresent() ? "fixed" : "quote");
    fixed.ifPresent(price -> info.put("price", price.dollars()));
    info.put("currency", "USD");
    return info;
  }

  static String freshness(Read row) {
    long seconds = row.freshness().toSeconds();
    return seconds == 0 ? "" : " Answers may be up to " + seconds + " seconds old.";
  }

  /** {@code EXCHANGE_PRICE} of crypto data is {@code cryptodata_exchange_price}. */
  static String id(Chapter chapter, String name) {
    return (chapter.word() + "_" + name.replaceAll("([a-z])([A-Z])", "$1_$2"))
        .toLowerCase(Locale.ROOT);
  }
}

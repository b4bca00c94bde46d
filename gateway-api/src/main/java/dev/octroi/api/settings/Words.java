package dev.octroi.api.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The spelling of names: Java's, the settings' and the environment's. */
public final class Words {

  private static final Pattern HUMP = Pattern.compile("([a-z0-9])([A-Z])");

  private Words() {}

  /** {@code payTo} is {@code pay-to}. */
  static String kebab(String component) {
    return HUMP.matcher(component).replaceAll("$1-$2").toLowerCase(Locale.ROOT);
  }

  /** {@code gateway.payments.pay-to} is {@code GATEWAY_PAYMENTS_PAY_TO}. */
  static String environment(String key) {
    return key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** An enum constant as a setting's value. */
  static String ofConstant(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The word that was probably meant, if one is near enough to be worth naming. */
  public static Optional<String> closest(String word, Collection<String> candidates) {
    int worthNaming = Math.max(2, word.length() / 4);
    return candidates.stream()
        .filter(candidate -> distance(word, candidate) <= worthNaming)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}

package dev.octroi.api.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is to be read from a path template with parameters in braces. */
final class PathTemplate {

  private static final Pattern PARAMETER = Pattern.compile("\\{([A-Za-z0-9_]+)}");
  private static final Pattern NO_LETTER = Pattern.compile("[^A-Za-z0-9]+");

  private PathTemplate() {}

  static List<String> parameters(String template) {
    List<String> names = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(template);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return List.copyOf(names);
  }

  static String withColons(String template) {
    return PARAMETER.matcher(template).replaceAll(":$1");
  }

  /** {@code /wallet/{wallet}/markets} is {@code wallet_by_wallet_markets}. */
  static String word(String template) {
    String named = PARAMETER.matcher(template).replaceAll("by_$1");
    return trimmed(NO_LETTER.matcher(named).replaceAll("_"), '_').toLowerCase(Locale.ROOT);
  }

  /** {@code /venue-a/wallet/{wallet}/markets} is {@code venue-a wallet markets by wallet}. */
  static String phrase(String template) {
    String literals = PARAMETER.matcher(template).replaceAll("").replaceAll("/+", " ").strip();
    List<String> names = parameters(template);
    String phrase = literals.replace('_', ' ');
    return names.isEmpty()
        ? phrase
        : phrase + " by " + String.join(" and ", names).replace('_', ' ');
  }

  private static String trimmed(String text, char edge) {
    int from = text.isEmpty() || text.charAt(0) != edge ? 0 : 1;
    int to = text.length() > from && text.charAt(text.length() - 1) == edge ? 1 : 0;
    return text.substring(from, text.length() - to);
  }
}

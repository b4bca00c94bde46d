package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.payments.Tariff;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that is sold, as a caller has to know it. Its JSON is shared and never changed.
 *
 * @param name letters, digits and underscores, at most {@value #LONGEST_NAME}; unique, and the same
 *     as long as the path is
 * @param about one sentence
 * @param input JSON Schema of all arguments; where each goes, {@link #placeOf} says
 * @param headers what a request must say besides
 * @param example arguments that satisfy the schema
 * @param tariff what prices a call; empty where the price is listed
 */
public record Operation(
    SoldRow row,
    String name,
    String about,
    ObjectNode input,
    Map<String, String> headers,
    ObjectNode example,
    Optional<Class<? extends Tariff>> tariff) {

  public Operation {
    headers = Map.copyOf(headers);
  }

  /** Some clients take no longer names of tools. */
  public static final int LONGEST_NAME = 64;

  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

  /** Whether it has a body; else its arguments are in the path and the query. */
  public boolean hasBody() {
    return WITH_BODY.contains(row.method());
  }

  /**
   * Where an argument goes that goes elsewhere than usual: what the path has a place for goes
   * there, all else is the query, or a member of the body where there is one.
   */
  public Optional<Place> placeOf(String argument) {
    return row.described().map(described -> described.places().get(argument));
  }

  /** The names of the parameters in its path, in their order. */
  public List<String> pathParameters() {
    return PathTemplate.parameters(row.path());
  }

  /** The path with its parameters marked by colons, as the protocol writes templates. */
  public String routeTemplate() {
    return PathTemplate.withColons(row.path());
  }

  /** What is to be read from a path template with parameters in braces. */
  static final class PathTemplate {

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
}

package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Sold.Effect;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.payments.Tariff;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumSet;
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
 * @param effect what a call changes in the world
 */
public record Operation(
    SoldRow row,
    String name,
    String about,
    ObjectNode input,
    Map<String, String> headers,
    ObjectNode example,
    Optional<Class<? extends Tariff>> tariff,
    Effect effect) {

  public Operation {
    headers = Map.copyOf(headers);
  }

  /** Some clients take no longer names of tools. */
  public static final int LONGEST_NAME = 64;

  private static final String JSON = "application/json";

  /** What it is called for people: its group, and what it is there. */
  public String title() {
    String there = PathTemplate.phrase(row.path().replaceFirst("^/v1/(marketplace/)?[^/]+", ""));
    String named =
        row.described()
            .map(described -> described.name().replace('_', ' '))
            .orElse(there.isEmpty() ? PathTemplate.phrase(row.path()) : there);
    return row.group().title() + ": " + named;
  }

  /** Whether it has a body; else its arguments are in the path and the query. */
  public boolean hasBody() {
    return SoldRow.hasBody(row.method());
  }

  /** Where an argument goes. */
  public Place placeOf(String argument) {
    return row.described()
        .map(described -> described.places().get(argument))
        .orElseGet(
            () ->
                pathParameters().contains(argument)
                    ? Place.PATH
                    : hasBody() ? Place.MEMBER : Place.QUERY);
  }

  /** Those of some arguments that go to one of these places, in their order. */
  public ObjectNode at(Set<Place> places, ObjectNode arguments) {
    ObjectNode there = JsonNodeFactory.instance.objectNode();
    arguments
        .properties()
        .forEach(
            argument -> {
              if (places.contains(placeOf(argument.getKey()))) {
                there.set(argument.getKey(), argument.getValue());
              }
            });
    return there;
  }

  /** The body that some arguments make. */
  public JsonNode body(ObjectNode arguments) {
    ObjectNode whole = at(EnumSet.of(Place.BODY), arguments);
    return whole.isEmpty() ? at(EnumSet.of(Place.MEMBER), arguments) : whole.iterator().next();
  }

  /** The media type of its body. */
  public String bodyType() {
    return at(EnumSet.of(Place.BODY), properties())
        .valueStream()
        .map(whole -> whole.path("contentMediaType").asText())
        .filter(type -> !type.isEmpty())
        .findFirst()
        .orElse(JSON);
  }

  /** Whether its body is JSON; else it is a text. */
  public boolean hasJsonBody() {
    return bodyType().equals(JSON);
  }

  /** The schema of its body; empty where it takes none. */
  public Optional<JsonNode> bodySchema() {
    if (!hasBody()) {
      return Optional.empty();
    }
    ObjectNode known = properties();
    ObjectNode whole = at(EnumSet.of(Place.BODY), known);
    if (!whole.isEmpty()) {
      return Optional.of(whole.iterator().next());
    }
    ObjectNode members = schema(EnumSet.of(Place.MEMBER));
    if (members.path("properties").size() == known.size()) {
      return known.isEmpty() && row.described().isEmpty() ? Optional.empty() : Optional.of(input);
    }
    input
        .properties()
        .forEach(
            word -> {
              if (!word.getKey().equals("required")) {
                members.putIfAbsent(word.getKey(), word.getValue());
              }
            });
    return Optional.of(members);
  }

  /** The schema of the arguments that go to one of these places. */
  public ObjectNode schema(Set<Place> places) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode there = at(places, properties());
    schema.set("properties", there);
    input
        .path("required")
        .valueStream()
        .filter(name -> there.has(name.textValue()))
        .forEach(name -> schema.withArray("/required").add(name));
    return schema;
  }

  private ObjectNode properties() {
    return input.path("properties") instanceof ObjectNode properties
        ? properties
        : JsonNodeFactory.instance.objectNode();
  }

  /** The names of the parameters in its path, in their order. */
  public List<String> pathParameters() {
    return PathTemplate.parameters(row.path());
  }

  /** The path with its parameters marked by colons, as the protocol writes templates. */
  public String routeTemplate() {
    return PathTemplate.withColons(row.path());
  }

  /** A path with its parameters in braces, and what is to be read from it. */
  public static final class PathTemplate {

    private static final Pattern PARAMETER = Pattern.compile("\\{([A-Za-z0-9_]+)}");
    private static final Pattern NO_LETTER = Pattern.compile("[^A-Za-z0-9]+");

    private PathTemplate() {}

    /**
     * The template of a resource's method, with a slash in front.
     *
     * @param patterns gets the regular expressions of its parameters, by name; {@code ""} for any
     */
    public static String of(Class<?> resource, Method method, Map<String, String> patterns) {
      Path below = method.getAnnotation(Path.class);
      String whole =
          joined(resource.getAnnotation(Path.class).value(), below == null ? "" : below.value());
      return plain(whole, patterns);
    }

    private static String joined(String base, String below) {
      String path = base + "/" + below;
      String single = ("/" + path).replaceAll("/{2,}", "/");
      return single.length() > 1 && single.endsWith("/")
          ? single.substring(0, single.length() - 1)
          : single;
    }

    /** Takes the expressions out of a template; they may have braces of their own. */
    private static String plain(String template, Map<String, String> patterns) {
      StringBuilder plain = new StringBuilder();
      int depth = 0;
      int begin = 0;
      for (int i = 0; i < template.length(); i++) {
        char c = template.charAt(i);
        if (c == '{' && depth++ == 0) {
          begin = i + 1;
        } else if (c == '}' && --depth == 0) {
          String[] parts = template.substring(begin, i).split(":", 2);
          String name = parts[0].strip();
          patterns.put(name, parts.length > 1 ? parts[1].strip() : "");
          plain.append('{').append(name).append('}');
        } else if (depth == 0) {
          plain.append(c);
        }
      }
      return plain.toString();
    }

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

package dev.octroi.api.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.route.OpenApiArguments.Arguments;
import dev.octroi.api.route.OpenApiSchemas.Unfolding;
import dev.octroi.api.route.OpenApiSchemas.Way;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.Usd;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the operations of a document that can be sold. One instance reads once. */
final class OpenApiImport {

  private static final Logger LOG = LoggerFactory.getLogger(OpenApiImport.class);

  private static final int MOST_OPERATIONS = 1_000;
  private static final int MOST_PROBLEMS = 20;
  private static final int LONGEST_ABOUT = 300;
  private static final int LONGEST_PRICE = 30;

  private static final Set<String> NOT_SOLD = Set.of("HEAD", "OPTIONS", "TRACE", "QUERY");
  static final Pattern SEGMENT = Pattern.compile("\\{([^{}/]*)}");
  private static final Pattern STATUS = Pattern.compile("[1-5]([0-9]{2}|XX)|default");
  private static final String PAYMENT_REQUIRED = "402";

  private final OpenApiDocument document;
  private final OpenApiSchemas schemas;
  private final Terms terms;
  private final Set<String> names = new HashSet<>();
  private final Map<List<Object>, String> known = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final List<Imported> found = new ArrayList<>();

  /**
   * What holds for all of them.
   *
   * @param methods those that are sold
   * @param passes whether the server gets a caller's header of this name
   * @param longestName how many characters a name may have
   * @param about what is said of those that say nothing of themselves
   * @param target the path below which the server is asked
   */
  record Terms(
      Set<String> methods,
      Predicate<String> passes,
      int longestName,
      String about,
      String target) {}

  /**
   * An operation.
   *
   * @param path what a caller adds to the route's path, its arguments in braces
   * @param price its own one
   * @param where which it is, for people
   */
  record Imported(
      String method,
      PathPattern pattern,
      String path,
      Optional<Usd> price,
      String name,
      String about,
      Arguments arguments,
      ObjectNode answers,
      String where) {}

  private OpenApiImport(OpenApiDocument document, Terms terms) {
    this.document = document;
    this.schemas = new OpenApiSchemas(document);
    this.terms = terms;
  }

  /**
   * The operations of a document, in its order.
   *
   * @throws InvalidSettings with every problem
   */
  static List<Imported> of(OpenApiDocument document, Terms terms) {
    OpenApiImport reader = new OpenApiImport(document, terms);
    reader.compareServers();
    for (Map.Entry<String, JsonNode> path : document.root().path("paths").properties()) {
      if (path.getKey().startsWith("/")) {
        reader.attempt(() -> reader.path(path.getKey(), path.getValue()));
      }
    }
    if (!reader.problems.isEmpty()) {
      throw new InvalidSettings(reader.problems.stream().limit(MOST_PROBLEMS).toList());
    }
    return reader.found;
  }

  /** The target stays what it is; a document that means another path of it is told of. */
  private void compareServers() {
    String server = document.root().path("servers").path(0).path("url").asText();
    String path = withoutSlash(server.replaceFirst("^[A-Za-z]+://[^/]*", ""));
    if (!path.isEmpty() && !path.equals(withoutSlash(terms.target()))) {
      LOG.warn(
          "{}: its server's path is {}, the route's target has the path '{}': paths are asked for"
              + " below the target",
          document.name(),
          path,
          terms.target());
    }
  }

  private static String withoutSlash(String path) {
    return path.replaceFirst("/$", "");
  }

  /** What is wrong with one does not hide what is wrong with the next. */
  private void attempt(Runnable reading) {
    try {
      reading.run();
    } catch (InvalidSettings e) {
      problems.addAll(e.problems());
    }
  }

  private void path(String path, JsonNode written) {
    JsonNode item = document.found(written, path);
    for (Map.Entry<String, JsonNode> member : item.properties()) {
      String method = member.getKey().toUpperCase(Locale.ROOT);
      if (NOT_SOLD.contains(method)) {
        leaveOut(method + " " + path, "the method is not sold");
      } else if (RouteReader.METHODS.contains(method) && terms.methods().contains(method)) {
        attempt(() -> operation(method, path, item, member.getValue()));
      }
    }
  }

  private void leaveOut(String what, String why) {
    LOG.warn("{}: {} is left out: {}", document.name(), what, why);
  }

  private void operation(String method, String path, JsonNode item, JsonNode operation) {
    String where = method + " " + path;
    List<String> segments = new ArrayList<>();
    Matcher segment = SEGMENT.matcher(path);
    while (segment.find()) {
      segments.add(segment.group(1));
    }
    if (!isPlain(path) || Set.copyOf(segments).size() != segments.size()) {
      leaveOut(where, "each segment of a path is a word or {name}, each name once");
      return;
    }
    if (found.size() == MOST_OPERATIONS) {
      throw document.invalid("it has more than " + MOST_OPERATIONS + " operations");
    }
    Arguments arguments =
        new OpenApiArguments(document, schemas, terms.passes(), where)
            .read(path, segments, item, operation, SoldRow.hasBody(method));
    if (!isPlain(arguments.template())) {
      leaveOut(where, "a name in its path is too long");
      return;
    }
    PathPattern pattern = PathPattern.of(arguments.template());
    String other = known.putIfAbsent(List.of(method, pattern), path);
    if (other != null) {
      throw document.invalid(where + " and " + other + " are the same path");
    }
    found.add(
        new Imported(
            method,
            pattern,
            pattern.template() + (path.endsWith("/") ? "/" : ""),
            price(where, operation.path("x-price"), item.path("x-price")),
            name(method, pattern, operation.path("operationId").asText()),
            about(operation, where),
            arguments,
            answers(where, operation.path("responses")),
            where));
  }

  /** Whether a pattern holds exactly what a path of OpenAPI means. */
  private static boolean isPlain(String path) {
    try {
      return !PathPattern.of(path).hasRest();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Optional<Usd> price(String where, JsonNode own, JsonNode ofPath) {
    JsonNode written = own.isMissingNode() ? ofPath : own;
    if (written.isMissingNode()) {
      return Optional.empty();
    }
    try {
      return Optional.of(RouteReader.affordable(Usd.parse(dollars(written))));
    } catch (IllegalArgumentException e) {
      throw document.invalid(where + ": x-price: " + e.getMessage());
    }
  }

  private static String dollars(JsonNode written) {
    if (!written.isNumber()) {
      return written.isTextual() ? written.textValue().strip() : written.getNodeType().name();
    }
    BigDecimal exact = written.decimalValue();
    boolean plain = Math.abs((long) exact.scale()) + exact.precision() <= LONGEST_PRICE;
    return plain ? exact.toPlainString() : exact.toString();
  }

  private String name(String method, PathPattern pattern, String id) {
    String plain = id.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_|_$", "");
    String name = plain.isEmpty() ? method.toLowerCase(Locale.ROOT) + "_" + pattern.word() : plain;
    String unique = shortened(name, "");
    for (int next = 2; !names.add(unique.toLowerCase(Locale.ROOT)); next++) {
      unique = shortened(name, "_" + next);
    }
    return unique;
  }

  private String shortened(String name, String end) {
    int room = Math.max(1, terms.longestName() - end.length());
    return (name.length() > room ? name.substring(0, room) : name) + end;
  }

  private String about(JsonNode operation, String where) {
    String said =
        Stream.of(
                operation.path("summary").asText(),
                operation.path("description").asText().split("(?<=[.!?])\\s|\\n\\s*\\n", 2)[0])
            .map(text -> text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip())
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElseGet(() -> terms.about().replaceFirst("[.]$", "") + ": " + where);
    String sentence =
        said.length() > LONGEST_ABOUT ? said.substring(0, LONGEST_ABOUT).strip() + "…" : said;
    return sentence.matches(".*[.!?…]") ? sentence : sentence + ".";
  }

  /** What it answers, without what only the gateway asks for. */
  private ObjectNode answers(String where, JsonNode responses) {
    Unfolding unfolding = schemas.begin(Way.ANSWERED, where);
    ObjectNode answers = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> response : responses.properties()) {
      String status = response.getKey();
      if (STATUS.matcher(status).matches() && !status.equals(PAYMENT_REQUIRED)) {
        JsonNode written = document.found(response.getValue(), where);
        ObjectNode answer =
            answers.putObject(status).put("description", written.path("description").asText());
        content(written.path("content"), unfolding, answer);
      }
    }
    return answers;
  }

  private void content(JsonNode content, Unfolding unfolding, ObjectNode answer) {
    for (Map.Entry<String, JsonNode> type : content.properties()) {
      ObjectNode media = answer.withObject("/content").putObject(type.getKey());
      if (type.getValue().has("schema")) {
        media.set("schema", unfolding.of(type.getValue().path("schema")));
      }
      if (type.getValue().has("example")) {
        media.set("example", type.getValue().path("example"));
      }
    }
  }
}

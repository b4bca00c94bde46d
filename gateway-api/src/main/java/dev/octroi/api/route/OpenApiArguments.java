package dev.octroi.api.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.api.route.OpenApiSchemas.Unfolding;
import dev.octroi.api.route.OpenApiSchemas.Way;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the arguments of one operation of its parameters and its body: each has a name of its own.
 * One instance reads once.
 */
final class OpenApiArguments {

  private static final String JSON = "application/json";

  /** OpenAPI itself leaves some out; in others a caller's key to the gateway may be. */
  private static final Set<String> NOT_ARGUMENTS =
      Set.of("accept", "authorization", "content-type", "cookie", "x-api-key");

  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  /** Besides these a body's schema says something of its members together. */
  private static final Set<String> OF_MEMBERS =
      Set.of(
          "additionalProperties",
          "default",
          "deprecated",
          "description",
          "examples",
          "properties",
          "required",
          "title",
          "type");

  private static final String BODY = "body";

  private final OpenApiDocument document;
  private final Predicate<String> passes;
  private final String where;
  private final Unfolding schemas;
  private final Map<String, Argument> arguments = new LinkedHashMap<>();
  private final Map<String, String> renamed = new HashMap<>();
  private boolean open;

  /**
   * An argument.
   *
   * @param examples what it may be, the best first
   */
  private record Argument(
      ObjectNode schema, boolean required, Optional<Place> place, List<JsonNode> examples) {}

  /**
   * What all arguments are.
   *
   * @param template the path's template with the arguments' names
   */
  record Arguments(
      String template, ObjectNode input, Map<String, Place> places, ObjectNode example) {}

  /**
   * @param passes whether the server gets a caller's header of this name
   * @param where which operation it is, for people
   */
  OpenApiArguments(
      OpenApiDocument document, OpenApiSchemas schemas, Predicate<String> passes, String where) {
    this.document = document;
    this.passes = passes;
    this.where = where;
    this.schemas = schemas.begin(Way.ASKED, where);
  }

  /**
   * Reads them.
   *
   * @param segments the names of the parameters in the path
   * @param hasBody whether its method has a body
   */
  Arguments read(
      String template, List<String> segments, JsonNode item, JsonNode operation, boolean hasBody) {
    List<JsonNode> parameters = parameters(item, operation);
    Optional<Place> query = hasBody ? Optional.of(Place.QUERY) : Optional.empty();
    in("query", parameters).forEach(parameter -> query(parameter, query));
    in("header", parameters).forEach(this::header);
    if (hasBody) {
      body(document.found(operation.path("requestBody"), where));
    }
    for (String segment : segments) {
      segment(
          segment,
          in("path", parameters)
              .filter(parameter -> parameter.path("name").asText().equals(segment))
              .findFirst());
    }
    String named =
        OpenApiImport.SEGMENT
            .matcher(template)
            .replaceAll(segment -> "{" + renamed.get(segment.group(1)) + "}");
    return new Arguments(named, input(), places(), example());
  }

  /** Those of the operation instead of those of the path that are called the same. */
  private List<JsonNode> parameters(JsonNode item, JsonNode operation) {
    Map<List<String>, JsonNode> all = new LinkedHashMap<>();
    Stream.concat(item.path("parameters").valueStream(), operation.path("parameters").valueStream())
        .map(parameter -> document.found(parameter, where))
        .forEach(
            parameter ->
                all.put(
                    List.of(parameter.path("in").asText(), parameter.path("name").asText()),
                    parameter));
    return List.copyOf(all.values());
  }

  private static Stream<JsonNode> in(String place, List<JsonNode> parameters) {
    return parameters.stream()
        .filter(parameter -> parameter.path("in").asText().equals(place))
        .filter(parameter -> !parameter.path("name").asText().isEmpty());
  }

  private void query(JsonNode parameter, Optional<Place> place) {
    String name = parameter.path("name").asText();
    String style = parameter.path("style").asText("form");
    boolean repeats = parameter.path("explode").asBoolean(style.equals("form"));
    ObjectNode schema = schema(parameter);
    boolean members =
        is("object", schema)
            && !schema.path("properties").isEmpty()
            && (style.equals("deepObject") || (style.equals("form") && repeats));
    if (members) {
      schema
          .path("properties")
          .properties()
          .forEach(
              member ->
                  member(
                      parameter,
                      style.equals("form") ? member.getKey() : name + "[" + member.getKey() + "]",
                      member.getKey(),
                      asWritten("form", true, (ObjectNode) member.getValue()),
                      place));
      return;
    }
    arguments.putIfAbsent(
        name, argument(parameter, asWritten(style, repeats, schema), schema, place));
  }

  /** A member of an object that is spread over the query. */
  private void member(
      JsonNode parameter, String name, String key, ObjectNode schema, Optional<Place> place) {
    boolean required =
        parameter.path("required").asBoolean()
            && schema(parameter)
                .path("required")
                .valueStream()
                .anyMatch(one -> one.asText().equals(key));
    List<JsonNode> examples =
        Stream.concat(
                given(parameter, schema(parameter))
                    .map(whole -> whole.path(key))
                    .filter(value -> !value.isMissingNode()),
                ofSchema(schema))
            .toList();
    arguments.putIfAbsent(name, new Argument(schema, required, place, examples));
  }

  private void header(JsonNode parameter) {
    String name = parameter.path("name").asText();
    if (!HEADER.matcher(name).matches()
        || NOT_ARGUMENTS.contains(name.toLowerCase(Locale.ROOT))
        || !passes.test(name)) {
      return;
    }
    Stream.of(name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT))
        .filter(spelled -> !arguments.containsKey(spelled))
        .findFirst()
        .ifPresent(
            spelled -> {
              ObjectNode schema = schema(parameter);
              arguments.put(
                  spelled,
                  argument(
                      parameter,
                      asWritten("simple", false, schema),
                      schema,
                      Optional.of(Place.HEADER)));
            });
  }

  /** A name of the path is the gateway's own: it gives way. */
  private void segment(String name, Optional<JsonNode> parameter) {
    JsonNode said = parameter.orElseGet(JsonNodeFactory.instance::objectNode);
    ObjectNode schema = schema(said);
    if (!schema.has("type") && schema.size() == 0) {
      schema.put("type", "string");
    }
    String style = said.path("style").asText("simple");
    String free = free(name.replaceAll("[^A-Za-z0-9_]", "_"), "path_");
    Argument argument = argument(said, asWritten(style, false, schema), schema, Optional.empty());
    arguments.put(
        free, new Argument(argument.schema(), true, Optional.empty(), argument.examples()));
    renamed.put(name, free);
  }

  private String free(String name, String before) {
    String free = name;
    while (arguments.containsKey(free)) {
      free = before + free;
    }
    return free;
  }

  private Argument argument(
      JsonNode parameter, ObjectNode schema, ObjectNode own, Optional<Place> place) {
    return new Argument(
        schema,
        parameter.path("required").asBoolean(),
        place,
        Stream.concat(given(parameter, own), ofSchema(own)).toList());
  }

  /** The schema of a parameter, with what is said of the parameter. */
  private ObjectNode schema(JsonNode parameter) {
    JsonNode content = parameter.path("content");
    ObjectNode schema =
        content.isEmpty() ? schemas.of(parameter.path("schema")) : text("It is JSON.");
    if (!content.isEmpty()) {
      schema.put("contentMediaType", content.fieldNames().next());
    }
    String said = parameter.path("description").asText();
    if (!said.isEmpty()) {
      schema.put("description", said);
    }
    if (parameter.path("deprecated").asBoolean()) {
      schema.put("deprecated", true);
    }
    return schema;
  }

  /**
   * Lists in the query are repeated, those of paths and headers have commas; where a document
   * writes something in another way, the caller does.
   */
  private static ObjectNode asWritten(String style, boolean repeats, ObjectNode schema) {
    boolean list = is("array", schema);
    boolean usual = style.equals("simple") || (style.equals("form") && (repeats || !list));
    if (usual && !is("object", schema)) {
      return schema;
    }
    String how =
        switch (style) {
          case "form", "simple" -> list ? "separated by commas" : "as name,value,name,value";
          case "spaceDelimited" -> "separated by spaces";
          case "pipeDelimited" -> "separated by |";
          case "label" -> "with a point before it";
          case "matrix" -> "as ;name=value";
          default -> "as the server expects it";
        };
    String said = schema.path("description").asText();
    return text((said.isEmpty() ? "" : said + " ") + "Written " + how + ".");
  }

  private static ObjectNode text(String description) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "string")
        .put("description", description);
  }

  private static boolean is(String type, ObjectNode schema) {
    return schema.path("type").asText().equals(type)
        || schema.path("type").valueStream().anyMatch(one -> one.asText().equals(type))
        || (type.equals("object") && !schema.has("type") && schema.has("properties"));
  }

  private void body(JsonNode body) {
    JsonNode content = body.path("content");
    Optional<String> type = type(content);
    if (type.isEmpty()) {
      return;
    }
    JsonNode media = content.path(type.get());
    boolean json = type.get().equals(JSON) || type.get().matches("[^;]*[+/]json(;.*)?|\\*/\\*");
    ObjectNode schema =
        json
            ? schemas.of(media.path("schema"))
            : text("The body.").put("contentMediaType", type.get());
    String said = body.path("description").asText();
    if (!said.isEmpty() && !(json && schema.has("description"))) {
      schema.put("description", said);
    }
    List<JsonNode> examples =
        (json ? Stream.concat(given(media, schema), ofSchema(schema)) : Stream.<JsonNode>empty())
            .toList();
    if (isPlain(schema)) {
      members(schema, examples);
      return;
    }
    // Whatever the document says: without it a tool would send an empty object.
    arguments.put(
        free(BODY, "request_"), new Argument(schema, true, Optional.of(Place.BODY), examples));
  }

  private static Optional<String> type(JsonNode content) {
    List<String> types = new ArrayList<>(new LinkedHashSet<>(names(content)));
    return types.stream()
        .filter(JSON::equals)
        .findFirst()
        .or(() -> types.stream().filter(type -> type.matches("[^;]*[+/]json(;.*)?")).findFirst())
        .or(() -> types.stream().findFirst());
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  /** Whether its members can be arguments beside the parameters. */
  private boolean isPlain(ObjectNode schema) {
    JsonNode type = schema.path("type");
    return (type.isMissingNode() ? schema.has("properties") : type.asText().equals("object"))
        && OF_MEMBERS.containsAll(names(schema))
        && names(schema.path("properties")).stream().noneMatch(arguments::containsKey);
  }

  private void members(ObjectNode schema, List<JsonNode> examples) {
    Set<String> required = new LinkedHashSet<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    JsonNode known = schema.path("properties");
    for (String name : names(known)) {
      ObjectNode member = (ObjectNode) known.path(name);
      List<JsonNode> values =
          Stream.concat(
                  examples.stream()
                      .map(whole -> whole.path(name))
                      .filter(value -> !value.isMissingNode()),
                  ofSchema(member))
              .toList();
      arguments.put(name, new Argument(member, required.contains(name), Optional.empty(), values));
    }
    open =
        !schema.has("additionalProperties")
            || !schema.path("additionalProperties").isBoolean()
            || schema.path("additionalProperties").booleanValue();
  }

  /** What a parameter or a body gives as examples. */
  private Stream<JsonNode> given(JsonNode described, ObjectNode schema) {
    Stream<JsonNode> several =
        described
            .path("examples")
            .valueStream()
            .map(example -> document.found(example, where).path("value"));
    return Stream.concat(Stream.of(described.path("example")), several)
        .filter(value -> !value.isMissingNode())
        .filter(value -> OpenApiExamples.satisfies(value, schema));
  }

  private static Stream<JsonNode> ofSchema(ObjectNode schema) {
    return Stream.of(
            schema.path("examples").valueStream(),
            Stream.of(schema.path("default"), schema.path("const")),
            schema.path("enum").valueStream().limit(1))
        .flatMap(values -> values)
        .filter(value -> !value.isMissingNode());
  }

  private ObjectNode input() {
    ObjectNode input = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = input.putObject("properties");
    arguments.forEach((name, argument) -> properties.set(name, argument.schema()));
    ArrayNode required = JsonNodeFactory.instance.arrayNode();
    arguments.forEach(
        (name, argument) -> {
          if (argument.required()) {
            required.add(name);
          }
        });
    if (!required.isEmpty()) {
      input.set("required", required);
    }
    input.put("additionalProperties", open);
    if (open) {
      input.put("description", "Further arguments are the members of the JSON body.");
    }
    return input;
  }

  private Map<String, Place> places() {
    Map<String, Place> places = new LinkedHashMap<>();
    arguments.forEach(
        (name, argument) -> argument.place().ifPresent(place -> places.put(name, place)));
    return places;
  }

  /** What is known of each argument; nothing, where one is missing that must be there. */
  private ObjectNode example() {
    ObjectNode example = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, Argument> each : arguments.entrySet()) {
      Argument argument = each.getValue();
      Optional<JsonNode> value =
          argument.examples().stream()
              .filter(one -> OpenApiExamples.satisfies(one, argument.schema()))
              .findFirst();
      value.ifPresent(one -> example.set(each.getKey(), one));
      if (value.isEmpty() && argument.required()) {
        return JsonNodeFactory.instance.objectNode();
      }
    }
    return example;
  }
}

package dev.octroi.sandbox.contract;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.octroi.sandbox.contract.Rule.Member;
import dev.octroi.sandbox.contract.Rule.Series;
import dev.octroi.sandbox.contract.Rule.Shape;
import dev.octroi.sandbox.contract.Rule.Spot;
import dev.octroi.sandbox.contract.Violation.Kind;
import dev.octroi.sandbox.contract.Violation.Where;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a vendor takes. A request is refused for every path, method, header, parameter, body member,
 * type, word and bound that is not in it, also where the vendor would look away. {@code
 * sandbox/README.md} describes the format of the files. Immutable, thread-safe.
 */
public final class Contract {

  /** What clients of HTTP send to any server, and published clients to theirs. */
  private static final Pattern KNOWN_EVERYWHERE =
      Pattern.compile(
          "host|connection|keep-alive|te|user-agent|accept|accept-(encoding|language|charset)"
              + "|content-(type|length)|transfer-encoding|expect|cache-control|pragma"
              + "|upgrade|http2-settings|sec-.*|origin|referer|trace(parent|state)|baggage"
              + "|x-stainless-.*");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final String base;
  private final List<Member> credentials;
  private final List<Operation> operations;

  /**
   * @param base what the vendor's paths begin with, and a request's may
   * @param credentials headers of which one is a good credential
   */
  Contract(String base, List<Member> credentials, List<Operation> operations) {
    this.base = base;
    this.credentials = List.copyOf(credentials);
    this.operations =
        operations.stream()
            .sorted(
                Comparator.comparingLong(Operation::variableCount)
                    .thenComparing(operation -> !operation.isBeyond())
                    .thenComparing(operation -> operation.models() == null))
            .toList();
  }

  /**
   * Reads the contract of a vendor.
   *
   * @param files beside this class; what a later one has is added
   */
  public static Contract of(String... files) {
    return ContractReader.files(List.of(files));
  }

  /** Reads a contract that is written as those of the vendors are. */
  public static Contract parse(String text) {
    return ContractReader.texts(List.of(text));
  }

  /** The vendor's public contract alone. */
  public Contract publicOnly() {
    return new Contract(
        base, credentials, operations.stream().filter(known -> !known.isBeyond()).toList());
  }

  /** Every operation as method, space and path. */
  public Set<String> operations() {
    return operations.stream()
        .map(Operation::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** What the operations were taken from. */
  public List<String> sources() {
    return operations.stream().map(Operation::source).distinct().sorted().toList();
  }

  /**
   * What an operation was taken from.
   *
   * @param operation one of {@link #operations}
   */
  public String source(String operation) {
    return operations.stream()
        .filter(known -> known.name().equals(operation))
        .map(Operation::source)
        .findFirst()
        .orElseThrow();
  }

  /**
   * The only words that a parameter of the query takes; empty where it takes any.
   *
   * @param operation one of {@link #operations}
   */
  public List<String> words(String operation, String parameter) {
    return operations.stream()
        .filter(known -> known.name().equals(operation))
        .flatMap(known -> Stream.ofNullable(known.query().members().get(parameter)))
        .findFirst()
        .map(member -> member.rule().words())
        .orElse(List.of());
  }

  /** The operation of a method and a path, if there is one. */
  public Optional<String> find(String method, String path) {
    return there(path).stream()
        .filter(known -> known.method().equals(method))
        .findFirst()
        .map(Operation::name);
  }

  private List<Operation> there(String path) {
    String below = below(path);
    return operations.stream().filter(known -> known.match(below).isPresent()).toList();
  }

  private String below(String path) {
    return path.startsWith(base + "/") ? path.substring(base.length()) : path;
  }

  /**
   * Holds a request to the contract.
   *
   * @param path decoded, below the vendor's base address
   * @param query decoded
   * @param headers by lower-case name
   */
  public Checked check(
      String method,
      String path,
      Map<String, List<String>> query,
      Map<String, String> headers,
      byte[] body) {
    List<Operation> there = there(path);
    boolean open = there.stream().anyMatch(Operation::isPublic);
    if (!open && !hasCredential(headers)) {
      return new Violation(
          Kind.UNAUTHORIZED, Where.HEADER, List.of(), "The credential is missing or malformed");
    }
    if (there.isEmpty()) {
      return new Violation(Kind.NO_PATH, Where.PATH, List.of(), "No such path");
    }
    List<Operation> taken = there.stream().filter(known -> known.method().equals(method)).toList();
    if (taken.isEmpty()) {
      return new Violation(Kind.NO_METHOD, Where.PATH, List.of(), "Method not allowed");
    }
    List<Operation> closest =
        taken.stream()
            .filter(known -> known.variableCount() == taken.get(0).variableCount())
            .toList();
    return new Asked(below(path), query, headers, body).check(closest);
  }

  private boolean hasCredential(Map<String, String> headers) {
    return credentials.stream()
        .anyMatch(
            known ->
                headers.containsKey(known.name())
                    && known
                        .rule()
                        .check(
                            TextNode.valueOf(headers.get(known.name())),
                            new Spot(Where.HEADER, false, List.of()))
                        .isEmpty());
  }

  /** One request whose path is known. */
  private final class Asked {

    private final String path;
    private final Map<String, List<String>> query;
    private final Map<String, String> headers;
    private final byte[] body;

    Asked(String path, Map<String, List<String>> query, Map<String, String> headers, byte[] body) {
      this.path = path;
      this.query = query;
      this.headers = headers;
      this.body = body;
    }

    Checked check(List<Operation> candidates) {
      FormBody form = FormBody.of(headers, body);
      Operation.Body expected = candidates.get(0).body();
      JsonNode members = MissingNode.getInstance();
      if (body.length > 0) {
        if (expected == null || !expected.types().contains(form.mediaType())) {
          return unreadable(
              expected == null
                  ? "A body is not taken here"
                  : "The body must be " + String.join(" or ", expected.types()));
        }
        try {
          members = form.isForm() ? form.members() : JSON.readTree(body);
        } catch (IOException malformed) {
          return unreadable("The body cannot be read");
        }
        if (!members.isObject()) {
          return unreadable("The body must be an object");
        }
      } else if (expected != null && expected.required()) {
        return unreadable("The body is missing");
      }
      Optional<Operation> meant = ofModel(candidates, members.path("model"));
      if (meant.isEmpty()) {
        return new Violation(
            Kind.VALUE, Where.BODY, List.of("model"), "must be one of the vendor's models");
      }
      Operation operation = meant.get();
      Map<String, String> variables = operation.match(path).orElse(Map.of());
      Map<String, JsonNode> given = queried(operation.query());
      Optional<Violation> violation =
          operation
              .headers()
              .check(ownHeaders(), new Spot(Where.HEADER, false, List.of()))
              .or(
                  () ->
                      operation
                          .variables()
                          .check(texts(variables), new Spot(Where.PATH, false, List.of())))
              .or(() -> operation.query().check(given, new Spot(Where.QUERY, false, List.of())));
      if (violation.isPresent()) {
        return violation.get();
      }
      Operation.Body shape = operation.body();
      if (shape != null && members.isObject()) {
        Optional<Violation> wrong =
            shape.members().check(members, new Spot(Where.BODY, !form.isForm(), List.of()));
        if (wrong.isPresent()) {
          return wrong.get();
        }
      }
      return new Call(operation.name(), variables, values(operation.query(), given));
    }

    private Violation unreadable(String message) {
      return new Violation(Kind.UNREADABLE, Where.BODY, List.of(), message);
    }

    /** Without a model any will do, which then says that it is missing. */
    private Optional<Operation> ofModel(List<Operation> candidates, JsonNode model) {
      return candidates.stream()
          .filter(
              known ->
                  known.models() == null
                      || !model.isTextual()
                      || known.models().matcher(model.textValue()).matches())
          .findFirst();
    }

    /** The headers that not every client sends; a credential has been looked at. */
    private Map<String, JsonNode> ownHeaders() {
      Map<String, JsonNode> own = new LinkedHashMap<>();
      headers.forEach(
          (name, value) -> {
            boolean credential = credentials.stream().anyMatch(known -> known.name().equals(name));
            if (!credential && !KNOWN_EVERYWHERE.matcher(name).matches()) {
              own.put(name, TextNode.valueOf(value));
            }
          });
      return own;
    }

    private static Map<String, JsonNode> texts(Map<String, String> values) {
      Map<String, JsonNode> texts = new HashMap<>();
      values.forEach((name, value) -> texts.put(name, TextNode.valueOf(value)));
      return texts;
    }

    /** An empty text is as good as none, where it would be a text. */
    private Map<String, JsonNode> queried(Shape shape) {
      Map<String, JsonNode> given = new LinkedHashMap<>();
      query.forEach(
          (name, values) -> {
            Member member = shape.members().get(name);
            Rule rule = member == null ? shape.others() : member.rule();
            boolean repeated = rule != null && Series.isRepeated(rule);
            if (repeated || values.size() > 1) {
              ArrayNode list = JsonNodeFactory.instance.arrayNode();
              values.forEach(list::add);
              given.put(name, list);
            } else if (member == null || !values.get(0).isEmpty() || !member.isFreeText()) {
              given.put(name, TextNode.valueOf(values.get(0)));
            }
          });
      return given;
    }

    private static Map<String, String> values(Shape shape, Map<String, JsonNode> given) {
      Map<String, String> values = new HashMap<>();
      shape
          .members()
          .forEach(
              (name, member) -> {
                JsonNode value = given.get(name);
                String absent = member.absent();
                if (value != null) {
                  values.put(
                      name,
                      value.isArray()
                          ? value
                              .valueStream()
                              .map(JsonNode::asText)
                              .collect(Collectors.joining(","))
                          : value.asText());
                } else if (absent != null) {
                  values.put(name, absent);
                }
              });
      return values;
    }
  }
}

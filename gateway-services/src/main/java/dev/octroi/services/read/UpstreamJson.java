package dev.octroi.services.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reading upstreams' bodies and writing stated records. Numbers stay decimal throughout: what the
 * upstream spelled 0.620 leaves as 0.620. What a body lacks is null, never invented.
 */
public final class UpstreamJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .nodeFactory(new ProportionateNumbers())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final int LONGEST_ERROR = 16 << 10;

  /** What stands beside an error. */
  private static final Set<String> ABOUT_ERRORS =
      Set.of(
          "error",
          "detail",
          "message",
          "code",
          "status",
          "success",
          "meta",
          "tag",
          "requestId",
          "request_id",
          "timestamp");

  private UpstreamJson() {}

  /**
   * The object of an answer.
   *
   * @throws dev.octroi.services.Failure 502 for anything else
   */
  public static JsonNode object(byte[] body) {
    JsonNode tree = tree(body);
    Failures.require(tree.isObject(), "it is no object");
    return tree;
  }

  /** Whatever the body holds; null for what is not JSON. */
  public static JsonNode tree(byte[] body) {
    try {
      JsonNode tree = MAPPER.readTree(body);
      return tree == null || tree.isMissingNode() ? NullNode.getInstance() : tree;
    } catch (IOException | ArithmeticException malformed) {
      return NullNode.getInstance();
    }
  }

  /**
   * The list under this name.
   *
   * @throws dev.octroi.services.Failure 502 when there is none
   */
  public static JsonNode list(JsonNode object, String name) {
    JsonNode list = object.path(name);
    if (!list.isArray()) {
      throw Failures.unreadable(name + " is no list");
    }
    return list;
  }

  /**
   * The same, where the upstream spells an empty list null.
   *
   * @throws dev.octroi.services.Failure 502 when there is neither
   */
  public static JsonNode listOrNull(JsonNode object, String name) {
    return object.path(name).isNull() ? object.path(name) : list(object, name);
  }

  /** The list of what a function makes of each element. */
  public static ArrayNode each(JsonNode list, Function<JsonNode, JsonNode> function) {
    ArrayNode made = JsonNodeFactory.instance.arrayNode(list.size());
    list.forEach(element -> made.add(function.apply(element)));
    return made;
  }

  /** The member at a path of names, null where any of them is missing. */
  public static JsonNode at(JsonNode object, String... names) {
    JsonNode found = object;
    for (String name : names) {
      found = found.path(name);
    }
    return found.isMissingNode() ? NullNode.getInstance() : found;
  }

  /**
   * Writes a success to the log whose body holds an error, and nothing besides that was asked for.
   *
   * @throws dev.octroi.services.Failure 502 for such an answer
   */
  public static void requireNoError(UpstreamClient client, UpstreamAnswer answer) {
    if (isError(answer.body())) {
      client.warn(answer);
      throw Failures.unreadable("a success has an error in it");
    }
  }

  private static boolean isError(byte[] body) {
    if (body.length > LONGEST_ERROR) {
      return false;
    }
    JsonNode tree = tree(body);
    boolean error = saysError(tree.path("error")) || saysError(tree.path("detail").path("error"));
    return error && ABOUT_ERRORS.containsAll(names(tree));
  }

  private static boolean saysError(JsonNode error) {
    return error.isTextual() ? !error.textValue().isBlank() : error.isObject() && !error.isEmpty();
  }

  private static List<String> names(JsonNode tree) {
    List<String> names = new ArrayList<>();
    tree.fieldNames()
        .forEachRemaining(
            name -> {
              if (!tree.path(name).isNull()) {
                names.add(name);
              }
            });
    return names;
  }

  /**
   * The number at a path of names, null where the upstream has none.
   *
   * @throws dev.octroi.services.Failure 502 for anything else, and for a number that is too large
   *     for other readers
   */
  public static JsonNode figure(JsonNode object, String... names) {
    JsonNode found = at(object, names);
    boolean number = found.isNumber() && Double.isFinite(found.doubleValue());
    if (!found.isNull() && !number) {
      throw Failures.unreadable(String.join(".", names) + " is no number");
    }
    return found;
  }

  /**
   * The same for what there cannot be less than none of.
   *
   * @throws dev.octroi.services.Failure 502 for anything else
   */
  public static JsonNode amount(JsonNode object, String... names) {
    return within(null, object, names);
  }

  /**
   * The same for a price or a share, from 0 to 1.
   *
   * @throws dev.octroi.services.Failure 502 for anything else
   */
  public static JsonNode fraction(JsonNode object, String... names) {
    return within(BigDecimal.ONE, object, names);
  }

  private static JsonNode within(@Nullable BigDecimal most, JsonNode object, String... names) {
    JsonNode figure = figure(object, names);
    BigDecimal value = figure.decimalValue();
    if (value.signum() < 0 || (most != null && value.compareTo(most) > 0)) {
      throw Failures.unreadable(String.join(".", names) + " is out of its range");
    }
    return figure;
  }

  /**
   * This value, without which there is nothing to sell.
   *
   * @param name what it is called, for the operator
   * @throws dev.octroi.services.Failure 502 for none, and for a blank text
   */
  public static JsonNode present(JsonNode value, String name) {
    boolean blank = value.isTextual() && value.textValue().isBlank();
    if (value.isMissingNode() || value.isNull() || blank) {
      throw Failures.unreadable(name + " is missing");
    }
    return value;
  }

  /** Whether this is an object of which a member has a value. */
  public static boolean isTold(JsonNode element) {
    return element.isObject() && element.valueStream().anyMatch(value -> !value.isNull());
  }

  /** The first of these members that has a value. */
  public static JsonNode first(JsonNode object, String... names) {
    for (String name : names) {
      if (object.hasNonNull(name)) {
        return object.path(name);
      }
    }
    return NullNode.getInstance();
  }

  public static JsonNode number(BigDecimal value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  public static JsonNode text(String value) {
    return JsonNodeFactory.instance.textNode(value);
  }

  public static ObjectNode record() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A record of these members of an object; null for what it lacks. */
  public static ObjectNode taken(JsonNode object, Iterable<String> names) {
    ObjectNode made = record();
    names.forEach(name -> made.set(name, at(object, name)));
    return made;
  }

  public static byte[] bytes(JsonNode record) {
    try {
      return MAPPER.writeValueAsBytes(record);
    } catch (JsonProcessingException unwritable) {
      throw Failures.unreadable("it cannot be written again");
    }
  }

  /**
   * Refuses numbers that no arithmetic bears: a dollar added to a 1 with a thousand million zeros
   * would take all memory. Their digits the parser counts itself.
   */
  private static final class ProportionateNumbers extends JsonNodeFactory {

    private static final long serialVersionUID = 1L;

    private static final int MOST_PLACES = 1_000;

    @Override
    public ValueNode numberNode(@Nullable BigDecimal number) {
      if (number != null && Math.abs((long) number.scale()) > MOST_PLACES) {
        throw new ArithmeticException("a number out of all proportion");
      }
      return super.numberNode(number);
    }
  }
}

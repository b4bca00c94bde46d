package dev.octroi.services.images;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * What a caller sent, whether as JSON or as a form: members by name, types as they are written, a
 * null like a member that is not there.
 */
public final class ImageBody {

  /** The longest text: a picture in base64. */
  private static final int LONGEST = 24 << 20;

  private static final int DEPTH = 16;
  private static final Set<String> NUMBERS = Set.of("n", "output_compression", "partial_images");
  private static final Set<String> FLAGS = Set.of("watermark", "stream");
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,9}");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH)
                          .maxStringLength(LONGEST)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ObjectNode members;

  private ImageBody(ObjectNode members) {
    this.members = members;
  }

  /**
   * Reads JSON.
   *
   * @throws Failure 400 for what is no object
   */
  public static ImageBody ofJson(byte[] json) {
    try {
      if (MAPPER.readTree(json) instanceof ObjectNode object) {
        return new ImageBody(object);
      }
    } catch (IOException malformed) {
      throw new Failure(
          ErrorCode.INVALID_PARAMS, "The body is not JSON, or nests too deep", null, malformed);
    }
    throw invalid("The body is a JSON object");
  }

  /** Takes the texts of a form, of which some mean numbers. */
  public static ImageBody ofForm(Map<String, String> fields) {
    ObjectNode members = JsonNodeFactory.instance.objectNode();
    fields.forEach((name, text) -> members.set(name, typed(name, text)));
    return new ImageBody(members);
  }

  private static JsonNode typed(String name, String text) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (NUMBERS.contains(name) && WHOLE.matcher(text).matches()) {
      return nodes.numberNode(Integer.parseInt(text));
    }
    boolean flag = FLAGS.contains(name) && (text.equals("true") || text.equals("false"));
    return flag ? nodes.booleanNode(Boolean.parseBoolean(text)) : nodes.textNode(text);
  }

  boolean has(String name) {
    return members.hasNonNull(name);
  }

  /** A text, if there is one. */
  public Optional<String> text(String name) {
    return member(name)
        .map(
            node -> {
              if (!node.isTextual()) {
                throw invalid(name + " is a text");
              }
              return node.textValue();
            });
  }

  /** One of these words. */
  Optional<String> word(String name, List<String> words) {
    Optional<String> text = text(name);
    text.filter(word -> !words.contains(word))
        .ifPresent(
            word -> {
              throw invalid(name + " is one of " + String.join(", ", words));
            });
    return text;
  }

  Optional<Integer> whole(String name, int least, int most) {
    return member(name)
        .map(
            node -> {
              boolean whole = node.isIntegralNumber() && node.canConvertToInt();
              if (!whole || node.intValue() < least || node.intValue() > most) {
                throw invalid(name + " is a whole number from " + least + " to " + most);
              }
              return node.intValue();
            });
  }

  Optional<Boolean> flag(String name) {
    return member(name)
        .map(
            node -> {
              if (!node.isBoolean()) {
                throw invalid(name + " is true or false");
              }
              return node.booleanValue();
            });
  }

  /** Texts; empty where there is no such member. */
  public List<String> texts(String name, int most) {
    JsonNode node = member(name).orElseGet(JsonNodeFactory.instance::arrayNode);
    boolean texts =
        node.isArray()
            && node.size() <= most
            && StreamSupport.stream(node.spliterator(), false).allMatch(JsonNode::isTextual);
    if (!texts) {
      throw invalid(name + " is an array of at most " + most + " texts");
    }
    return StreamSupport.stream(node.spliterator(), false).map(JsonNode::textValue).toList();
  }

  private Optional<JsonNode> member(String name) {
    return Optional.ofNullable(members.get(name)).filter(node -> !node.isNull());
  }

  static Failure invalid(String message) {
    return new Failure(ErrorCode.INVALID_PARAMS, message);
  }
}

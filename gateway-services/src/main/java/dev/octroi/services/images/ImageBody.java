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
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.language.tokens.PictureHead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

  static final String IMAGE = "image";
  static final String IMAGES = "images";
  static final String MASK = "mask";

  private static final String ADDRESS = "image_url";

  /** Characters of base64 that hold the head of a PNG, and so its size. */
  private static final int HEAD = 64;

  private static final byte[] ANY = {};

  /** Pixels of a side beyond which a picture that is given is a large one. */
  private static final int LARGE = 1024;

  private final ObjectNode members;
  private final List<byte[]> files;

  private ImageBody(ObjectNode members, List<byte[]> files) {
    this.members = members;
    this.files = files;
  }

  /**
   * Reads JSON.
   *
   * @throws Failure 400 for what is no object
   */
  public static ImageBody ofJson(byte[] json) {
    try {
      if (MAPPER.readTree(json) instanceof ObjectNode object) {
        return new ImageBody(object, List.of());
      }
    } catch (IOException malformed) {
      throw new Failure(
          ErrorCode.INVALID_PARAMS, "The body is not JSON, or nests too deep", null, malformed);
    }
    throw Failure.invalid("The body is a JSON object");
  }

  /**
   * Takes the texts of a form, of which some mean numbers.
   *
   * @param files the pictures to be changed that the form holds; their heads will do
   */
  public static ImageBody ofForm(Map<String, String> fields, List<byte[]> files) {
    ObjectNode members = JsonNodeFactory.instance.objectNode();
    fields.forEach((name, text) -> members.set(name, typed(name, text)));
    return new ImageBody(members, files);
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

  /** Whether it is this very word, if it is anything. */
  boolean isWord(String name, String word) {
    return member(name).filter(node -> word.equals(node.textValue())).isPresent();
  }

  boolean isTrue(String name) {
    return member(name).filter(JsonNode::asBoolean).isPresent();
  }

  /** The bytes of a text in UTF-8; 0 for what is none. */
  long bytes(String name) {
    return member(name)
        .map(JsonNode::textValue)
        .map(text -> (long) text.getBytes(StandardCharsets.UTF_8).length)
        .orElse(0L);
  }

  /** A number from 0 on; 0 for what is none, or out of range. */
  int wholeOrZero(String name, int most) {
    return member(name)
        .filter(node -> node.isIntegralNumber() && node.canConvertToInt())
        .map(JsonNode::intValue)
        .filter(number -> number >= 0 && number <= most)
        .orElse(0);
  }

  /** A text, if there is one. */
  public Optional<String> text(String name) {
    return member(name)
        .map(
            node -> {
              if (!node.isTextual()) {
                throw Failure.invalid(name + " is a text");
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
              throw Failure.invalid(name + " is one of " + String.join(", ", words));
            });
    return text;
  }

  Optional<Integer> whole(String name, int least, int most) {
    return member(name)
        .map(
            node -> {
              boolean whole = node.isIntegralNumber() && node.canConvertToInt();
              if (!whole || node.intValue() < least || node.intValue() > most) {
                throw Failure.invalid(name + " is a whole number from " + least + " to " + most);
              }
              return node.intValue();
            });
  }

  Optional<Boolean> flag(String name) {
    return member(name)
        .map(
            node -> {
              if (!node.isBoolean()) {
                throw Failure.invalid(name + " is true or false");
              }
              return node.booleanValue();
            });
  }

  /** A member's names; for what is not known by any of them. */
  Stream<String> names() {
    return members.properties().stream()
        .filter(member -> !member.getValue().isNull())
        .map(Map.Entry::getKey);
  }

  /** How many pictures are given to be changed, whatever they are. */
  int given() {
    return files.size() + (int) named().count();
  }

  /** How many of them have more than 1024 pixels to a side, or may have. */
  int large() {
    return (int)
        Stream.concat(files.stream(), named().filter(JsonNode::isTextual).map(ImageBody::head))
            .filter(ImageBody::isLarge)
            .count();
  }

  private Stream<JsonNode> named() {
    JsonNode several = members.path(IMAGES);
    return Stream.concat(
            several.isArray() ? several.valueStream() : Stream.of(), member(IMAGE).stream())
        .map(one -> one.isObject() ? one.path(ADDRESS) : one);
  }

  /** The first bytes; none for an address, behind which anything may be. */
  private static byte[] head(JsonNode picture) {
    String given = picture.textValue();
    if (given.startsWith("http")) {
      return ANY;
    }
    String base64 = given.substring(given.indexOf(',') + 1);
    try {
      return Base64.getDecoder().decode(base64.substring(0, Math.min(HEAD, base64.length())));
    } catch (IllegalArgumentException refusedLater) {
      return new byte[0];
    }
  }

  private static boolean isLarge(byte[] head) {
    long size = PictureHead.size(head);
    return head == ANY || size >>> Integer.SIZE > LARGE || (int) size > LARGE;
  }

  /**
   * The pictures to be changed, as base64 or addresses: texts, or objects that hold one as {@code
   * image_url}.
   *
   * @throws Failure 400 for what is neither
   */
  public List<String> pictures() {
    JsonNode node = member(IMAGES).orElseGet(JsonNodeFactory.instance::arrayNode);
    if (!node.isArray() || node.size() > ImageEdit.MOST) {
      throw Failure.invalid(IMAGES + " is an array of at most " + ImageEdit.MOST + " pictures");
    }
    return Stream.concat(node.valueStream(), member(IMAGE).stream())
        .map(one -> picture(IMAGES, one))
        .toList();
  }

  /** The same for what says where they are changed. */
  public Optional<String> mask() {
    return member(MASK).map(one -> picture(MASK, one));
  }

  private static String picture(String name, JsonNode one) {
    JsonNode picture = one.isObject() && one.size() == 1 ? one.path(ADDRESS) : one;
    if (!picture.isTextual()) {
      throw Failure.invalid(
          name + " has pictures as base64 or addresses, or as {\"image_url\": …}");
    }
    return picture.textValue();
  }

  private Optional<JsonNode> member(String name) {
    return Optional.ofNullable(members.get(name)).filter(node -> !node.isNull());
  }
}

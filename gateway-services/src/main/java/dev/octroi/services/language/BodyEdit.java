package dev.octroi.services.language;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sets and drops top-level members of a JSON object and leaves every other byte as it is: spelling
 * of numbers, order, white space, members that the gateway does not know. Members that are set and
 * not there are added at the end.
 */
public final class BodyEdit {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(PromptLimits.DEPTH)
                  .maxStringLength(PromptLimits.TEXT)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private static final int NOWHERE = -1;
  private static final byte[] NOTHING = {};

  private record Splice(int from, int to, byte[] bytes) {}

  private BodyEdit() {}

  /**
   * The body with these members.
   *
   * @throws InvalidPrompt for a body that is no object in UTF-8, or names a member twice
   */
  public static byte[] set(byte[] body, Map<String, JsonNode> members) {
    return edit(body, members, Set.of());
  }

  /**
   * The body with these members and without those.
   *
   * @throws InvalidPrompt for a body that is no object in UTF-8, or names a member twice
   */
  public static byte[] edit(byte[] body, Map<String, JsonNode> members, Set<String> dropped) {
    try (JsonParser parser = FACTORY.createParser(body)) {
      return spliced(body, splices(parser, members, dropped));
    } catch (IOException malformed) {
      throw notAnObject();
    }
  }

  private static List<Splice> splices(
      JsonParser parser, Map<String, JsonNode> members, Set<String> dropped) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT || offsetBefore(parser) < 0) {
      throw notAnObject();
    }
    Map<String, JsonNode> missing = new LinkedHashMap<>(members);
    List<Splice> splices = new ArrayList<>();
    int kept = NOWHERE;
    int gone = NOWHERE;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      int begin = offsetBefore(parser);
      if (gone != NOWHERE) {
        splices.add(new Splice(gone, begin, NOTHING));
        gone = NOWHERE;
      }
      JsonNode value = missing.remove(name);
      parser.nextToken();
      int from = offsetBefore(parser);
      parser.skipChildren();
      parser.finishToken();
      int to = offsetAfter(parser);
      if (value != null) {
        splices.add(new Splice(from, to, LanguageJson.bytes(value)));
      } else if (dropped.contains(name)) {
        if (kept == NOWHERE) {
          gone = begin;
        } else {
          splices.add(new Splice(kept, to, NOTHING));
        }
      }
      kept = gone == NOWHERE ? to : kept;
    }
    int end = offsetBefore(parser);
    if (gone != NOWHERE) {
      splices.add(new Splice(gone, end, NOTHING));
    }
    for (Map.Entry<String, JsonNode> member : missing.entrySet()) {
      splices.add(new Splice(end, end, added(member, kept == NOWHERE)));
      kept = end;
    }
    if (parser.nextToken() != null) {
      throw notAnObject();
    }
    return splices;
  }

  private static byte[] added(Map.Entry<String, JsonNode> member, boolean first)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (!first) {
      out.write(',');
    }
    out.write('"');
    out.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(member.getKey()));
    out.write('"');
    out.write(':');
    out.writeBytes(LanguageJson.bytes(member.getValue()));
    return out.toByteArray();
  }

  private static byte[] spliced(byte[] body, List<Splice> splices) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 256);
    int copied = 0;
    splices.sort(Comparator.comparingInt(Splice::from));
    for (Splice splice : splices) {
      out.write(body, copied, splice.from() - copied);
      out.writeBytes(splice.bytes());
      copied = splice.to();
    }
    out.write(body, copied, body.length - copied);
    return out.toByteArray();
  }

  private static int offsetBefore(JsonParser parser) {
    return (int) parser.currentTokenLocation().getByteOffset();
  }

  private static int offsetAfter(JsonParser parser) {
    return (int) parser.currentLocation().getByteOffset();
  }

  private static InvalidPrompt notAnObject() {
    return new InvalidPrompt("", "The body is a JSON object in UTF-8 without repeated members");
  }
}

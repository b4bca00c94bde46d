package dev.octroi.api.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;

/**
 * Reads YAML as the JSON that it stands for, by the plain rules of its version 1.2: {@code no} is a
 * word, {@code 0.10} an exact decimal. Makes no object of any other kind, whatever the tags say.
 * One instance reads once.
 */
final class YamlReader {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?");
  private static final int LONGEST_NUMBER = 100;
  private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> YES = Set.of("true", "True", "TRUE");
  private static final Set<String> NO = Set.of("false", "False", "FALSE");
  private static final String TEXT = "tag:yaml.org,2002:str";
  private static final String MERGE = "<<";

  private final Iterator<Event> events;
  private final Map<String, Anchored> anchored = new HashMap<>();
  private int parts;

  /**
   * What an anchor stands for.
   *
   * @param parts how many there are in it: as many are read again with each alias
   */
  private record Anchored(JsonNode node, int parts) {}

  private YamlReader(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    this.events = new Yaml(options).parse(new StringReader(text)).iterator();
  }

  /**
   * Reads a text whose length is known to be good.
   *
   * @throws IllegalArgumentException with what is wrong and the line where
   */
  static JsonNode read(String text) {
    try {
      return new YamlReader(text).document();
    } catch (MarkedYAMLException e) {
      throw new IllegalArgumentException(at(e.getProblemMark()) + ": it is no YAML there", e);
    } catch (YAMLException e) {
      throw new IllegalArgumentException("it has characters that no text has", e);
    }
  }

  private JsonNode document() {
    events.next();
    Event begin = events.next();
    if (begin instanceof StreamEndEvent) {
      return JSON.missingNode();
    }
    JsonNode whole = node(events.next(), 0);
    events.next();
    Event after = events.next();
    if (after instanceof DocumentStartEvent) {
      throw wrong(after, "a second document begins");
    }
    return whole;
  }

  private JsonNode node(Event event, int depth) {
    if (depth > OpenApiDocument.DEEPEST) {
      throw wrong(event, "it is nested more deeply than " + OpenApiDocument.DEEPEST);
    }
    if (event instanceof AliasEvent alias) {
      Anchored known = anchored.get(alias.getAnchor());
      if (known == null) {
        throw wrong(event, "*" + alias.getAnchor() + " stands for nothing, or for itself");
      }
      count(event, known.parts());
      return known.node();
    }
    int before = parts;
    count(event, 1);
    JsonNode node;
    if (event instanceof MappingStartEvent) {
      node = mapping(depth);
    } else if (event instanceof SequenceStartEvent) {
      node = sequence(depth);
    } else {
      node = scalar((ScalarEvent) event);
    }
    String anchor = ((NodeEvent) event).getAnchor();
    if (anchor != null) {
      anchored.put(anchor, new Anchored(node, parts - before));
    }
    return node;
  }

  private void count(Event event, int more) {
    parts += more;
    if (parts > OpenApiDocument.MOST_PARTS) {
      throw wrong(
          event, "it has more than " + OpenApiDocument.MOST_PARTS + " parts, aliases unfolded");
    }
  }

  private ArrayNode sequence(int depth) {
    ArrayNode sequence = JSON.arrayNode();
    for (Event next = events.next(); !next.is(Event.ID.SequenceEnd); next = events.next()) {
      sequence.add(node(next, depth + 1));
    }
    return sequence;
  }

  private ObjectNode mapping(int depth) {
    ObjectNode mapping = JSON.objectNode();
    ObjectNode merged = JSON.objectNode();
    for (Event next = events.next(); !next.is(Event.ID.MappingEnd); next = events.next()) {
      String key = key(next, depth);
      JsonNode value = node(events.next(), depth + 1);
      if (key.equals(MERGE)) {
        merge(value, merged);
      } else if (mapping.has(key)) {
        throw wrong(next, "'" + key + "' stands there twice");
      } else {
        mapping.set(key, value);
      }
    }
    merged.properties().forEach(member -> mapping.putIfAbsent(member.getKey(), member.getValue()));
    return mapping;
  }

  /** Keys are texts, numbers among them, as the answers' statuses are. */
  private String key(Event event, int depth) {
    if (event instanceof ScalarEvent scalar && scalar.getAnchor() == null) {
      return scalar.getValue();
    }
    JsonNode key = node(event, depth + 1);
    if (!key.isValueNode()) {
      throw wrong(event, "a key is no text");
    }
    return key.asText();
  }

  private static void merge(JsonNode value, ObjectNode merged) {
    if (value.isArray()) {
      value.forEach(one -> merge(one, merged));
    }
    value.properties().forEach(member -> merged.putIfAbsent(member.getKey(), member.getValue()));
  }

  private static JsonNode scalar(ScalarEvent event) {
    String text = event.getValue();
    if (!event.isPlain() || TEXT.equals(event.getTag())) {
      return JSON.textNode(text);
    }
    if (NOTHING.contains(text)) {
      return JSON.nullNode();
    }
    if (YES.contains(text) || NO.contains(text)) {
      return JSON.booleanNode(YES.contains(text));
    }
    return text.length() <= LONGEST_NUMBER && NUMBER.matcher(text).matches()
        ? number(text)
        : JSON.textNode(text);
  }

  private static JsonNode number(String text) {
    if (text.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E')) {
      return JSON.numberNode(new BigDecimal(text));
    }
    BigInteger whole = new BigInteger(text);
    if (whole.bitLength() > 63) {
      return JSON.numberNode(whole);
    }
    return whole.bitLength() > 31
        ? JSON.numberNode(whole.longValue())
        : JSON.numberNode(whole.intValue());
  }

  private static IllegalArgumentException wrong(Event event, String what) {
    return new IllegalArgumentException(at(event.getStartMark()) + ": " + what);
  }

  private static String at(Mark mark) {
    return "line " + (mark.getLine() + 1);
  }
}

package dev.octroi.sandbox.vendor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a vendor's contract says of its answers, from {@code shapes.jsonl} beside a test: members
 * with their types, {@code name?} for one that is not always there.
 */
public final class Shapes {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, JsonNode> shapes = new HashMap<>();
  private final Set<String> sometimes;

  /**
   * @param beside the test
   * @param sometimes members that the contract leaves open and that depend on what is shown; all
   *     others are always there
   */
  public Shapes(Class<?> beside, Set<String> sometimes) {
    this.sometimes = sometimes;
    try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream("shapes.jsonl"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line : lines.lines().toList()) {
        JsonNode shape = JSON.readTree(line);
        shapes.put(shape.path("path").asText(), shape.path("shape"));
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The paths that have a shape. */
  public Set<String> paths() {
    return shapes.keySet();
  }

  /** What is wrong with an answer; nothing where the contract says nothing of the path. */
  public List<String> faults(String path, JsonNode answer) {
    List<String> faults = new ArrayList<>();
    if (shapes.containsKey(path)) {
      compare(shapes.get(path), answer, path + " ", faults);
    }
    return faults.stream().distinct().toList();
  }

  private void compare(JsonNode shape, JsonNode actual, String where, List<String> faults) {
    if (shape.isTextual()) {
      if (Arrays.stream(shape.asText().split("\\|")).noneMatch(type -> is(type, actual))) {
        faults.add(where + " is no " + shape.asText() + ": " + actual);
      }
    } else if (shape.isArray()) {
      if (!actual.isArray() && !actual.isNull()) {
        faults.add(where + " is no list");
      }
      actual.forEach(element -> compare(shape.get(0), element, where + "[]", faults));
    } else if (!actual.isNull()) {
      members(shape, actual, where, faults);
    }
  }

  private void members(JsonNode shape, JsonNode actual, String where, List<String> faults) {
    shape
        .properties()
        .forEach(
            member -> {
              String name = member.getKey().replace("?", "");
              if (actual.has(name)) {
                compare(member.getValue(), actual.get(name), where + "." + name, faults);
              } else if (name.equals(member.getKey()) || !sometimes.contains(name)) {
                faults.add(where + "." + name + " is missing");
              }
            });
    actual
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!shape.has(name) && !shape.has(name + "?")) {
                faults.add(where + "." + name + " is not the contract's");
              }
            });
  }

  private static boolean is(String type, JsonNode actual) {
    return switch (type) {
      case "string" -> actual.isTextual();
      case "integer" -> actual.isIntegralNumber();
      case "number" -> actual.isNumber();
      case "boolean" -> actual.isBoolean();
      case "null" -> actual.isNull();
      case "object" -> actual.isObject();
      default -> true;
    };
  }
}

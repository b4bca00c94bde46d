package dev.octroi.sandbox.contract;

import dev.octroi.sandbox.contract.Rule.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A method and a path with all that the vendor takes there.
 *
 * @param models for which it holds, as the body names them; null for all others
 * @param isPublic whether it needs no credential
 * @param isBeyond whether the vendor's public contract lacks it
 * @param source the last that the file names before it
 * @param body null where there is none
 */
record Operation(
    String method,
    String path,
    @Nullable Pattern models,
    boolean isPublic,
    boolean isBeyond,
    String source,
    Shape variables,
    Shape query,
    Shape headers,
    @Nullable Body body) {

  /**
   * A body.
   *
   * @param types media types, without their parameters
   */
  record Body(List<String> types, boolean required, Shape members) {}

  String name() {
    return method + " " + path;
  }

  /** The path's variables by name, if a path is one of this operation's. */
  Optional<Map<String, String>> match(String asked) {
    List<String> ours = Arrays.asList(path.split("/", -1));
    List<String> theirs = Arrays.asList(asked.split("/", -1));
    if (ours.size() != theirs.size()) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    for (int at = 0; at < ours.size(); at++) {
      String segment = ours.get(at);
      int open = segment.indexOf('{');
      if (open < 0) {
        if (!segment.equals(theirs.get(at))) {
          return Optional.empty();
        }
        continue;
      }
      int close = segment.indexOf('}');
      String before = segment.substring(0, open);
      String after = segment.substring(close + 1);
      String value = theirs.get(at);
      if (value.length() <= before.length() + after.length()
          || !value.startsWith(before)
          || !value.endsWith(after)) {
        return Optional.empty();
      }
      values.put(
          segment.substring(open + 1, close),
          value.substring(before.length(), value.length() - after.length()));
    }
    return Optional.of(values);
  }

  /** How many segments are variables: the fewer, the closer a match. */
  long variableCount() {
    return path.chars().filter(character -> character == '{').count();
  }
}

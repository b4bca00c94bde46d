package dev.octroi.api.read;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A query string's parameters, decoded, in order of appearance, which JAX-RS does not keep. */
final class QueryText {

  private QueryText() {}

  static Map<String, List<String>> parameters(@Nullable String rawQuery) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (rawQuery == null) {
      return parameters;
    }
    for (String pair : rawQuery.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters.computeIfAbsent(decoded(name), key -> new ArrayList<>()).add(decoded(value));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}

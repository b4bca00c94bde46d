package dev.octroi.sandbox.prediction;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What answers each operation of the contract. Paths are written with the neutral venue words. */
final class Routes {

  /** What answers a path: a JSON value, or a whole answer where the status is not 200. */
  interface Read extends Function<Ask, Object> {}

  private final Map<String, Read> reads = new LinkedHashMap<>();

  Routes get(String path, Read read) {
    return add("GET", path, read);
  }

  Routes post(String path, Read read) {
    return add("POST", path, read);
  }

  private Routes add(String method, String path, Read read) {
    String operation =
        Arrays.stream(path.substring(1).split("/"))
            .map(Venue::onTheWire)
            .map(segment -> segment.replaceFirst("^:(.*)", "{$1}"))
            .collect(Collectors.joining("/", method + " /", ""));
    reads.put(operation, read);
    return this;
  }

  /** Every operation that is answered, as method, space and path. */
  Set<String> operations() {
    return reads.keySet();
  }

  /** What answers an operation; null where nothing does. */
  @Nullable Read read(String operation) {
    return reads.get(operation);
  }
}

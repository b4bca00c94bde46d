package dev.octroi.api.mcp;

import dev.octroi.api.http.InnerCalls;
import dev.octroi.api.http.StandardHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who calls a tool.
 *
 * @param self where this gateway reaches itself; empty where that is not known
 * @param base the address by which the world knows the application
 * @param headers what calls on the caller's behalf say of it: credentials, request id, address
 */
record Caller(Optional<String> self, String base, Map<String, String> headers) {

  /** The place in the SDK's context. */
  static final String KEY = "caller";

  private static final List<String> PASSED =
      List.of("Authorization", "x-api-key", StandardHeaders.REQUEST_ID, InnerCalls.CLIENT);

  Caller {
    headers = Map.copyOf(headers);
  }

  /**
   * Who made a request.
   *
   * @param header tells a header of it; null if it is not there
   * @param baseHeader has the address by which the world knows the application
   */
  static Caller of(Header header, String baseHeader) {
    Map<String, String> passed = new HashMap<>();
    for (String name : PASSED) {
      Optional.ofNullable(header.value(name)).ifPresent(value -> passed.put(name, value));
    }
    return new Caller(
        Optional.ofNullable(header.value(SelfAddress.HEADER)),
        Optional.ofNullable(header.value(baseHeader)).orElse(""),
        passed);
  }

  /** The headers of a request. */
  @FunctionalInterface
  interface Header {
    @Nullable String value(String name);
  }
}

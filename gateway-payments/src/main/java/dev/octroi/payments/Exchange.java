package dev.octroi.payments;

import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request as payments see it, whatever container received it. One thread at a time uses it.
 *
 * <p>What a container has beside this, {@link #unwrap} tells; such as {@code
 * ContainerRequestContext} in JAX-RS, {@code HttpServletRequest} in a servlet container.
 */
public interface Exchange {

  /** The HTTP method as the caller sent it; {@code HEAD} where a container serves it as GET. */
  String method();

  /** The whole address that the request is served at, encoded, its query included. */
  URI address();

  /** The path of the application, without a slash at its end; empty at the root of the server. */
  String contextPath();

  /**
   * The path below the application, with one leading slash, after aliases were resolved; encoded as
   * received.
   */
  String path();

  /** The path below the application as the caller sent it, before aliases were resolved. */
  String receivedPath();

  /** The query as the caller sent it, encoded; null where there is none. */
  @Nullable String receivedQuery();

  /** The decoded values of the matched path template's parameters; empty where there are none. */
  Map<String, List<String>> pathParameters();

  /** The decoded query parameters in order of appearance. */
  Map<String, List<String>> queryParameters();

  /** Each value of a header in order; empty where it is not there. */
  List<String> headers(String name);

  /** The values of a header, joined by commas; null where it is not there. */
  default @Nullable String header(String name) {
    List<String> values = headers(name);
    return values.isEmpty() ? null : values.size() == 1 ? values.get(0) : String.join(",", values);
  }

  /** What is left of the body; null where the container has none. */
  @Nullable InputStream body();

  /** Has all that read the body later read this. */
  void body(InputStream instead);

  /** What was noted at this request under a name; null if nothing was. */
  @Nullable Object property(String name);

  /** Notes something at this request, for as long as it is served. */
  void property(String name, Object value);

  /** The container's own view of the request, if it is of a type. */
  <T> Optional<T> unwrap(Class<T> type);
}

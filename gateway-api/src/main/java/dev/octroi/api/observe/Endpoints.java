package dev.octroi.api.observe;

import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.observe.ObservedCall.Endpoint;
import dev.octroi.api.price.PriceBook;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names what a request called: the row that it buys, or the template of its resource. Never the
 * path itself, which callers make up. Thread-safe.
 */
final class Endpoints {

  private static final Pattern EXPRESSION = Pattern.compile("\\{\\s*([\\w.-]+)\\s*:[^{}]*}");

  private final PriceBook rows;
  private final ConcurrentMap<Method, String> templates = new ConcurrentHashMap<>();

  Endpoints(PriceBook rows) {
    this.rows = rows;
  }

  /**
   * What was called.
   *
   * @param resource the method that was matched; null, or with nothing in it, where none was
   */
  Endpoint of(ObservedCall call, ContainerRequestContext request, @Nullable ResourceInfo resource) {
    String method = Endpoint.method(call.method());
    String group =
        Addressed.group(JaxrsExchange.of(request)).map(Group::word).orElse(Endpoint.GATEWAY);
    String path = request.getUriInfo().getPath(false);
    return new Endpoint(
        group,
        method,
        rows.sold(method, path.startsWith("/") ? path : "/" + path)
            .map(SoldRow::path)
            .or(() -> template(resource))
            .orElse(Endpoint.UNMATCHED));
  }

  private Optional<String> template(@Nullable ResourceInfo resource) {
    Method method = resource == null ? null : resource.getResourceMethod();
    return method == null
        ? Optional.empty()
        : Optional.of(templates.computeIfAbsent(method, Endpoints::template));
  }

  private static String template(Method method) {
    Path below = method.getAnnotation(Path.class);
    Path base = method.getDeclaringClass().getAnnotation(Path.class);
    String path = slashed(base) + slashed(below);
    return path.isEmpty() ? "/" : EXPRESSION.matcher(path).replaceAll("{$1}");
  }

  private static String slashed(@Nullable Path path) {
    String text = path == null ? "" : path.value();
    if (text.isEmpty() || text.equals("/")) {
      return "";
    }
    return text.startsWith("/") ? text : "/" + text;
  }
}

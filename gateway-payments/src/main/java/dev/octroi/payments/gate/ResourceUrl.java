package dev.octroi.payments.gate;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.net.URI;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The absolute address of what is paid for: below the public base address where one is set, else as
 * a trusted proxy says, else as the container saw it (decisions, absolute addresses).
 *
 * @param publicBase stands for the application's base address; null if not set
 * @param trustForwarded whether a request's {@code Forwarded} and {@code X-Forwarded-*} are
 *     believed; only where a proxy that overwrites them sent it
 */
public record ResourceUrl(
    @Nullable URI publicBase, Predicate<ContainerRequestContext> trustForwarded) {

  /** A longer address goes without its query: the challenge must fit into a header. */
  private static final int MAX_CHARS = 2048;

  private static final Pattern HOST =
      Pattern.compile("(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");
  private static final Pattern FORWARDED_PROTO = parameter("proto");
  private static final Pattern FORWARDED_HOST = parameter("host");

  String of(ContainerRequestContext request) {
    URI uri = request.getUriInfo().getRequestUri();
    String address = base(request, uri) + CanonicalPath.below(request.getUriInfo());
    String query = uri.getRawQuery();
    boolean fits = query != null && address.length() + query.length() < MAX_CHARS;
    return fits ? address + "?" + query : address;
  }

  /**
   * Whether an address that a client says it pays for may mean this request. Its path decides: the
   * host may be a proxy's, and a header that was too long for the whole address told the origin.
   */
  boolean agrees(String paidFor, ContainerRequestContext request) {
    try {
      String path = URI.create(paidFor).getRawPath();
      return path == null
          || withoutSlash(path).isEmpty()
          || path.equals(URI.create(of(request)).getRawPath());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The address of the application, without a slash at its end. */
  public String base(ContainerRequestContext request) {
    return base(request, request.getUriInfo().getRequestUri());
  }

  private String base(ContainerRequestContext request, URI uri) {
    if (publicBase != null) {
      return withoutSlash(publicBase.toString());
    }
    String contextPath = withoutSlash(request.getUriInfo().getBaseUri().getRawPath());
    return scheme(request, uri) + "://" + host(request, uri) + contextPath;
  }

  private String scheme(ContainerRequestContext request, URI uri) {
    return forwarded(request, FORWARDED_PROTO, "X-Forwarded-Proto")
        .filter(scheme -> scheme.equals("http") || scheme.equals("https"))
        .orElse(uri.getScheme());
  }

  /** Asks the header itself: CXF puts its own name into an address that a filter has changed. */
  private String host(ContainerRequestContext request, URI uri) {
    return forwarded(request, FORWARDED_HOST, "X-Forwarded-Host")
        .or(() -> Optional.ofNullable(request.getHeaderString(HttpHeaders.HOST)))
        .filter(host -> HOST.matcher(host).matches())
        .orElse(uri.getRawAuthority());
  }

  /** The value that the outermost proxy gave, which stands first. */
  private Optional<String> forwarded(
      ContainerRequestContext request, Pattern parameter, String older) {
    if (!trustForwarded.test(request)) {
      return Optional.empty();
    }
    String standard = request.getHeaderString("Forwarded");
    if (standard != null) {
      Matcher matcher = parameter.matcher(first(standard));
      return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
    return Optional.ofNullable(request.getHeaderString(older)).map(ResourceUrl::first);
  }

  private static String first(String list) {
    int comma = list.indexOf(',');
    return (comma < 0 ? list : list.substring(0, comma)).trim();
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private static Pattern parameter(String name) {
    return Pattern.compile("(?i)(?:^|;)\\s*" + name + "=\"?([^\";]+)\"?");
  }
}

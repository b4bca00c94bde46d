package dev.octroi.payments.flow;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.HostNaming;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The absolute address of what is paid for, as it was asked for: below the public base address
 * where one is set, else as a trusted proxy says, else at the host that the caller named, if that
 * is one of ours (decisions, absolute addresses).
 *
 * @param publicBase stands for the application's base address; null if not set
 * @param part the path at the end of the context paths of a part of the application that lies by
 *     itself, such as {@code /octroi}; empty if there is none
 * @param proxies how many proxies, counted from this server, passed a request on whose {@code
 *     Forwarded} and {@code X-Forwarded-*} are believed; 0 if none
 * @param hosts tells which host is ours
 * @param canonical the path of which another is an alias; the path itself where it is none
 */
public record ResourceUrl(
    @Nullable URI publicBase,
    String part,
    ToIntFunction<Exchange> proxies,
    HostNaming hosts,
    UnaryOperator<String> canonical) {

  /** A longer address goes without its query: the challenge must fit into a header. */
  private static final int MAX_CHARS = 2048;

  private static final Pattern HOST =
      Pattern.compile("(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");
  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
  private static final Pattern UNRESERVED = Pattern.compile("[A-Za-z0-9._~-]");

  private static final Pattern FORWARDED_PROTO = parameter("proto");
  private static final Pattern FORWARDED_HOST = parameter("host");

  String of(Exchange request) {
    String address = base(request) + request.receivedPath();
    String query = request.receivedQuery();
    boolean fits = query != null && address.length() + query.length() < MAX_CHARS;
    return fits ? address + "?" + query : address;
  }

  /**
   * Whether an address that a client says it pays for may mean this request: after the same
   * normalisation its path is the request's. The host may be a proxy's, and a header that was too
   * long for the whole address told the origin.
   */
  boolean agrees(String paidFor, Exchange request) {
    URI stated;
    try {
      stated = URI.create(paidFor);
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (stated.isOpaque()) {
      return false;
    }
    String path = stated.getRawPath();
    if (withoutSlash(path).isEmpty()) {
      return true;
    }
    String called = spelling(request.path());
    String received = spelling(request.receivedPath());
    return bases(stated, request)
        .filter(base -> path.startsWith(base + "/"))
        .map(base -> spelling(path.substring(base.length())))
        .anyMatch(below -> below.equals(received) || canonical.apply(below).equals(called));
  }

  /**
   * The paths under which the application may lie for a client that states an address: the public
   * one, and its own for a client that called this server directly.
   */
  private Stream<String> bases(URI stated, Exchange request) {
    String own = request.contextPath();
    if (publicBase == null) {
      return Stream.of(own);
    }
    String published = withoutSlash(publicBase.getRawPath()) + partOf(request);
    boolean direct =
        !isAuthority(publicBase.getRawAuthority(), stated)
            && isAuthority(request.header("Host"), stated);
    return direct ? Stream.of(published, own).distinct() : Stream.of(published);
  }

  private static boolean isAuthority(@Nullable String authority, URI stated) {
    return authority != null && authority.equalsIgnoreCase(stated.getRawAuthority());
  }

  /** The address of the application, without a slash at its end. */
  public String base(Exchange request) {
    if (publicBase != null) {
      return withoutSlash(publicBase.toString()) + partOf(request);
    }
    URI own = request.address();
    return scheme(request, own) + "://" + host(request, own) + request.contextPath();
  }

  private String partOf(Exchange request) {
    return request.contextPath().endsWith(part) ? part : "";
  }

  private String scheme(Exchange request, URI own) {
    return forwarded(request, FORWARDED_PROTO, "X-Forwarded-Proto")
        .filter(scheme -> scheme.equals("http") || scheme.equals("https"))
        .orElse(own.getScheme());
  }

  private String host(Exchange request, URI own) {
    // HTTP/2 lets a request name none.
    return forwardedHost(request)
        .orElseGet(
            () ->
                hosts.told(
                    request,
                    named(request).orElse(Objects.requireNonNullElse(own.getRawAuthority(), ""))));
  }

  /** The host, with its port if it has one, that a caller's request names; empty if none. */
  public static Optional<String> named(Exchange request) {
    // Asks the header itself: CXF puts its own name into an address that a filter has changed.
    return Optional.ofNullable(request.header("Host")).filter(host -> HOST.matcher(host).matches());
  }

  /** The host that the caller named by the word of trusted proxies. */
  public Optional<String> forwardedHost(Exchange request) {
    return forwarded(request, FORWARDED_HOST, "X-Forwarded-Host")
        .filter(host -> HOST.matcher(host).matches());
  }

  /**
   * What the outermost trusted proxy says. Proxies add to the end, and what a caller sent stands
   * before it. Where the two headers differ one of them may be the caller's, so that neither is
   * believed.
   */
  private Optional<String> forwarded(Exchange request, Pattern parameter, String older) {
    int trusted = proxies.applyAsInt(request);
    if (trusted <= 0) {
      return Optional.empty();
    }
    Optional<String> standard =
        Optional.ofNullable(request.header("Forwarded"))
            .map(list -> fromEnd(list, trusted))
            .map(parameter::matcher)
            .filter(Matcher::find)
            .map(found -> found.group(1));
    Optional<String> common =
        Optional.ofNullable(request.header(older)).map(list -> fromEnd(list, trusted));
    boolean differ =
        standard.isPresent()
            && common.isPresent()
            && !standard.get().equalsIgnoreCase(common.get());
    return differ ? Optional.empty() : standard.or(() -> common);
  }

  private static String fromEnd(String list, int steps) {
    String[] values = list.split(",", -1);
    return values[Math.max(0, values.length - steps)].trim();
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private static Pattern parameter(String name) {
    return Pattern.compile("(?i)(?:^|;)\\s*" + name + "=\"?([^\";]+)\"?");
  }

  /**
   * The one spelling of paths that mean the same (RFC 3986, 6.2.2): capital escapes, none of what
   * needs none, all else but ASCII escaped. What is no path stays as it is.
   *
   * @param path begins with a slash
   */
  private static String spelling(String path) {
    if (path.indexOf('%') < 0 && StandardCharsets.US_ASCII.newEncoder().canEncode(path)) {
      return path;
    }
    String ascii;
    try {
      ascii = URI.create(path).toASCIIString();
    } catch (IllegalArgumentException e) {
      return path;
    }
    return ESCAPE
        .matcher(ascii)
        .replaceAll(escape -> Matcher.quoteReplacement(spelled(escape.group(1))));
  }

  private static String spelled(String digits) {
    String character = String.valueOf((char) Integer.parseInt(digits, 16));
    return UNRESERVED.matcher(character).matches()
        ? character
        : "%" + digits.toUpperCase(Locale.ROOT);
  }
}

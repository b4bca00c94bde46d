package dev.octroi.payments.servlet;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.PaidEndpoint;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prices by path and method. The most specific row rules: an exact path before a folder, the longer
 * folder before the shorter, a folder before an ending; at one path a named method before any.
 *
 * <p>Paths are compared as the container maps them: decoded, without {@code ;} parameters, below
 * the application. Case does not count, because some file systems find a file in either; a path
 * that is asked for in another case is never free by that.
 *
 * <p>{@code GET} includes {@code HEAD}, which is refused on what is paid, and {@code POST}, which
 * the file servlets of some containers answer alike, unless a row of the same path prices or frees
 * that. {@code OPTIONS} is free unless a row names it. Thread-safe once it is built.
 */
public final class PathPrices implements Function<HttpServletRequest, Optional<PaidEndpoint>> {

  private static final String OPTIONS = "OPTIONS";
  private static final Pattern SLASHES = Pattern.compile("/{2,}");
  private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
  private static final List<String> WELCOME = List.of("index.html", "index.htm", "index.jsp");

  /**
   * Something that is not free.
   *
   * @param method in upper case; empty for any
   * @param pattern as it was written
   * @param price what it always costs; empty where a tariff counts that
   */
  public record Priced(Optional<String> method, String pattern, Optional<Usd> price) {}

  private record Row(@Nullable String method, String pattern, Optional<PaidEndpoint> endpoint) {

    boolean matches(String called, String path) {
      return matchesMethod(called) && matchesPath(path);
    }

    private boolean matchesMethod(String called) {
      if (method == null) {
        return !called.equals(OPTIONS);
      }
      return method.equals(called) || (method.equals("GET") && called.equals("HEAD"));
    }

    /** A slash at its end makes no path free: some applications take it for nothing. */
    private boolean matchesPath(String path) {
      return covers(pattern, path)
          || (endpoint.isPresent() && covers(withoutSlash(pattern), withoutSlash(path)))
          || isFolderOf(path);
    }

    private static String withoutSlash(String path) {
      return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static boolean covers(String pattern, String path) {
      if (pattern.endsWith("/*")) {
        String folder = pattern.substring(0, pattern.length() - 2);
        return path.equals(folder) || path.startsWith(folder + "/");
      }
      if (pattern.startsWith("*.")) {
        return path.endsWith(pattern.substring(1));
      }
      return path.equals(pattern);
    }

    /** A container serves a welcome file at the address of its folder, asking no filter. */
    private boolean isFolderOf(String path) {
      return path.endsWith("/")
          && WELCOME.stream().anyMatch(welcome -> pattern.equals(path + welcome));
    }

    /** The higher the more specific. */
    int rank() {
      return place() * 2 + (method == null ? 0 : 1);
    }

    /** The rank of its path. */
    int place() {
      int kind = pattern.startsWith("*.") ? 0 : pattern.endsWith("/*") ? 1 : 2;
      return kind * 100_000 + pattern.length();
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private final List<Priced> priced = new ArrayList<>();

  /**
   * Whatever method is called at a path costs so much, once it has answered.
   *
   * @param pattern a path such as {@code /report}, a folder such as {@code /reports/*}, or an
   *     ending such as {@code *.pdf}
   * @param dollars a decimal number, at most six places
   */
  public PathPrices paid(String pattern, String dollars) {
    return paid(null, pattern, dollars);
  }

  /** The same for one HTTP method; null for any. */
  public PathPrices paid(@Nullable String method, String pattern, String dollars) {
    Usd price = Usd.parse(dollars);
    return paid(
        method,
        pattern,
        Optional.of(price),
        new PaidEndpoint(pattern, request -> price, Settle.AFTER, Redelivery.STORED));
  }

  /**
   * The same with a price that depends on the request.
   *
   * @param settle {@link Settle#BEFORE}: the money moves before the application is asked, and its
   *     answer leaves as it is written
   * @param redelivery what a payer gets whose answer did not arrive: {@link Redelivery#RESUMED}
   *     where the price is settled before, as the application is asked again
   */
  public PathPrices paid(
      @Nullable String method,
      String pattern,
      Tariff tariff,
      Settle settle,
      Redelivery redelivery) {
    boolean before = settle == Settle.BEFORE;
    if (settle == Settle.LATER || before != (redelivery == Redelivery.RESUMED)) {
      throw new IllegalArgumentException(
          pattern + ": settle AFTER and keep the answer STORED or REREAD, or BEFORE and RESUMED");
    }
    return paid(
        method, pattern, Optional.empty(), new PaidEndpoint(pattern, tariff, settle, redelivery));
  }

  private PathPrices paid(
      @Nullable String method, String pattern, Optional<Usd> price, PaidEndpoint endpoint) {
    add(method, pattern, Optional.of(endpoint));
    priced.add(
        new Priced(
            Optional.ofNullable(method).map(name -> name.toUpperCase(Locale.ROOT)),
            pattern,
            price));
    return this;
  }

  /** All that is not free, in the order in which it was given. */
  public List<Priced> priced() {
    return List.copyOf(priced);
  }

  /** What lies at a path costs nothing, although a less specific row says that it does. */
  public PathPrices free(String pattern) {
    return add(null, pattern, Optional.empty());
  }

  private PathPrices add(@Nullable String method, String pattern, Optional<PaidEndpoint> endpoint) {
    boolean path = pattern.startsWith("/") && pattern.indexOf('*') < 0;
    boolean folder =
        pattern.startsWith("/")
            && pattern.indexOf('*') == pattern.length() - 1
            && pattern.endsWith("/*");
    boolean ending = pattern.startsWith("*.") && pattern.lastIndexOf('*') == 0;
    if (!path && !folder && !ending) {
      throw new IllegalArgumentException(
          pattern + " is no path: write /report, /reports/* or *.pdf");
    }
    rows.add(
        new Row(
            method == null ? null : method.toUpperCase(Locale.ROOT),
            pattern.toLowerCase(Locale.ROOT),
            endpoint));
    rows.sort(Comparator.comparingInt(Row::rank).reversed());
    return this;
  }

  @Override
  public Optional<PaidEndpoint> apply(HttpServletRequest request) {
    String method = request.getMethod().toUpperCase(Locale.ROOT);
    String path = path(request);
    Optional<Row> ruling = ruling(method, path);
    if (method.equals("POST") && ruling.flatMap(Row::endpoint).isEmpty()) {
      int free = ruling.map(Row::place).orElse(-1);
      ruling = ruling("GET", path).filter(read -> read.place() > free);
    }
    return ruling.flatMap(Row::endpoint);
  }

  private Optional<Row> ruling(String method, String path) {
    return rows.stream().filter(row -> row.matches(method, path)).findFirst();
  }

  /**
   * Some containers map a request after its filters have seen it: there its own address tells the
   * path, in the spelling that they would make of it.
   *
   * @throws IllegalArgumentException if that is no path
   */
  private static String stated(HttpServletRequest request) {
    String below = request.getRequestURI().substring(request.getContextPath().length());
    String encoded = PARAMETERS.matcher(below).replaceAll("").replace("+", "%2B");
    try {
      return new URI(null, null, URLDecoder.decode(encoded, StandardCharsets.UTF_8), null)
          .normalize()
          .getPath();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("the request has no path", e);
    }
  }

  /** What is included has the path that it is included by; the request keeps its own. */
  private static String path(HttpServletRequest request) {
    boolean included = request.getDispatcherType() == DispatcherType.INCLUDE;
    Object servlet =
        included
            ? request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH)
            : request.getServletPath();
    Object info =
        included
            ? request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO)
            : request.getPathInfo();
    String mapped = (servlet == null ? "" : servlet.toString()) + (info == null ? "" : info);
    String path = mapped.isEmpty() && !included ? stated(request) : mapped;
    return SLASHES.matcher(path).replaceAll("/").toLowerCase(Locale.ROOT);
  }
}

package dev.octroi.api.route;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which headers of one side reach the other. Names are compared as servers may read them that make
 * variables of them: {@code X_Payer} and {@code X.Payer} are {@code X-Payer} there. Immutable.
 */
final class HeaderRules {

  /** Those of a connection (RFC 9110, section 7.6.1), and what stands for them in older ones. */
  private static final Set<String> OF_CONNECTIONS =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "http2-settings",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authentication-info",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "trailers",
          "transfer-encoding",
          "upgrade");

  /** By which a request would mean another method, path or host than the one that was priced. */
  private static final Set<String> MEANING_ANOTHER =
      Set.of(
          "host",
          "x-host",
          "x-http-host-override",
          "x-http-method",
          "x-http-method-override",
          "x-method-override",
          "x-original-host",
          "x-original-url",
          "x-override-url",
          "x-rewrite-url");

  /** What the gateway itself says of a request. */
  private static final Set<String> OURS =
      Set.of(
          "forwarded",
          "via",
          "x-payer",
          "x-payment",
          "x-price",
          "x-real-ip",
          "x-request-id",
          "sign-in-with-x");

  /** What the gateway sends with each request. */
  private static final Set<String> SENT =
      Set.of(
          "host",
          "x-forwarded-for",
          "x-forwarded-host",
          "x-forwarded-prefix",
          "x-forwarded-proto",
          "x-payer",
          "x-payment-id",
          "x-price",
          "x-request-id");

  private static final List<String> OURS_BEGIN =
      List.of("payment-", "x-forwarded-", "x-octroi-", "x-payment-", "x-price-");

  /** They ask for a part of an answer, or for none if it has not changed: what is sold is whole. */
  private static final Set<String> FOR_LESS =
      Set.of("if-modified-since", "if-none-match", "if-range", "range");

  /** What the gateway itself says of an answer. */
  private static final Set<String> OF_ANSWERS =
      Set.of("alt-svc", "date", "x-content-type-options", "x-payment", "x-request-id", "x-sandbox");

  private static final List<String> OF_ANSWERS_BEGIN =
      List.of("payment-", "x-octroi-", "x-payment-", "x-price-");

  private static final String ALL = "*";

  /** Without them a body cannot be read. */
  private static final List<String> OF_BODIES = List.of("content-encoding", "content-type");

  private static final Pattern ODD = Pattern.compile("[^a-z0-9]");
  private static final Pattern KEY = Pattern.compile("(?is)(?:.*[\\s,])?sk-.*");

  private final Optional<Set<String>> passed;
  private final Set<String> replaced;

  private HeaderRules(List<String> passed, Collection<String> replaced) {
    this.passed =
        passed.contains(ALL)
            ? Optional.empty()
            : Optional.of(
                Stream.concat(passed.stream().map(HeaderRules::read), OF_BODIES.stream())
                    .collect(Collectors.toUnmodifiableSet()));
    this.replaced =
        replaced.stream().map(HeaderRules::read).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Rules for one direction.
   *
   * @param passed the names that pass; {@code *} for all
   * @param replaced what the gateway sets in their place
   */
  static HeaderRules of(List<String> passed, Collection<String> replaced) {
    return new HeaderRules(passed, replaced);
  }

  /** Whether a route may set a header: it belongs to no connection, and the gateway sends none. */
  static boolean isSettable(String name) {
    String read = read(name);
    return !OF_CONNECTIONS.contains(read) && !SENT.contains(read);
  }

  private static String read(String name) {
    return ODD.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("-");
  }

  /**
   * Whether a caller's header reaches the server.
   *
   * @param named what the caller's {@code Connection} names
   * @param whole whether only a whole answer does
   */
  boolean toServer(String name, String value, Set<String> named, boolean whole) {
    String read = read(name);
    return isFree(read, named)
        && !MEANING_ANOTHER.contains(read)
        && !OURS.contains(read)
        && OURS_BEGIN.stream().noneMatch(read::startsWith)
        && !(whole && FOR_LESS.contains(read))
        && !isKey(read, value);
  }

  /**
   * Whether a server's header reaches the caller.
   *
   * @param named what the server's {@code Connection} names
   * @param whole whether only whole answers are given
   */
  boolean toCaller(String name, Set<String> named, boolean whole) {
    String read = read(name);
    return isFree(read, named)
        && !OF_ANSWERS.contains(read)
        && OF_ANSWERS_BEGIN.stream().noneMatch(read::startsWith)
        && !(whole && read.equals("accept-ranges"));
  }

  private boolean isFree(String read, Set<String> named) {
    return !OF_CONNECTIONS.contains(read)
        && !named.contains(read)
        && !replaced.contains(read)
        && passed.map(names -> names.contains(read)).orElse(true);
  }

  /** The gateway's own keys: a server that got one could spend it. */
  private static boolean isKey(String read, String value) {
    return (read.equals("authorization") || read.equals("x-api-key"))
        && KEY.matcher(value).matches();
  }

  /** The names that the values of a {@code Connection} header say belong to the connection. */
  static Set<String> named(List<String> connection) {
    return connection.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(HeaderRules::read)
        .collect(Collectors.toSet());
  }
}

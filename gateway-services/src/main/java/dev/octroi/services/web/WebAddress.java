package dev.octroi.services.web;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * A well-formed address of a page: http or https, with a host and without credentials. Whether it
 * may be fetched is another question.
 *
 * @param uri normalised: lower-case scheme and ASCII host, a path, no fragment
 */
public record WebAddress(URI uri) {

  /** No real page has a longer one. */
  private static final int LONGEST = 2_048;

  /** Reads an address; empty for a text that is none. */
  public static Optional<WebAddress> of(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      return of(new URI(text));
    } catch (URISyntaxException | IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private static Optional<WebAddress> of(URI given) throws URISyntaxException {
    String scheme = given.getScheme() == null ? "" : given.getScheme().toLowerCase(Locale.ROOT);
    boolean web = scheme.equals("http") || scheme.equals("https");
    if (!web || given.isOpaque() || given.getRawAuthority() == null) {
      return Optional.empty();
    }
    String authority = ascii(given);
    String path = given.getRawPath().isEmpty() ? "/" : given.getRawPath();
    String query = given.getRawQuery() == null ? "" : "?" + given.getRawQuery();
    URI uri = new URI(new URI(scheme + "://" + authority + path + query).toASCIIString());
    boolean good =
        uri.getHost() != null
            && uri.getRawUserInfo() == null
            && (uri.getPort() == -1 || (uri.getPort() > 0 && uri.getPort() <= 65_535));
    return good ? Optional.of(new WebAddress(uri)) : Optional.empty();
  }

  /** The authority with the host in its ASCII form; a name in other letters is no host to Java. */
  private static String ascii(URI given) {
    String authority = given.getRawAuthority();
    return (given.getHost() == null ? IDN.toASCII(authority) : authority).toLowerCase(Locale.ROOT);
  }

  /** The host's name, or its address without brackets. */
  String host() {
    String host = uri.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** The port that is connected to. */
  int port() {
    if (uri.getPort() != -1) {
      return uri.getPort();
    }
    return uri.getScheme().equals("https") ? 443 : 80;
  }

  /** The address that a redirection leads to; empty if it is none. */
  Optional<WebAddress> resolve(String location) {
    try {
      return of(uri.resolve(location).toString());
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}

package dev.octroi.api.http;

import dev.octroi.api.http.TrustedProxies.AddressBlock;
import dev.octroi.api.settings.HttpSettings;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HostNaming;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosts that this gateway goes by: names of this machine's loopback address, the host of the
 * public address, and what the operator lists. Any other one is a caller's invention, or another
 * site's name that was made to lead here. Thread-safe.
 */
public final class OwnHosts implements HostNaming {

  private static final Logger LOG = LoggerFactory.getLogger(OwnHosts.class);

  private static final String LOCAL = "localhost";
  private static final int ANY_PORT = 0;

  private final Set<String> listed = new HashSet<>();
  private final Optional<URI> publicUrl;
  private final String unknown;
  private final AtomicBoolean warned = new AtomicBoolean();

  public OwnHosts(HttpSettings settings) {
    this(settings.hosts(), settings.publicUrl(), address(settings));
  }

  /** Those of a server that has no name but those of the loopback address. */
  public OwnHosts() {
    this(List.of(), Optional.empty(), LOCAL);
  }

  private OwnHosts(List<String> listed, Optional<URI> publicUrl, String unknown) {
    listed.forEach(host -> this.listed.add(name(host)));
    this.publicUrl = publicUrl;
    this.unknown = unknown;
  }

  /** What the operator says that the server listens on, for containers that do not tell. */
  private static String address(HttpSettings settings) {
    boolean wildcard =
        AddressBlock.bytes(settings.bindAddress()).filter(OwnHosts::isWildcard).isPresent();
    String host = wildcard ? LOCAL : settings.bindAddress();
    String literal = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    return settings.port() == ANY_PORT ? literal : literal + ":" + settings.port();
  }

  private static boolean isWildcard(byte[] address) {
    for (byte one : address) {
      if (one != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether an address or name is this machine's loopback address; asks no name server. */
  public static boolean isLoopback(String host) {
    String name = name(host);
    return name.equals(LOCAL) || AddressBlock.bytes(name).filter(OwnHosts::isLocal).isPresent();
  }

  private static boolean isLocal(byte[] address) {
    if (address.length == 4) {
      return address[0] == 127;
    }
    for (int i = 0; i < address.length - 1; i++) {
      if (address[i] != 0) {
        return false;
      }
    }
    return address[address.length - 1] == 1;
  }

  /**
   * Whether a host is one of ours.
   *
   * @param authority as a request names it, with or without a port, which says nothing: ports are
   *     forwarded
   */
  public boolean contains(String authority) {
    String name = name(withoutPort(authority));
    return isListed(name)
        || publicUrl.map(URI::getHost).filter(host -> name(host).equals(name)).isPresent();
  }

  private boolean isListed(String name) {
    // Browsers take all names below localhost for this machine and ask no name server.
    return isLoopback(name) || name.endsWith("." + LOCAL) || listed.contains(name);
  }

  /**
   * Whether a web page lies at one of our hosts, or at the public address itself.
   *
   * @param origin as browsers state it
   */
  boolean isOwnPage(String origin) {
    URI page;
    try {
      page = URI.create(origin);
    } catch (IllegalArgumentException e) {
      return false;
    }
    boolean web =
        ("http".equalsIgnoreCase(page.getScheme()) || "https".equalsIgnoreCase(page.getScheme()))
            && page.getHost() != null
            && page.getRawUserInfo() == null;
    return web
        && (isListed(name(page.getHost()))
            || publicUrl.filter(own -> isSame(own, page)).isPresent());
  }

  private static boolean isSame(URI own, URI page) {
    return own.getScheme().equalsIgnoreCase(page.getScheme())
        && own.getRawAuthority().equalsIgnoreCase(page.getRawAuthority());
  }

  /** A host that is none of ours is told the address at which its request arrived. */
  @Override
  public String told(Exchange request, String named) {
    if (contains(named)) {
      return named;
    }
    if (!warned.getAndSet(true)) {
      LOG.warn(
          "A caller named a host that is not known to be this gateway's and was told the"
              + " connector's address instead. If callers do reach it by a name, set"
              + " gateway.http.public-url or list the name in gateway.http.hosts.");
    }
    return ClientAddress.arrivedAt(request).orElse(unknown);
  }

  private static String withoutPort(String authority) {
    int colon = authority.lastIndexOf(':');
    boolean port =
        authority.startsWith("[")
            ? colon > authority.indexOf(']')
            : colon >= 0 && colon == authority.indexOf(':');
    return port ? authority.substring(0, colon) : authority;
  }

  /** In one spelling: small letters, without the dot of the root. */
  private static String name(String host) {
    String lower = host.strip().toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}

package dev.octroi.services.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Where a fetch may connect to. It is asked as the resolver of the connection itself: what it has
 * checked is what is connected to, and a name that changes its mind afterwards is not asked again.
 * Immutable.
 */
final class Guard implements DnsResolver {

  /** Dotted decimal, which all systems read alike; each reads other numbers in its own way. */
  private static final Pattern PLAIN_IPV4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d\\d|\\d)(\\.(?!$)|$)){4}");

  private static final Pattern NUMERIC_END =
      Pattern.compile("(.*\\.)?(\\d+|0[xX][0-9a-fA-F]*)\\.?");

  private final Set<Integer> ports;
  private final NameResolver names;
  private final Predicate<InetAddress> open;

  /**
   * @param ports that may be connected to
   * @param open which addresses may be
   */
  Guard(Set<Integer> ports, NameResolver names, Predicate<InetAddress> open) {
    this.ports = Set.copyOf(ports);
    this.names = names;
    this.open = open;
  }

  static Guard ofPublicWeb(Set<Integer> ports) {
    return new Guard(
        ports, host -> List.of(InetAddress.getAllByName(host)), PublicAddresses::contain);
  }

  /** Whether the address may be tried at all, before its name is looked up. */
  boolean admits(WebAddress address) {
    String host = address.host();
    boolean oddNumber = NUMERIC_END.matcher(host).matches() && !PLAIN_IPV4.matcher(host).matches();
    return ports.contains(address.port()) && !oddNumber;
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    List<InetAddress> addresses = names.resolve(name);
    if (!addresses.stream().allMatch(open)) {
      throw new NotPublic();
    }
    return addresses.toArray(InetAddress[]::new);
  }

  @Override
  public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
    return List.of(resolve(host)).stream()
        .map(address -> new InetSocketAddress(address, port))
        .toList();
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  /** A name some of whose addresses are not public. */
  static final class NotPublic extends UnknownHostException {

    private static final long serialVersionUID = 1L;

    NotPublic() {
      super("not public");
    }
  }
}

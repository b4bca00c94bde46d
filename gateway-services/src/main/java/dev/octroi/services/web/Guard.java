package dev.octroi.services.web;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Where a fetch or a post may connect to. It is asked as the resolver of the connection itself:
 * what it has checked is what is connected to, and a name that changes its mind afterwards is not
 * asked again. Immutable.
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
    return new Guard(ports, Guard::ofSystem, PublicAddresses::contain);
  }

  /** Lets all addresses be connected to, for what the operator has said may lie inside. */
  static Guard ofAnyNetwork(Set<Integer> ports) {
    return new Guard(ports, Guard::ofSystem, address -> true);
  }

  private static List<InetAddress> ofSystem(String host) throws UnknownHostException {
    return List.of(InetAddress.getAllByName(host));
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

  /** Finds the addresses of a host; the system's resolver but for tests. */
  @FunctionalInterface
  interface NameResolver {

    List<InetAddress> resolve(String host) throws UnknownHostException;
  }

  /**
   * Which addresses are public: those that the special-purpose registries of IANA (RFC 6890 and its
   * successors) give to no other use. IPv6 is judged the other way round, for only one block of it
   * is in use.
   */
  static final class PublicAddresses {

    private static final List<Block> RESERVED =
        List.of(
            Block.of("00000000", 8), // this network
            Block.of("0a000000", 8), // private
            Block.of("64400000", 10), // carriers' own
            Block.of("7f000000", 8), // loopback
            Block.of("a9fe0000", 16), // link-local, where clouds keep their secrets
            Block.of("ac100000", 12), // private
            Block.of("c0000000", 24), // protocol assignments
            Block.of("c0000200", 24), // documentation
            Block.of("c0586300", 24), // 6to4 relays
            Block.of("c0a80000", 16), // private
            Block.of("c6120000", 15), // benchmarks
            Block.of("c6336400", 24), // documentation
            Block.of("cb007100", 24), // documentation
            Block.of("e0000000", 4), // multicast
            Block.of("f0000000", 4)); // future use, and broadcast

    private static final Block GLOBAL_UNICAST = Block.of("20000000000000000000000000000000", 3);

    private static final List<Block> RESERVED_OF_UNICAST =
        List.of(
            Block.of("20010000000000000000000000000000", 23), // protocols; Teredo carries IPv4
            Block.of("20010db8000000000000000000000000", 32), // documentation
            Block.of("20020000000000000000000000000000", 16), // 6to4 carries IPv4
            Block.of("3fff0000000000000000000000000000", 20)); // documentation

    private PublicAddresses() {}

    static boolean contain(InetAddress address) {
      byte[] octets = address.getAddress();
      if (address instanceof Inet4Address) {
        return RESERVED.stream().noneMatch(block -> block.contains(octets));
      }
      return GLOBAL_UNICAST.contains(octets)
          && RESERVED_OF_UNICAST.stream().noneMatch(block -> block.contains(octets));
    }

    /**
     * Addresses with a common beginning.
     *
     * @param first the first of them, in hexadecimal
     * @param bits how many bits are common
     */
    private record Block(String first, int bits) {

      static Block of(String first, int bits) {
        return new Block(first, bits);
      }

      boolean contains(byte[] octets) {
        byte[] mine = HexFormat.of().parseHex(first);
        for (int bit = 0; bit < bits; bit++) {
          int mask = 0x80 >> (bit % 8);
          if ((mine[bit / 8] & mask) != (octets[bit / 8] & mask)) {
            return false;
          }
        }
        return true;
      }
    }
  }
}

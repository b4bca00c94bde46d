package dev.octroi.services.web;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;

/**
 * Which addresses are public: those that the special-purpose registries of IANA (RFC 6890 and its
 * successors) give to no other use. IPv6 is judged the other way round, for only one block of it is
 * in use.
 */
final class PublicAddresses {

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

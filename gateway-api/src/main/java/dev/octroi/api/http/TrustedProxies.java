package dev.octroi.api.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whose word is taken for where a request came from. Immutable. */
public final class TrustedProxies {

  /** An IPv6 client has at least a network of its own; counting addresses would count nothing. */
  private static final int IPV6_NETWORK_BITS = 64;

  private final KnownAddresses known;

  /**
   * @param blocks addresses or blocks such as {@code 10.0.0.0/8}
   * @throws IllegalArgumentException if one cannot be read
   */
  public TrustedProxies(List<String> blocks) {
    this.known = new KnownAddresses(blocks);
  }

  /**
   * What counts as one client. Walks the forwarded header from its end for as long as the address
   * reached is a trusted proxy: everything before is the word of a stranger.
   */
  Origin origin(String direct, @Nullable String forwardedFor) {
    if (known.isEmpty() || !known.contains(direct)) {
      return new Origin(counted(direct), 0);
    }
    String[] hops = forwardedFor == null ? new String[0] : forwardedFor.split(",", -1);
    String client = direct;
    int proxies = 0;
    for (int i = hops.length - 1; known.contains(client); i--) {
      proxies++;
      if (i < 0) {
        break;
      }
      client = hops[i].strip();
    }
    return new Origin(counted(AddressBlock.bytes(client).isPresent() ? client : direct), proxies);
  }

  /**
   * Where a request came from.
   *
   * @param client what counts as one client
   * @param proxies how many trusted proxies passed it on, counted from this server
   */
  record Origin(String client, int proxies) {}

  /** What counts as one client, where all that is known is the address at the other end. */
  public Optional<String> stranger(String direct) {
    return known.contains(direct) ? Optional.empty() : Optional.of(counted(direct));
  }

  private static String counted(String address) {
    return AddressBlock.bytes(address)
        .map(
            bytes ->
                bytes.length == 4
                    ? HexFormat.of().formatHex(bytes)
                    : HexFormat.of().formatHex(AddressBlock.masked(bytes, IPV6_NETWORK_BITS)))
        .orElse(address);
  }

  /** Addresses that the operator or a host has listed. Immutable. */
  public static final class KnownAddresses {

    private final List<AddressBlock> blocks;

    /**
     * Reads the list.
     *
     * @param blocks addresses or blocks such as {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if one cannot be read
     */
    public KnownAddresses(List<String> blocks) {
      this.blocks = blocks.stream().map(AddressBlock::parse).toList();
    }

    boolean isEmpty() {
      return blocks.isEmpty();
    }

    /** Whether an address is one of them; never for what is no address. */
    public boolean contains(String literal) {
      if (blocks.isEmpty()) {
        return false;
      }
      Optional<byte[]> bytes = AddressBlock.bytes(literal);
      return bytes.isPresent() && blocks.stream().anyMatch(block -> block.contains(bytes.get()));
    }
  }

  /**
   * Addresses that share their first bits.
   *
   * @param network the address
   * @param bits how many of its first bits count
   */
  record AddressBlock(byte[] network, int bits) {

    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

    /** What is an address and not a name: nothing here asks a name server. */
    private static final Pattern LITERAL =
        Pattern.compile(
            "(?:" + OCTET + "\\.){3}" + OCTET + "|(?=[^:]*:)[0-9a-fA-F:][0-9a-fA-F:.]{1,44}");

    /** Reads {@code 10.0.0.0/8} or a single address. */
    static AddressBlock parse(String text) {
      String[] parts = text.split("/", 2);
      byte[] network =
          bytes(parts[0]).orElseThrow(() -> new IllegalArgumentException(text + " is no address"));
      int all = network.length * Byte.SIZE;
      int bits = parts.length == 1 ? all : bits(parts[1]);
      if (bits < 0 || bits > all) {
        throw new IllegalArgumentException(text + " has no such number of bits");
      }
      return new AddressBlock(network, bits);
    }

    /** Below zero where that is no number. */
    private static int bits(String text) {
      return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
    }

    static Optional<byte[]> bytes(String literal) {
      String plain =
          literal.startsWith("[") && literal.endsWith("]")
              ? literal.substring(1, literal.length() - 1)
              : literal;
      if (!LITERAL.matcher(plain).matches()) {
        return Optional.empty();
      }
      try {
        return Optional.of(InetAddress.getByName(plain).getAddress());
      } catch (UnknownHostException e) {
        return Optional.empty();
      }
    }

    boolean contains(byte[] address) {
      return address.length == network.length
          && Arrays.equals(masked(address, bits), masked(network, bits));
    }

    /** The address with everything after its first bits set to zero. */
    static byte[] masked(byte[] address, int bits) {
      byte[] masked = Arrays.copyOf(address, address.length);
      for (int bit = bits; bit < masked.length * Byte.SIZE; bit++) {
        masked[bit / Byte.SIZE] &= (byte) ~(0x80 >> (bit % Byte.SIZE));
      }
      return masked;
    }
  }
}

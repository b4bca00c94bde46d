package dev.octroi.api.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

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
    int bits = parts.length == 1 ? all : Integer.parseInt(parts[1]);
    if (bits < 0 || bits > all) {
      throw new IllegalArgumentException(text + " has no such number of bits");
    }
    return new AddressBlock(network, bits);
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

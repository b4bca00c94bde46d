package dev.octroi.api.http;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
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
}

package dev.octroi.api.http;

import java.util.List;
import java.util.Optional;

/** Addresses that the operator or a host has listed. Immutable. */
public final class KnownAddresses {

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

package dev.octroi.payments.evm;

import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Arrays;
import java.util.Locale;

/** An account of an EVM chain: 20 bytes, compared as bytes, shown with its EIP-55 checksum. */
public final class EvmAddress {

  public static final int BYTES = 20;

  private final byte[] bytes;

  private EvmAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads {@code 0x} and 40 hex digits in any case, without looking at the checksum.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static EvmAddress parse(String text) {
    return of(Hex.parse(text));
  }

  /**
   * Reads an address that a person typed: in mixed case its EIP-55 checksum must hold.
   *
   * @throws IllegalArgumentException if it is no address or its checksum is wrong
   */
  public static EvmAddress parseChecked(String text) {
    EvmAddress address = parse(text);
    String digits = text.substring(2);
    boolean mixed =
        !digits.equals(digits.toLowerCase(Locale.ROOT))
            && !digits.equals(digits.toUpperCase(Locale.ROOT));
    if (mixed && !address.toString().equals(text)) {
      throw new IllegalArgumentException(
          "the checksum of an address is wrong: a digit is mistyped");
    }
    return address;
  }

  /** The address of 20 bytes; throws {@link IllegalArgumentException} for another number. */
  public static EvmAddress of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("an address has 20 bytes");
    }
    return new EvmAddress(bytes.clone());
  }

  /** The address in the last 20 bytes of a word. */
  public static EvmAddress ofWord(byte[] word) {
    return new EvmAddress(Arrays.copyOfRange(word, Keccak.BYTES - BYTES, Keccak.BYTES));
  }

  /** The account of a public key, given as its two coordinates, 64 bytes. */
  static EvmAddress ofPublicKey(byte[] coordinates) {
    return ofWord(Keccak.hash(coordinates));
  }

  /** Copies the address into the last 20 of the 32 bytes from {@code offset}. */
  void writeWord(byte[] target, int offset) {
    System.arraycopy(bytes, 0, target, offset + Keccak.BYTES - BYTES, BYTES);
  }

  /** The 20 bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The address in lower case, as it stands in keys. */
  public String lowerCase() {
    return Hex.of(bytes);
  }

  /** Whether a member of an offer's {@code extra} is this address, in whichever case. */
  public boolean isNamed(PaymentRequirements terms, String member) {
    return terms
        .extra(member)
        .filter(named -> named.toString().equalsIgnoreCase(lowerCase()))
        .isPresent();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EvmAddress address && Arrays.equals(bytes, address.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The address with its EIP-55 checksum. */
  @Override
  public String toString() {
    char[] text = lowerCase().toCharArray();
    byte[] hash = Keccak.ofText(new String(text, 2, BYTES * 2));
    for (int i = 0; i < BYTES * 2; i++) {
      int nibble = (i % 2 == 0 ? hash[i / 2] >> 4 : hash[i / 2]) & 0xf;
      if (nibble >= 8) {
        text[i + 2] = Character.toUpperCase(text[i + 2]);
      }
    }
    return new String(text);
  }
}

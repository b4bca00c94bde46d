package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Signatures;

/**
 * The key of an account that pays for gas; it never leaves the object. Immutable and thread-safe.
 */
public final class RelayerKey {

  private final byte[] privateKey;
  private final EvmAddress address;

  private RelayerKey(byte[] privateKey) {
    this.privateKey = privateKey;
    this.address = Signatures.fastest().address(privateKey);
  }

  /**
   * A private key of 64 hex digits, with or without {@code 0x}.
   *
   * @throws IllegalArgumentException if it is none; the message does not repeat it
   */
  public static RelayerKey fromHex(String privateKey) {
    return new RelayerKey(Signatures.privateKey(privateKey));
  }

  /** The account that pays. */
  public EvmAddress address() {
    return address;
  }

  /** Signs a digest of 32 bytes; the result has 65 bytes. */
  byte[] sign(byte[] digest) {
    return Signatures.fastest().sign(digest, privateKey);
  }

  /** The address; the key is masked. */
  @Override
  public String toString() {
    return "RelayerKey[" + address + ", key ***]";
  }
}

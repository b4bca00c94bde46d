package dev.octroi.payments.client;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Signatures;
import java.util.Arrays;

/**
 * A payer's EVM account and its private key, which never leaves the object. Immutable and
 * thread-safe.
 */
public final class Wallet {

  private final byte[] privateKey;
  private final EvmAddress address;
  private final Signatures signatures;

  private Wallet(byte[] privateKey) {
    this.privateKey = privateKey;
    this.signatures = Signatures.fastest();
    this.address = signatures.address(privateKey);
  }

  /** A wallet of a new random key. */
  public static Wallet generate() {
    return new Wallet(Signatures.newPrivateKey());
  }

  /**
   * The wallet of a private key of 64 hex digits, with or without {@code 0x}.
   *
   * @throws IllegalArgumentException if it is no private key; the message does not repeat it
   */
  public static Wallet fromHex(String privateKey) {
    return new Wallet(Signatures.privateKey(privateKey));
  }

  /** The account that pays. */
  public EvmAddress address() {
    return address;
  }

  /** Signs a digest of 32 bytes; the result has 65 bytes. */
  public byte[] sign(byte[] digest) {
    return signatures.sign(digest, privateKey);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Wallet wallet && Arrays.equals(privateKey, wallet.privateKey);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }

  /** The address; the key is masked. */
  @Override
  public String toString() {
    return "Wallet[" + address + ", key ***]";
  }
}

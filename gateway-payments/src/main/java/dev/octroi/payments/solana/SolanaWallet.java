package dev.octroi.payments.solana;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * An account of Solana and its private key, which leaves the object only by {@link #keypair}.
 * Immutable and thread-safe.
 */
public final class SolanaWallet {

  private static final int SEED_BYTES = 32;
  private static final int KEYPAIR_BYTES = 64;
  private static final int MAX_CHARS = 512;

  private final byte[] seed;
  private final byte[] publicKey;
  private final SolanaAddress address;

  private SolanaWallet(byte[] seed) {
    this.seed = seed;
    this.publicKey = Ed25519.publicKey(seed);
    this.address = SolanaAddress.of(publicKey);
  }

  /** A wallet of a new random key. */
  public static SolanaWallet generate() {
    byte[] seed = new byte[SEED_BYTES];
    new SecureRandom().nextBytes(seed);
    return new SolanaWallet(seed);
  }

  /**
   * The wallet of a seed of 32 bytes, or of a key pair of 64: the seed and the public key.
   *
   * @throws IllegalArgumentException if there are other than 32 or 64 bytes, or the public key is
   *     not the seed's
   */
  public static SolanaWallet of(byte[] key) {
    if (key.length != SEED_BYTES && key.length != KEYPAIR_BYTES) {
      throw new IllegalArgumentException("a key has 32 bytes, a key pair 64");
    }
    SolanaWallet wallet = new SolanaWallet(Arrays.copyOf(key, SEED_BYTES));
    if (key.length == KEYPAIR_BYTES
        && !Arrays.equals(
            key, SEED_BYTES, KEYPAIR_BYTES, wallet.publicKey, 0, wallet.publicKey.length)) {
      throw new IllegalArgumentException("the halves of a key pair do not belong together");
    }
    return wallet;
  }

  /**
   * The wallet of a key as wallets export it: base58 of 64 or 32 bytes, or the JSON array of bytes
   * in which the chain's command line keeps its files.
   *
   * @throws IllegalArgumentException if it is neither; the message does not repeat it
   */
  public static SolanaWallet parse(String key) {
    String text = key.strip();
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException("a key is at most " + MAX_CHARS + " characters");
    }
    return of(text.startsWith("[") ? array(text) : Base58.decode(text));
  }

  private static byte[] array(String text) {
    if (!text.matches("\\[\\s*[0-9]{1,3}(\\s*,\\s*[0-9]{1,3}){31,63}\\s*]")) {
      throw new IllegalArgumentException("a key file holds an array of 32 or 64 bytes");
    }
    String[] numbers = text.substring(1, text.length() - 1).strip().split("\\s*,\\s*", -1);
    byte[] bytes = new byte[numbers.length];
    for (int i = 0; i < bytes.length; i++) {
      int number = Integer.parseInt(numbers[i]);
      if (number > 0xff) {
        throw new IllegalArgumentException("a byte of a key is 0 to 255");
      }
      bytes[i] = (byte) number;
    }
    return bytes;
  }

  /** The account. */
  public SolanaAddress address() {
    return address;
  }

  /** Signs a message of any length; the result has 64 bytes. */
  public byte[] sign(byte[] message) {
    return Ed25519.sign(seed, publicKey, message);
  }

  /** The seed and the public key, 64 bytes, to be kept secret. */
  public byte[] keypair() {
    byte[] keypair = Arrays.copyOf(seed, KEYPAIR_BYTES);
    System.arraycopy(publicKey, 0, keypair, SEED_BYTES, publicKey.length);
    return keypair;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SolanaWallet wallet && Arrays.equals(seed, wallet.seed);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }

  /** The address; the key is masked. */
  @Override
  public String toString() {
    return "SolanaWallet[" + address + ", key ***]";
  }
}

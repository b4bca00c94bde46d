package dev.octroi.payments.evm;

import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** libsecp256k1 through its JNI binding: an optional dependency, four times as fast as Java. */
final class NativeCurve implements Curve {

  /** The first byte of an uncompressed public key. */
  private static final int KEY_PREFIX_BYTES = 1;

  private final Secp256k1 library;

  private NativeCurve(Secp256k1 library) {
    this.library = library;
  }

  /** Throws {@link LinkageError} or a runtime exception where binding or library is missing. */
  static Curve load() {
    return new NativeCurve(Secp256k1.get());
  }

  @Override
  public String description() {
    return "native secp256k1";
  }

  @Override
  public byte @Nullable [] recover(byte[] digest, byte[] compact, int parity) {
    try {
      return coordinates(library.ecdsaRecover(compact, digest, parity));
    } catch (Secp256k1Exception e) {
      return null;
    }
  }

  @Override
  public byte[] sign(byte[] digest, byte[] privateKey) {
    return library.sign(digest, privateKey);
  }

  @Override
  public byte[] publicKey(byte[] privateKey) {
    return coordinates(library.pubkeyCreate(privateKey));
  }

  private static byte[] coordinates(byte[] uncompressed) {
    return Arrays.copyOfRange(uncompressed, KEY_PREFIX_BYTES, uncompressed.length);
  }
}

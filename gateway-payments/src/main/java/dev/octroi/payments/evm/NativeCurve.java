package dev.octroi.payments.evm;

import fr.acinq.secp256k1.Secp256k1CFunctions;
import fr.acinq.secp256k1.Secp256k1Context;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** libsecp256k1 through its JNI binding: an optional dependency, four times as fast as Java. */
final class NativeCurve implements Curve {

  /** The first byte of an uncompressed public key. */
  private static final int KEY_PREFIX_BYTES = 1;

  /** Thread-safe where it is not changed; never released. */
  private final long context = Secp256k1Context.getContext();

  private NativeCurve() {}

  /**
   * Loads the library; throws {@link LinkageError} or {@link IOException} where it cannot be. A
   * library that was loaded may still fail at its first use.
   *
   * @param place where its file lies for a moment
   */
  static Curve load(Path place) throws IOException {
    NativeLibrary.load(place);
    return new NativeCurve();
  }

  @Override
  public String description() {
    return "native secp256k1";
  }

  @Override
  public byte @Nullable [] recover(byte[] digest, byte[] compact, int parity) {
    try {
      return coordinates(
          Secp256k1CFunctions.secp256k1_ecdsa_recover(context, compact, digest, parity));
    } catch (Secp256k1Exception e) {
      return null;
    }
  }

  @Override
  public byte[] sign(byte[] digest, byte[] privateKey) {
    return Secp256k1CFunctions.secp256k1_ecdsa_sign(context, digest, privateKey);
  }

  @Override
  public byte[] publicKey(byte[] privateKey) {
    return coordinates(Secp256k1CFunctions.secp256k1_ec_pubkey_create(context, privateKey));
  }

  private static byte[] coordinates(byte[] uncompressed) {
    return Arrays.copyOfRange(uncompressed, KEY_PREFIX_BYTES, uncompressed.length);
  }
}

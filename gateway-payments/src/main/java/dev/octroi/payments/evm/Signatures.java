package dev.octroi.payments.evm;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes EVM signatures and tells who made one. Immutable and thread-safe.
 *
 * <p>A signature has exactly 65 bytes: r, s and v, where s is in the lower half of the curve's
 * order (EIP-2: otherwise a second signature of the same message could be derived from the first)
 * and v is 27 or 28, or 0 or 1.
 */
public final class Signatures {

  /** The name of the system property, or environment variable, with the library's folder. */
  public static final String FOLDER = "OCTROI_NATIVE_FOLDER";

  static final int BYTES = 65;

  private static final int COMPACT_BYTES = 64;
  private static final int V_OFFSET = 27;

  private static final BigInteger ORDER =
      new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);

  private static final BigInteger HALF_ORDER = ORDER.shiftRight(1);

  private final Curve curve;
  private final Optional<String> setback;

  private Signatures(Curve curve, Optional<String> setback) {
    this.curve = curve;
    this.setback = setback;
  }

  /**
   * The native library where it is on the class path, loads, and computes right, else Java; the log
   * says which, once. The virtual machine loads the library from a file, which lies for a moment in
   * the folder that the system property or environment variable {@value #FOLDER} names, else in
   * {@code java.io.tmpdir}.
   */
  public static Signatures fastest() {
    return Fastest.FOUND;
  }

  /** Which implementation does the arithmetic. */
  public String description() {
    return curve.description();
  }

  /** Why the native library is not used although it is there; empty where nothing went wrong. */
  public Optional<String> setback() {
    return setback;
  }

  /** Pure Java, whatever is on the class path. */
  public static Signatures pureJava() {
    return new Signatures(new JavaCurve(), Optional.empty());
  }

  /** Who signed a digest of 32 bytes; empty if the signature is not one, or not in its one form. */
  public Optional<EvmAddress> signer(byte[] digest, byte[] signature) {
    if (signature.length != BYTES) {
      return Optional.empty();
    }
    int v = signature[COMPACT_BYTES];
    int parity = v >= V_OFFSET ? v - V_OFFSET : v;
    byte[] compact = Arrays.copyOf(signature, COMPACT_BYTES);
    if ((parity != 0 && parity != 1) || !isCanonical(compact)) {
      return Optional.empty();
    }
    return Optional.ofNullable(curve.recover(digest, compact, parity)).map(EvmAddress::ofPublicKey);
  }

  /**
   * Signs a digest of 32 bytes, with v 27 or 28.
   *
   * @param privateKey 32 bytes that {@link #isPrivateKey} accepts
   */
  public byte[] sign(byte[] digest, byte[] privateKey) {
    byte[] key = curve.publicKey(privateKey);
    byte[] compact = curve.sign(digest, privateKey);
    byte[] signature = Arrays.copyOf(compact, BYTES);
    int parity = Arrays.equals(key, curve.recover(digest, compact, 0)) ? 0 : 1;
    signature[COMPACT_BYTES] = (byte) (V_OFFSET + parity);
    return signature;
  }

  /** The account of a private key. */
  public EvmAddress address(byte[] privateKey) {
    return EvmAddress.ofPublicKey(curve.publicKey(privateKey));
  }

  /** Whether these are 32 bytes of 1 to the curve's order less one. */
  public static boolean isPrivateKey(byte[] bytes) {
    BigInteger number = new BigInteger(1, bytes);
    return bytes.length == Keccak.BYTES && number.signum() > 0 && number.compareTo(ORDER) < 0;
  }

  private static boolean isCanonical(byte[] compact) {
    BigInteger r = new BigInteger(1, compact, 0, Keccak.BYTES);
    BigInteger s = new BigInteger(1, compact, Keccak.BYTES, Keccak.BYTES);
    return r.signum() > 0
        && r.compareTo(ORDER) < 0
        && s.signum() > 0
        && s.compareTo(HALF_ORDER) <= 0;
  }

  /**
   * The curve that this finds if it computes right, else Java. Says in the log which, as a warning
   * where the library is there and cannot be used.
   */
  static Signatures of(Callable<Curve> fast) {
    Logger log = LoggerFactory.getLogger(Signatures.class);
    try {
      Curve curve = fast.call();
      KnownAnswers.require(curve);
      log.info("Signatures are made and verified by {}", curve.description());
      return new Signatures(curve, Optional.empty());
    } catch (Throwable e) {
      // A library that cannot be used shows in many ways, most of them errors; Java does without.
      Curve java = new JavaCurve();
      if (e instanceof NoClassDefFoundError && e.getCause() instanceof ClassNotFoundException) {
        log.info("Signatures are made and verified by {}", java.description());
        return new Signatures(java, Optional.empty());
      }
      log.warn(
          "Signatures are made and verified by {}, at a quarter of the speed: the native library"
              + " cannot be used ({}). {} names a folder to load it from, which must be writable"
              + " and not mounted noexec.",
          java.description(),
          e.toString(),
          FOLDER);
      log.debug("No native secp256k1", e);
      return new Signatures(java, Optional.of(e.toString()));
    }
  }

  /** Looks for the library when it is first needed. */
  private static final class Fastest {

    static final Signatures FOUND = of(() -> NativeCurve.load(place()));

    private static Path place() {
      return Path.of(
          Optional.ofNullable(System.getProperty(FOLDER))
              .or(() -> Optional.ofNullable(System.getenv(FOLDER)))
              .orElseGet(() -> System.getProperty("java.io.tmpdir")));
    }
  }
}

package dev.octroi.payments.evm;

import fr.acinq.secp256k1.Secp256k1CFunctions;
import fr.acinq.secp256k1.Secp256k1Context;
import fr.acinq.secp256k1.Secp256k1Exception;
import fr.acinq.secp256k1.jni.OSInfo;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.web3j.crypto.ECDSASignature;
import org.web3j.crypto.ECKeyPair;
import org.web3j.crypto.Sign;

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

  public static final int BYTES = 65;

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

  /** Whether a digest of 32 bytes was signed by this account's key. */
  public boolean isSignedBy(EvmAddress account, byte[] digest, byte[] signature) {
    return signer(digest, signature).equals(Optional.of(account));
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

  /** A key's v as contracts know it, 27 or 28, where some signers say 0 or 1. */
  public static int v(byte[] signature) {
    int v = Byte.toUnsignedInt(signature[COMPACT_BYTES]);
    return v < V_OFFSET ? v + V_OFFSET : v;
  }

  /** The same signature with such a {@link #v}; one that no key made is left as it is. */
  public static byte[] spelled(byte[] signature) {
    byte[] spelled = signature.clone();
    if (spelled.length == BYTES) {
      spelled[COMPACT_BYTES] = (byte) v(signature);
    }
    return spelled;
  }

  /** The account of a private key. */
  public EvmAddress address(byte[] privateKey) {
    return EvmAddress.ofPublicKey(curve.publicKey(privateKey));
  }

  /** A new random private key. */
  public static byte[] newPrivateKey() {
    SecureRandom random = new SecureRandom();
    byte[] key = new byte[Keccak.BYTES];
    do {
      random.nextBytes(key);
    } while (!isPrivateKey(key));
    return key;
  }

  /**
   * The private key of 64 hex digits, with or without {@code 0x}.
   *
   * @throws IllegalArgumentException if it is none; the message does not repeat it
   */
  public static byte[] privateKey(String text) {
    String digits = text.startsWith("0x") ? text.substring(2) : text;
    boolean hex =
        digits.length() == 2 * Keccak.BYTES && digits.chars().allMatch(HexFormat::isHexDigit);
    byte[] key = hex ? HexFormat.of().parseHex(digits) : new byte[Keccak.BYTES];
    if (!isPrivateKey(key)) {
      throw new IllegalArgumentException("a private key is 64 hex digits within the curve's order");
    }
    return key;
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

  /** libsecp256k1 through its JNI binding: an optional dependency, four times as fast as Java. */
  static final class NativeCurve implements Curve {

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

  /** Pure Java, for platforms without the native library. */
  static final class JavaCurve implements Curve {

    private static final int WORD = 32;

    @Override
    public String description() {
      return "pure Java secp256k1";
    }

    @Override
    public byte @Nullable [] recover(byte[] digest, byte[] compact, int parity) {
      ECDSASignature signature =
          new ECDSASignature(
              new BigInteger(1, Arrays.copyOfRange(compact, 0, WORD)),
              new BigInteger(1, Arrays.copyOfRange(compact, WORD, 2 * WORD)));
      try {
        BigInteger key = Sign.recoverFromSignature(parity, signature, digest);
        return key == null ? null : coordinates(key);
      } catch (IllegalArgumentException e) {
        // No point of the curve has this r.
        return null;
      }
    }

    @Override
    public byte[] sign(byte[] digest, byte[] privateKey) {
      ECDSASignature signature = ECKeyPair.create(privateKey).sign(digest);
      return AbiWords.of(signature.r, signature.s);
    }

    @Override
    public byte[] publicKey(byte[] privateKey) {
      return coordinates(Sign.publicKeyFromPrivate(new BigInteger(1, privateKey)));
    }

    private static byte[] coordinates(BigInteger key) {
      byte[] bytes = key.toByteArray();
      byte[] fixed = new byte[2 * WORD];
      int length = Math.min(bytes.length, fixed.length);
      System.arraycopy(bytes, bytes.length - length, fixed, fixed.length - length, length);
      return fixed;
    }
  }

  /**
   * What every implementation of the curve must answer, so that one which computes wrongly, or
   * fails when it is first used, is found out before a payment depends on it.
   */
  static final class KnownAnswers {

    /** The private key 1, whose public key is the curve's generator. */
    private static final byte[] PRIVATE_KEY = AbiWords.of(1);

    private static final byte[] PUBLIC_KEY =
        Hex.parse(
            "0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
                + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8");

    /** SHA-256 of "Satoshi Nakamoto", and its signature by that key with the nonce of RFC 6979. */
    private static final byte[] DIGEST =
        Hex.parse("0xa0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e");

    private static final byte[] SIGNATURE =
        Hex.parse(
            "0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
                + "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5");

    private static final int PARITY = 1;

    /** No point of the curve has the x coordinate 5. */
    private static final byte[] NO_SIGNATURE = AbiWords.of(5, 1);

    private KnownAnswers() {}

    /** Throws {@link IllegalStateException} where an answer is wrong. */
    static void require(Curve curve) {
      byte[] other = curve.recover(DIGEST, SIGNATURE, 1 - PARITY);
      boolean right =
          Arrays.equals(PUBLIC_KEY, curve.publicKey(PRIVATE_KEY))
              && Arrays.equals(SIGNATURE, curve.sign(DIGEST, PRIVATE_KEY))
              && Arrays.equals(PUBLIC_KEY, curve.recover(DIGEST, SIGNATURE, PARITY))
              && other != null
              && !Arrays.equals(PUBLIC_KEY, other)
              && curve.recover(DIGEST, NO_SIGNATURE, 0) == null;
      if (!right) {
        throw new IllegalStateException(curve.description() + " computes wrongly");
      }
    }
  }

  /** The arithmetic of secp256k1, in one of its implementations. Thread-safe. */
  interface Curve {

    /** What the log calls it. */
    String description();

    /**
     * The public key, as two coordinates of 32 bytes, whose signature this would be; null if there
     * is none.
     *
     * @param digest 32 bytes
     * @param compact r and s, 32 bytes each, both in 1 to n - 1
     * @param parity 0 or 1
     */
    byte @Nullable [] recover(byte[] digest, byte[] compact, int parity);

    /** Signs with a low s; the result is r and s, 32 bytes each. */
    byte[] sign(byte[] digest, byte[] privateKey);

    /** The public key, as two coordinates of 32 bytes, of a private key in 1 to n - 1. */
    byte[] publicKey(byte[] privateKey);
  }

  /**
   * Loads the native library from its jar. The virtual machine loads files only, so that the
   * library is written to one, which is deleted as soon as it is loaded: a run leaves nothing
   * behind, however it ends.
   *
   * <p>The file lies in a fresh folder of a random name that only this process's user may enter, so
   * that no other user can have put another file there. Each class loader writes a file of its own:
   * a virtual machine does not load the same file for two of them. The binding's own loader is not
   * used, because it leaves its file behind and keeps the reason of a failure to itself.
   */
  static final class NativeLibrary {

    private static final String PREFIX = "octroi-secp256k1-";
    private static final String NAME = System.mapLibraryName("secp256k1-jni");

    /** Older folders belong to no process that is still loading. */
    private static final Duration LOADING = Duration.ofMinutes(1);

    private NativeLibrary() {}

    /**
     * Loads it for the class loader of this class, which must be that of the binding.
     *
     * @param place an existing folder, which is writable and not mounted {@code noexec}
     */
    static void load(Path place) throws IOException {
      Path folder = Files.createTempDirectory(place, PREFIX).toAbsolutePath();
      try {
        Path file = folder.resolve(NAME);
        try (InputStream library = open()) {
          Files.copy(library, file);
        }
        System.load(file.toString());
      } finally {
        deleteOlder(place, folder);
        delete(folder);
      }
    }

    private static InputStream open() throws IOException {
      String name = "/fr/acinq/secp256k1/jni/native/" + OSInfo.getNativeSuffix() + "/" + NAME;
      InputStream library = Secp256k1CFunctions.class.getResourceAsStream(name);
      if (library == null) {
        throw new IOException("the class path has no " + name);
      }
      return library;
    }

    /**
     * Deletes what runs left behind that were killed while they loaded, or that could not delete
     * what they had loaded, which is so on Windows.
     */
    private static void deleteOlder(Path place, Path own) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, PREFIX + "*")) {
        Instant begun = made(own).toInstant();
        for (Path folder : folders) {
          // A link could lead anywhere, and another user's folder is not ours to look into.
          if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
              && owner(folder).equals(owner(own))
              && made(folder).toInstant().plus(LOADING).isBefore(begun)) {
            delete(folder);
          }
        }
      } catch (IOException | RuntimeException e) {
        // Another process was faster, or the folder cannot be listed: nothing depends on it.
      }
    }

    private static FileTime made(Path folder) throws IOException {
      return Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS);
    }

    private static Object owner(Path folder) throws IOException {
      return Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS);
    }

    private static void delete(Path folder) {
      try {
        Files.deleteIfExists(folder.resolve(NAME));
        Files.deleteIfExists(folder);
      } catch (IOException e) {
        // Windows keeps what is loaded; a later run deletes it.
      }
    }
  }
}

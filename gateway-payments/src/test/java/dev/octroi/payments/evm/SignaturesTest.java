package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.octroi.payments.evm.Signatures.Curve;
import dev.octroi.payments.evm.Signatures.JavaCurve;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class SignaturesTest {

  private static final BigInteger ORDER =
      new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);

  private static final Signatures JAVA = Signatures.pureJava();
  private static final Signatures NATIVE = Signatures.fastest();

  private final byte[] digest =
      Examples.published().authorization().digest(EvmToken.BASE_SEPOLIA_USDC.domain());

  private final byte[] published = Hex.parse(Examples.SIGNATURE);

  static Stream<Signatures> both() {
    return Stream.of(JAVA, NATIVE);
  }

  @Test
  void theNativeLibraryIsFoundWhereItIsOnTheClassPath() {
    assertThat(NATIVE.description()).isEqualTo("native secp256k1");
  }

  @ParameterizedTest
  @MethodSource("both")
  @Tag("spec:x402.known_answer")
  void thePublishedSignatureRecoversToItsPayer(Signatures signatures) {
    assertThat(signatures.signer(digest, published)).contains(Examples.PAYER);
  }

  @ParameterizedTest
  @MethodSource("both")
  void vOfZeroOrOneIsTakenToo(Signatures signatures) {
    assertThat(signatures.signer(digest, withV(published[64] - 27))).contains(Examples.PAYER);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 26, 29, 30, 127, -1, -128})
  void anyOtherVIsNoSignature(int v) {
    both().forEach(it -> assertThat(it.signer(digest, withV(v))).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 66, 130})
  void anyOtherLengthIsNoSignature(int length) {
    both().forEach(it -> assertThat(it.signer(digest, Arrays.copyOf(published, length))).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("both")
  void aHighSIsNoSignatureAlthoughTheCurveWouldTakeIt(Signatures signatures) {
    BigInteger s = new BigInteger(1, published, 32, 32);
    byte[] mirrored = published.clone();
    AbiWords.write(mirrored, 1, ORDER.subtract(s));
    mirrored[64] = (byte) (published[64] == 27 ? 28 : 27);

    assertThat(signatures.signer(digest, mirrored)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("both")
  void rAndSOutsideTheOrderAreNoSignature(Signatures signatures) {
    for (BigInteger bad : new BigInteger[] {BigInteger.ZERO, ORDER, ORDER.add(BigInteger.ONE)}) {
      for (int word = 0; word < 2; word++) {
        byte[] signature = published.clone();
        Arrays.fill(signature, word * 32, word * 32 + 32, (byte) 0);
        AbiWords.write(signature, word, bad);
        assertThat(signatures.signer(digest, signature)).isEmpty();
      }
    }
  }

  @Property(tries = 100)
  void nativeAndJavaSignAndRecoverAlike(
      @ForAll @Size(32) byte[] key, @ForAll @Size(32) byte[] message) {
    Assume.that(Signatures.isPrivateKey(key));
    byte[] hash = Keccak.hash(message);

    byte[] signature = NATIVE.sign(hash, key);

    assertThat(signature).isEqualTo(JAVA.sign(hash, key));
    assertThat(NATIVE.address(key)).isEqualTo(JAVA.address(key));
    assertThat(NATIVE.signer(hash, signature)).contains(NATIVE.address(key));
    assertThat(JAVA.signer(hash, signature)).contains(NATIVE.address(key));
  }

  @Property(tries = 200)
  void nativeAndJavaAgreeOnAnyBytes(
      @ForAll @Size(32) byte[] hash, @ForAll @Size(64) byte[] noise, @ForAll boolean odd) {
    byte[] signature = Arrays.copyOf(noise, 65);
    signature[32] &= 0x7f;
    signature[64] = (byte) (odd ? 28 : 27);

    assertThat(NATIVE.signer(hash, signature)).isEqualTo(JAVA.signer(hash, signature));
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new UnsatisfiedLinkError("failed to map segment from shared object"),
        new ExceptionInInitializerError("the binding's context"),
        new NoClassDefFoundError("Could not initialize class of the binding"),
        new OutOfMemoryError("unable to allocate code memory"),
        new IOException("Read-only file system"),
        new IllegalStateException("no such platform"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aLibraryThatCannotBeUsedGivesWayToJavaAndTheLogSaysSoOnce(Throwable failure) {
    List<ILoggingEvent> lines = new ArrayList<>();

    Signatures signatures = logged(lines, () -> Signatures.of(() -> sneak(failure)));

    assertThat(signatures.description()).isEqualTo(JAVA.description());
    assertThat(signatures.setback()).contains(failure.toString());
    assertThat(signatures.signer(digest, published)).contains(Examples.PAYER);
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).getLevel()).isEqualTo(Level.WARN);
    assertThat(lines.get(0).getFormattedMessage())
        .contains("pure Java", failure.toString(), Signatures.FOLDER);
  }

  @Test
  void aLibraryThatIsNotThereIsNoSetback() {
    Throwable missing =
        new NoClassDefFoundError("fr/acinq").initCause(new ClassNotFoundException());
    List<ILoggingEvent> lines = new ArrayList<>();

    assertThat(logged(lines, () -> Signatures.of(() -> sneak(missing))).setback()).isEmpty();

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).getLevel()).isEqualTo(Level.INFO);
  }

  private static Signatures logged(List<ILoggingEvent> lines, Supplier<Signatures> made) {
    Logger log = (Logger) LoggerFactory.getLogger(Signatures.class);
    Level before = log.getLevel();
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    log.addAppender(appender);
    log.setLevel(Level.INFO);
    try {
      return made.get();
    } finally {
      log.setLevel(before);
      log.detachAppender(appender);
      lines.addAll(appender.list);
    }
  }

  /** Right but for one operation, which is wrong or fails when it is first used. */
  private record Broken(String operation, boolean fails) implements Curve {

    private static final JavaCurve RIGHT = new JavaCurve();

    @Override
    public String description() {
      return "a broken " + operation;
    }

    @Override
    public byte[] recover(byte[] digest, byte[] compact, int parity) {
      byte[] right = RIGHT.recover(digest, compact, parity);
      return right == null ? right : broken("recover", right);
    }

    @Override
    public byte[] sign(byte[] digest, byte[] privateKey) {
      return broken("sign", RIGHT.sign(digest, privateKey));
    }

    @Override
    public byte[] publicKey(byte[] privateKey) {
      return broken("publicKey", RIGHT.publicKey(privateKey));
    }

    private byte[] broken(String what, byte[] right) {
      if (what.equals(operation) && fails) {
        throw new UnsatisfiedLinkError(what);
      }
      if (what.equals(operation)) {
        right[0] ^= 1;
      }
      return right;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "recover,true",
    "recover,false",
    "sign,true",
    "sign,false",
    "publicKey,true",
    "publicKey,false"
  })
  void aLibraryThatLoadsAndThenFailsOrComputesWronglyGivesWayToJava(
      String operation, boolean fails) {
    Signatures signatures = Signatures.of(() -> new Broken(operation, fails));

    assertThat(signatures.description()).isEqualTo(JAVA.description());
    assertThat(signatures.setback().orElseThrow()).contains(operation);
  }

  /** Throws what a {@code Callable} may not declare, as the virtual machine does. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> Curve sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  private byte[] withV(int v) {
    byte[] signature = published.clone();
    signature[64] = (byte) v;
    return signature;
  }
}

package dev.octroi.reference.bench;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.facilitator.Verification;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the local verification of a payment costs, natively and in Java, and its parts. */
@State(Scope.Benchmark)
public class SignatureBench {

  private final SamplePayment sample = new SamplePayment();

  private final ExactEvmVerifier fastest =
      new ExactEvmVerifier(SamplePayment.CLOCK, Signatures.fastest());

  private final ExactEvmVerifier pureJava =
      new ExactEvmVerifier(SamplePayment.CLOCK, Signatures.pureJava());

  private final SignedAuthorization signed = SignedAuthorization.read(sample.payment.payload());
  private final TokenDomain domain = EvmToken.BASE_USDC.domain();
  private final byte[] digest = signed.authorization().digest(domain);
  private final Wallet wallet = Wallet.generate();

  /** A benchmark named after the native library must not measure anything else. */
  public SignatureBench() {
    if (!Signatures.fastest().description().startsWith("native")) {
      throw new IllegalStateException("no native secp256k1 on this platform");
    }
  }

  @Benchmark
  public Verification verifyNative() {
    return valid(fastest.verify(sample.payment, sample.terms));
  }

  @Benchmark
  public Verification verifyJava() {
    return valid(pureJava.verify(sample.payment, sample.terms));
  }

  @Benchmark
  public byte[] digestAndSeparator() {
    return signed.authorization().digest(domain);
  }

  @Benchmark
  public byte[] signNative() {
    return wallet.sign(digest);
  }

  private static Verification valid(Verification verification) {
    if (verification instanceof Verification.Valid) {
      return verification;
    }
    throw new IllegalStateException("the sample payment is not valid");
  }
}

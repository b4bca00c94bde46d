package dev.octroi.testkit;

import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.ResourceInfo;
import java.math.BigInteger;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.UnaryOperator;

/** A wallet that signs what it is asked for, or something else. Thread-safe. */
record Payer(Wallet wallet) {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Pays what a challenge asks. */
  String sign(Reply challenge) {
    return sign(challenge, authorization -> authorization);
  }

  /** Pays what a challenge asks, for whatever costs as much there. */
  String signOpenly(Reply challenge) {
    PaymentRequired required = required(challenge);
    PaymentRequirements terms = required.accepts().get(0);
    URI asked = URI.create(required.resource().url());
    return PaymentPayload.header(
        ResourceInfo.at(asked.resolve("/").toString()), terms, signed(terms).toJson());
  }

  private SignedAuthorization signed(PaymentRequirements terms) {
    TransferAuthorization authorization = asked(terms);
    TokenDomain domain = TokenDomain.of(terms).orElseThrow();
    return new SignedAuthorization(authorization, wallet.sign(authorization.digest(domain)));
  }

  /**
   * Signs another authorization than the one that is asked for.
   *
   * @param change made before signing, so that the signature is good
   */
  String sign(Reply challenge, UnaryOperator<TransferAuthorization> change) {
    PaymentRequired required = required(challenge);
    PaymentRequirements terms = required.accepts().get(0);
    TokenDomain domain = TokenDomain.of(terms).orElseThrow();
    TransferAuthorization authorization = change.apply(asked(terms));
    byte[] signature = wallet.sign(authorization.digest(domain));
    return envelope(required, terms, new SignedAuthorization(authorization, signature));
  }

  /** What the challenge asks for, signed over another token's domain: the signature is not good. */
  String signForAnotherToken(Reply challenge) {
    PaymentRequired required = required(challenge);
    PaymentRequirements terms = required.accepts().get(0);
    TokenDomain domain =
        new TokenDomain("USD Coin", "2", 1, EvmAddress.parse("0x" + "5e".repeat(20)));
    TransferAuthorization authorization = asked(terms);
    byte[] signature = wallet.sign(authorization.digest(domain));
    return envelope(required, terms, new SignedAuthorization(authorization, signature));
  }

  static PaymentRequired required(Reply challenge) {
    return PaymentRequired.read(challenge.header(PaymentHeaders.PAYMENT_REQUIRED));
  }

  private static String envelope(
      PaymentRequired required, PaymentRequirements terms, SignedAuthorization signed) {
    return PaymentPayload.header(required.resource(), terms, signed.toJson());
  }

  private TransferAuthorization asked(PaymentRequirements terms) {
    long now = Clock.systemUTC().instant().getEpochSecond();
    byte[] nonce = new byte[32];
    RANDOM.nextBytes(nonce);
    return new TransferAuthorization(
        wallet.address(),
        EvmAddress.parse(terms.payTo()),
        new BigInteger(terms.amount()),
        BigInteger.valueOf(now - 60),
        BigInteger.valueOf(now + terms.maxTimeoutSeconds()),
        nonce);
  }
}

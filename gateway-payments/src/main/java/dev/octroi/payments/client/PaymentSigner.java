package dev.octroi.payments.client;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.x402.PaymentEnvelopes;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Clock;

/** Signs payments for one wallet. Thread-safe. */
public final class PaymentSigner {

  /** The clocks of chain and server may be behind the payer's. */
  private static final int PAST_SECONDS = 60;

  /** A server may ask for a longer life; the payer does not leave its money open for days. */
  private static final int LONGEST_SECONDS = 3600;

  private static final int NONCE_BYTES = 32;

  private final Wallet wallet;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  public PaymentSigner(Wallet wallet, Clock clock) {
    this.wallet = wallet;
    this.clock = clock;
  }

  /** The account that pays. */
  public EvmAddress payer() {
    return wallet.address();
  }

  /**
   * Signs a new authorization; every call makes another payment.
   *
   * @param challenge what the server said
   * @param chosen the entry of {@code accepts} to pay by
   * @return the value of {@code PAYMENT-SIGNATURE}
   * @throws IllegalArgumentException if the entry is not of the exact scheme on EVM
   */
  public String sign(PaymentRequired challenge, PaymentRequirements chosen) {
    TokenDomain domain =
        TokenDomain.of(chosen)
            .filter(TokenDomain::isEvm)
            .orElseThrow(() -> new IllegalArgumentException("the offer names no EVM token"));
    TransferAuthorization authorization = authorization(chosen);
    byte[] signature = wallet.sign(authorization.digest(domain));
    return PaymentEnvelopes.write(
        challenge.resource(), chosen, new SignedAuthorization(authorization, signature).toJson());
  }

  private TransferAuthorization authorization(PaymentRequirements chosen) {
    long now = clock.instant().getEpochSecond();
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return new TransferAuthorization(
        wallet.address(),
        EvmAddress.parse(chosen.payTo()),
        new BigInteger(chosen.amount()),
        BigInteger.valueOf(now - PAST_SECONDS),
        BigInteger.valueOf(now + Math.min(chosen.maxTimeoutSeconds(), LONGEST_SECONDS)),
        nonce);
  }
}

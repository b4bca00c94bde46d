package dev.octroi.payments.client;

import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.permit2.TransferPermit;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Signs payments for one wallet on EVM chains, ceilings included. Thread-safe. */
public final class PaymentSigner implements Signer {

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

  /**
   * The same wallet's signer for channels.
   *
   * @param max the most that a call may cost, and the most that is put into a channel at once
   */
  public ChannelSigner channels(Usd max) {
    return new ChannelSigner(wallet, max, clock);
  }

  @Override
  public String account() {
    return wallet.address().toString();
  }

  @Override
  public boolean signs(PaymentRequirements offer) {
    boolean known =
        offer.scheme().equals(PaymentOption.EXACT)
            || (offer.isUpto() && facilitator(offer).isPresent());
    return known && isOnEvm(offer);
  }

  /** Whether an offer is in a token whose transfers a wallet of EVM chains can sign. */
  static boolean isOnEvm(PaymentRequirements offer) {
    return Permit2.isMethodOf(offer)
        ? TokenDomain.chainId(offer.network()) != 0
        : TokenDomain.of(offer).filter(TokenDomain::isEvm).isPresent();
  }

  /** The token of an offer that is paid by the token's own authorizations. */
  static TokenDomain token(PaymentRequirements offer) {
    return TokenDomain.of(offer)
        .filter(TokenDomain::isEvm)
        .orElseThrow(() -> new IllegalArgumentException("the offer names no EVM token"));
  }

  @Override
  public Map<String, Object> payload(PaymentRequirements chosen) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return payload(chosen, nonce);
  }

  @Override
  public Optional<Map<String, Object>> payload(PaymentRequirements chosen, String nonce) {
    return Optional.of(payload(chosen, HexFormat.of().parseHex(nonce.substring(2))));
  }

  private Map<String, Object> payload(PaymentRequirements chosen, byte[] nonce) {
    if (Permit2.isMethodOf(chosen)) {
      TransferPermit permit = permit(chosen, new BigInteger(1, nonce, 0, NONCE_BYTES));
      byte[] digest = permit.digest(TokenDomain.chainId(chosen.network()));
      return new SignedPermit(permit, wallet.sign(digest)).toJson();
    }
    TransferAuthorization authorization = authorization(chosen, nonce);
    byte[] signature = wallet.sign(authorization.digest(token(chosen)));
    return new SignedAuthorization(authorization, signature).toJson();
  }

  /** Good from the beginning of time, as the published clients' are: no clock can be behind it. */
  private TransferPermit permit(PaymentRequirements chosen, BigInteger nonce) {
    EvmAddress facilitator =
        chosen.isUpto()
            ? facilitator(chosen)
                .orElseThrow(() -> new IllegalArgumentException("the offer names no facilitator"))
            : null;
    return new TransferPermit(
        wallet.address(),
        EvmAddress.parse(chosen.asset()),
        new BigInteger(chosen.amount()),
        Permit2.proxy(chosen.isUpto()),
        nonce,
        end(chosen, clock),
        EvmAddress.parse(chosen.payTo()),
        BigInteger.ZERO,
        facilitator);
  }

  private static Optional<EvmAddress> facilitator(PaymentRequirements chosen) {
    return address(chosen, PaymentOption.FACILITATOR);
  }

  /** The address that an offer states; empty where it states none, or something else. */
  static Optional<EvmAddress> address(PaymentRequirements offer, String member) {
    return offer
        .extra(member)
        .map(Object::toString)
        .filter(ChainFamily.EVM::isAddress)
        .map(EvmAddress::parse);
  }

  /** When what is signed now ends, in Unix seconds. */
  static BigInteger end(PaymentRequirements chosen, Clock clock) {
    long life = Math.min(chosen.maxTimeoutSeconds(), LONGEST_SECONDS);
    return BigInteger.valueOf(clock.instant().getEpochSecond() + life);
  }

  private TransferAuthorization authorization(PaymentRequirements chosen, byte[] nonce) {
    long now = clock.instant().getEpochSecond();
    return new TransferAuthorization(
        wallet.address(),
        EvmAddress.parse(chosen.payTo()),
        new BigInteger(chosen.amount()),
        BigInteger.valueOf(now - PAST_SECONDS),
        end(chosen, clock),
        nonce);
  }
}

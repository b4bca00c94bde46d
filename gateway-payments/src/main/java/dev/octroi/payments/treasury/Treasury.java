package dev.octroi.payments.treasury;

import dev.octroi.payments.Usd;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.PermitNonce;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.permit2.SignedPermit;
import dev.octroi.payments.evm.permit2.TransferPermit;
import dev.octroi.payments.evm.relay.EvmFacilitator;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Payouts.Payout;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * An account that gives money back, in the tokens that it is paid in. It needs no gas: it signs as
 * a payer does (EIP-3009, or Permit2 once it has let that move the token), and the gateway's
 * relayers submit what it signed. Thread-safe; the key never leaves its wallet.
 */
public final class Treasury {

  /** How long what it signs holds: for blocks that are slow or dear, and not for days. */
  static final Duration LIFE = Duration.ofMinutes(10);

  private final Wallet wallet;
  private final List<PaymentOption> tokens;
  private final EvmFacilitator relay;

  /**
   * Makes a treasury.
   *
   * @param tokens how the gateway is paid in what this gives back, at least one, all on one chain;
   *     refunds in any other token are not its business
   * @param relay submits what it signs, on the tokens' chain
   */
  public Treasury(Wallet wallet, List<PaymentOption> tokens, EvmFacilitator relay) {
    this.wallet = wallet;
    this.tokens = List.copyOf(tokens);
    this.relay = relay;
    for (PaymentOption token : tokens) {
      if (!relay.networks().contains(token.network())) {
        throw new IllegalArgumentException("the relay does not serve " + token.network());
      }
    }
  }

  /** The contracts of what it gives back. */
  List<String> assets() {
    return tokens.stream().map(PaymentOption::asset).toList();
  }

  /** The account, in lower case. */
  String account() {
    return wallet.address().lowerCase();
  }

  /** Whether this account has signed for it, in the way that its token moves now. */
  boolean isOwn(Payout payout) {
    return hasSigned(payout)
        && tokens.stream().anyMatch(token -> isOf(token, payout.refund()))
        && key(payout.refund()).equals(payout.key());
  }

  /** Whether this account has signed for it, in whatever way. */
  boolean hasSigned(Payout payout) {
    return payout.key().payer().equals(account());
  }

  /** By what this account signs for a refund: one nonce, however often. */
  PaymentKey key(Refund refund) {
    byte[] nonce = Payout.nonce(refund.id());
    String form =
        Permit2.isMethodOf(terms(refund))
            ? PermitNonce.key(new BigInteger(1, nonce))
            : Hex.of(nonce);
    return new PaymentKey(refund.network(), account(), form);
  }

  /** Whether it could be paid now. */
  Verification check(Refund refund, Instant validBefore) {
    PaymentRequirements terms = terms(refund);
    return relay.verify(signed(refund, validBefore, terms), terms);
  }

  /** Has it submitted, unless it is under way already. */
  Settlement send(Payout payout) {
    PaymentRequirements terms = terms(payout.refund());
    return relay.forward(signed(payout.refund(), payout.validBefore(), terms), terms);
  }

  private static boolean isOf(PaymentOption token, Refund refund) {
    return token.network().equals(refund.network())
        && token.asset().equalsIgnoreCase(refund.asset());
  }

  private PaymentRequirements terms(Refund refund) {
    PaymentOption token =
        tokens.stream().filter(each -> isOf(each, refund)).findFirst().orElseThrow();
    return new PaymentRequirements(
        PaymentOption.EXACT,
        token.network(),
        new Usd(refund.amount()).atomicUnits(token.decimals()),
        token.asset(),
        refund.payer(),
        (int) LIFE.toSeconds(),
        token.extra(),
        token.decimals());
  }

  private PaymentPayload signed(Refund refund, Instant validBefore, PaymentRequirements terms) {
    byte[] nonce = Payout.nonce(refund.id());
    BigInteger end = BigInteger.valueOf(validBefore.getEpochSecond());
    Map<String, Object> payload =
        Permit2.isMethodOf(terms)
            ? permit(terms, new BigInteger(1, nonce), end)
            : authorization(terms, nonce, end);
    return PaymentPayload.of(terms, payload);
  }

  private Map<String, Object> permit(PaymentRequirements terms, BigInteger nonce, BigInteger end) {
    TransferPermit permit =
        new TransferPermit(
            wallet.address(),
            EvmAddress.parse(terms.asset()),
            new BigInteger(terms.amount()),
            Permit2.EXACT_PROXY,
            nonce,
            end,
            EvmAddress.parse(terms.payTo()),
            BigInteger.ZERO,
            null);
    byte[] digest = permit.digest(TokenDomain.chainId(terms.network()));
    return new SignedPermit(permit, wallet.sign(digest)).toJson();
  }

  private Map<String, Object> authorization(
      PaymentRequirements terms, byte[] nonce, BigInteger end) {
    TransferAuthorization authorization =
        new TransferAuthorization(
            wallet.address(),
            EvmAddress.parse(terms.payTo()),
            new BigInteger(terms.amount()),
            BigInteger.ZERO,
            end,
            nonce);
    TokenDomain domain = TokenDomain.of(terms).orElseThrow();
    return new SignedAuthorization(authorization, wallet.sign(authorization.digest(domain)))
        .toJson();
  }

  /** The address; the key is masked. */
  @Override
  public String toString() {
    return "Treasury[" + wallet.address() + ", key ***]";
  }
}

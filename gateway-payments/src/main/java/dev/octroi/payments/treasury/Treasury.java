package dev.octroi.payments.treasury;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import dev.octroi.payments.evm.relay.EvmFacilitator;
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
import java.util.Map;

/**
 * An account that gives money back in one token. It needs no gas: it signs as a payer does
 * (EIP-3009), and the gateway's relayers submit what it signed. Thread-safe; the key never leaves
 * its wallet.
 */
public final class Treasury {

  /** How long what it signs holds: for blocks that are slow or dear, and not for days. */
  static final Duration LIFE = Duration.ofMinutes(10);

  private static final int VERSION = 2;
  private static final JsonMapper JSON = new JsonMapper();

  private final Wallet wallet;
  private final EvmToken token;
  private final EvmFacilitator relay;

  /**
   * Makes a treasury.
   *
   * @param token what it gives back; refunds in any other one are not its business
   * @param relay submits what it signs, on the token's chain
   */
  public Treasury(Wallet wallet, EvmToken token, EvmFacilitator relay) {
    if (!relay.networks().contains(token.network())) {
      throw new IllegalArgumentException("the relay does not serve " + token.network());
    }
    this.wallet = wallet;
    this.token = token;
    this.relay = relay;
  }

  EvmToken token() {
    return token;
  }

  /** The account, in lower case. */
  String account() {
    return wallet.address().lowerCase();
  }

  /** Whether this account has signed for it. */
  boolean isOwn(Payout payout) {
    return payout.treasury().equals(account());
  }

  /** Whether it could be paid now. */
  Verification check(Refund refund, Instant validBefore) {
    return relay.verify(signed(refund, validBefore), terms(refund));
  }

  /** Has it submitted, unless it is under way already. */
  Settlement send(Payout payout) {
    return relay.forward(signed(payout.refund(), payout.validBefore()), terms(payout.refund()));
  }

  private PaymentRequirements terms(Refund refund) {
    return new PaymentRequirements(
        PaymentOption.EXACT,
        token.network(),
        Long.toString(refund.amount()),
        token.address().toString(),
        refund.payer(),
        (int) LIFE.toSeconds(),
        Map.of("name", token.name(), "version", token.version()));
  }

  private PaymentPayload signed(Refund refund, Instant validBefore) {
    TransferAuthorization authorization =
        new TransferAuthorization(
            wallet.address(),
            EvmAddress.parse(refund.payer()),
            BigInteger.valueOf(refund.amount()),
            BigInteger.ZERO,
            BigInteger.valueOf(validBefore.getEpochSecond()),
            Payout.nonce(refund.id()));
    byte[] signature = wallet.sign(authorization.digest(token.domain()));
    Map<String, Object> payload = new SignedAuthorization(authorization, signature).toJson();
    return new PaymentPayload(
        VERSION,
        null,
        null,
        PaymentOption.EXACT,
        token.network(),
        JSON.valueToTree(payload),
        null,
        new byte[0]);
  }

  /** The address; the key is masked. */
  @Override
  public String toString() {
    return "Treasury[" + wallet.address() + ", key ***]";
  }
}

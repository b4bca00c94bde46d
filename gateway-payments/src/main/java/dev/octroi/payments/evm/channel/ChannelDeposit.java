package dev.octroi.payments.evm.channel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.permit2.TokenApproval.Brought;
import dev.octroi.payments.evm.permit2.TokenPermit.Sponsoring;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/** A payer's permission to move money into a channel, not verified yet. */
public sealed interface ChannelDeposit permits PermitDeposit, TokenDeposit {

  /** Atomic units. */
  BigInteger amount();

  /** The second from which on it moves nothing any more, in Unix seconds. */
  BigInteger end();

  /** What tells it from other deposits into its channel, in the key of its payment. */
  byte[] unique();

  /** The signature's bytes, of any length. */
  byte[] signature();

  /** The contract that collects it. */
  EvmAddress collector();

  /** Whether it ends before this second, so that it may come too late. */
  boolean endsBefore(long second);

  /** The member {@code authorization} as it goes over the wire. */
  Map<String, Object> authorization();

  /** The nonce that it uses up. */
  default byte[] nonce(byte[] channelId) {
    return ChannelNonce.used(channelId, unique());
  }

  /**
   * What its payment brings along, so that its token lets Permit2 move it; nothing where the token
   * itself takes it.
   *
   * @param now Unix seconds
   */
  default Sponsoring sponsoring(PaymentPayload payment, PaymentRequirements terms, long now) {
    return Sponsoring.NONE;
  }

  /** The same for a transaction of its payer's that lets Permit2 move it. */
  default Brought approval(PaymentPayload payment, PaymentRequirements terms) {
    return Brought.NONE;
  }

  /**
   * Reads the members of a payload's {@code deposit}; empty where it is authorized in no way that
   * is known here.
   *
   * @throws MalformedPayment if one is missing, has another type or another form
   */
  static Optional<ChannelDeposit> read(JsonNode deposit) {
    JsonNode authorization = deposit.path("authorization");
    BigInteger amount = PayloadFields.uint256(deposit, "amount");
    return TokenDeposit.isIn(authorization)
        ? Optional.of(TokenDeposit.read(amount, authorization))
        : PermitDeposit.isIn(authorization)
            ? Optional.of(PermitDeposit.read(amount, authorization))
            : Optional.empty();
  }

  /** The same as it goes over the wire. */
  default Map<String, Object> toJson() {
    return Map.of("amount", amount().toString(), "authorization", authorization());
  }
}

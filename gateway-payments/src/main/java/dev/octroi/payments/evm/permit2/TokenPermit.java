package dev.octroi.payments.evm.permit2;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.x402.Extensions;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A payer's permission that Permit2 may move a token, which the token itself takes (EIP-2612). It
 * comes with a payment in the protocol's extension {@code eip2612GasSponsoring}, so that the payer
 * needs no gas for its first payment.
 *
 * @param amount what is permitted, in atomic units
 * @param deadline the last second at which the token takes it, in Unix seconds
 * @param signature 65 bytes
 */
public record TokenPermit(BigInteger amount, BigInteger deadline, byte[] signature) {

  private static final SponsoringExtension EXTENSION =
      new SponsoringExtension(
          "eip2612GasSponsoring",
          "eip2612_",
          "The facilitator accepts EIP-2612 gasless Permit to `Permit2` canonical contract.",
          List.of(
              "from", "asset", "spender", "amount", "nonce", "deadline", "signature", "version"));

  /** A permit must live at least so much longer, in seconds (x402, gas sponsoring). */
  private static final long MIN_LIFE_SECONDS = 6;

  /** What challenges announce, where the gateway pays the gas of such permits. */
  public static Extensions announced() {
    return EXTENSION.announced();
  }

  /** What came with a payment: nothing, a permit, or one that breaks a rule. */
  public record Sponsoring(Optional<TokenPermit> permit, @Nullable String broken) {

    /** What comes with payments that bring none along. */
    public static final Sponsoring NONE = new Sponsoring(Optional.empty(), null);

    /**
     * What a payment brings along, held against its permit for Permit2; nothing where the offer
     * names no domain of the token, and so no permits of its own.
     *
     * @param now Unix seconds
     */
    public static Sponsoring of(
        PaymentPayload payment, PaymentRequirements terms, Permitted paid, long now) {
      boolean offered = terms.extra() != null && terms.extra().containsKey("name");
      Optional<JsonNode> info = offered ? EXTENSION.info(payment) : Optional.empty();
      if (info.isEmpty()) {
        return NONE;
      }
      try {
        return EXTENSION.isEchoed(info.get())
            ? read(info.get(), paid, now)
            : broken("extension_echo_mismatch");
      } catch (MalformedPayment e) {
        return broken("invalid_eip2612_extension_format");
      }
    }

    private static Sponsoring read(JsonNode info, Permitted paid, long now) {
      Object unused = PayloadFields.uint256(info, "nonce");
      TokenPermit permit =
          new TokenPermit(
              PayloadFields.uint256(info, "amount"),
              PayloadFields.uint256(info, "deadline"),
              PayloadFields.bytes(info, "signature"));
      String mismatch = EXTENSION.mismatch(info, paid);
      if (permit.signature.length != Signatures.BYTES) {
        return broken("invalid_eip2612_extension_format");
      }
      if (mismatch != null) {
        return broken(mismatch);
      }
      if (permit.deadline.compareTo(BigInteger.valueOf(now + MIN_LIFE_SECONDS)) < 0) {
        return broken("eip2612_deadline_expired");
      }
      return permit.amount.equals(paid.amount())
          ? new Sponsoring(Optional.of(permit), null)
          : broken("permit2_2612_amount_mismatch");
    }

    private static Sponsoring broken(String reason) {
      return new Sponsoring(Optional.empty(), reason);
    }
  }
}

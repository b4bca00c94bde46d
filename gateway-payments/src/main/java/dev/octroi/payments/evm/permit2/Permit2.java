package dev.octroi.payments.evm.permit2;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;

/** The public contracts that move tokens by signed permits, at the same addresses on each chain. */
public final class Permit2 {

  /** Takes permits, and moves what their owners allowed it to. */
  public static final EvmAddress ADDRESS =
      EvmAddress.parseChecked("0x000000000022D473030F116dDEE9F6B43aC78BA3");

  /** Moves the whole amount of a permit to the recipient that was signed with it. */
  public static final EvmAddress EXACT_PROXY =
      EvmAddress.parseChecked("0x402085c248EeA27D92E8b30b2C58ed07f9E20001");

  /** Moves a part of it, where the facilitator sends the transaction that was signed with it. */
  public static final EvmAddress UPTO_PROXY =
      EvmAddress.parseChecked("0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002");

  /** What offers call this transfer method. */
  public static final String METHOD = "permit2";

  private Permit2() {}

  /** The proxy that uses permits of a scheme. */
  public static EvmAddress proxy(boolean upto) {
    return upto ? UPTO_PROXY : EXACT_PROXY;
  }

  /** Whether terms ask to be paid by Permit2, as all of upto do. */
  public static boolean isMethodOf(PaymentRequirements terms) {
    return terms.isUpto()
        || terms.extra(PaymentOption.TRANSFER_METHOD).filter(METHOD::equals).isPresent();
  }

  /** Whether upto terms name this account as their facilitator. */
  public static boolean isFacilitatorOf(PaymentRequirements terms, EvmAddress account) {
    return account.isNamed(terms, PaymentOption.FACILITATOR);
  }

  /**
   * What the payer of an upto payment signed as the most that it may be charged, in atomic units.
   *
   * @throws MalformedPayment if the payload cannot be read
   */
  public static BigInteger ceiling(PaymentPayload payment) {
    return SignedPermit.read(payment.payload()).permit().amount();
  }
}

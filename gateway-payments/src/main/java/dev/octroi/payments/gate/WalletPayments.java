package dev.octroi.payments.gate;

import dev.octroi.payments.Usd;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.NothingOffered;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.ResourceInfo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Payments that managed wallets sign, verified as any payer's are. Thread-safe. */
record WalletPayments(PaymentSources sources, Settler settler, Trust trust) {

  /** A payment of a managed wallet, verified; every refusal means that this wallet cannot pay. */
  record Signed(KeyCall way, PaymentPayload payload, Verification verification) {

    @Nullable String reason() {
      if (verification instanceof Verification.Invalid invalid) {
        return invalid.reason();
      }
      return verification instanceof Verification.Late late ? late.reason() : null;
    }
  }

  /** The ways to pay a price in the order in which they are tried; none if nothing is offered. */
  List<KeyCall> ways(ApiKey key, Usd price, ResourceInfo resource) {
    try {
      return sources.ways(key, price, resource);
    } catch (NothingOffered e) {
      return List.of();
    }
  }

  Signed signed(KeyCall way) {
    PaymentPayload payload = way.payment();
    return new Signed(way, payload, settler.verify(payload, way.offer()));
  }

  /** What was agreed on by a payment that is good. */
  VerifiedPayment verified(Signed signed, Usd price) {
    KeyCall way = signed.way();
    Verification.Valid payment = (Verification.Valid) signed.verification();
    return new VerifiedPayment(
        price,
        signed.payload(),
        way.offer(),
        payment,
        AnswerForm.CURRENT,
        trust.in(way.offer(), payment),
        null,
        Optional.of(way));
  }
}

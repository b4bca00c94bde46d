package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.ledger.ClaimResult;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A payer has signed for the call itself. */
record PayerSignature(VerifiedPayment payment, Optional<String> identifier)
    implements Authorization {

  @Override
  public Admission.Caller caller() {
    return Admission.Caller.payer(owner());
  }

  @Override
  public String owner() {
    return payment.payer().payer();
  }

  @Override
  public Iterator<VerifiedPayment> payments() {
    return List.of(payment).iterator();
  }

  @Override
  public boolean givesWay(VerifiedPayment claimed, ClaimResult result) {
    return false;
  }

  @Override
  public String reason() {
    return Objects.requireNonNullElse(payment.lateFor(), Refusals.NO_FUNDS);
  }
}

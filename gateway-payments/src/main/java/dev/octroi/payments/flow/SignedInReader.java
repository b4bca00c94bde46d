package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.SignedInWallet;
import dev.octroi.payments.ledger.ClaimResult;
import java.util.Collections;
import java.util.Iterator;

/** A wallet has signed in and is shown what it has paid for before. */
record SignedInReader(SignedInWallet wallet) implements Authorization {

  @Override
  public Admission.Caller caller() {
    return Admission.Caller.payer(owner());
  }

  @Override
  public String owner() {
    return wallet.payer();
  }

  @Override
  public Iterator<VerifiedPayment> payments() {
    return Collections.emptyIterator();
  }

  @Override
  public boolean givesWay(VerifiedPayment payment, ClaimResult result) {
    return false;
  }

  @Override
  public boolean isPaidBefore() {
    return true;
  }

  @Override
  public String reason() {
    return "";
  }
}

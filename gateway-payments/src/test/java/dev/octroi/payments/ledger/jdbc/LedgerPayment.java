package dev.octroi.payments.ledger.jdbc;

import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Ledger;
import jakarta.ws.rs.WebApplicationException;
import java.time.Instant;
import java.util.Optional;

/** The payment of a call without the call: settles a claim as the gate does. */
final class LedgerPayment implements Payment {

  private final Ledger ledger;
  private final Sample sample;
  private final Claim claim;
  private Settlement outcome = new Settlement.Settled("0xab");
  private Optional<String> transaction = Optional.empty();

  LedgerPayment(Ledger ledger, Sample sample, Claim claim) {
    this.ledger = ledger;
    this.sample = sample;
    this.claim = claim;
  }

  void refuses() {
    outcome = new Settlement.Refused("no");
  }

  /** The same payment in the next call of it. */
  LedgerPayment again() {
    ledger.unanswered(claim);
    ClaimResult.Rerun rerun = (ClaimResult.Rerun) ledger.claim(sample.request());
    LedgerPayment next = new LedgerPayment(ledger, sample, rerun.claim());
    next.transaction = Optional.of(rerun.transaction());
    return next;
  }

  @Override
  public void settle() {
    Settlement settled = outcome;
    if (sample.spendable().isEmpty()) {
      settled = ledger.settleHere(claim, null);
    } else {
      ledger.settling(claim, null);
      ledger.settled(claim, outcome);
    }
    transaction = settled.deliverable();
    if (transaction.isEmpty()) {
      throw new WebApplicationException(402);
    }
  }

  @Override
  public PaymentUse use() {
    return sample.use(claim);
  }

  @Override
  public boolean isSettled() {
    return transaction.isPresent();
  }

  @Override
  public String transaction() {
    return transaction.orElseThrow();
  }

  @Override
  public Optional<String> envelope() {
    return Optional.empty();
  }

  @Override
  public String payer() {
    return sample.payer();
  }

  @Override
  public String network() {
    return Sample.NETWORK;
  }

  @Override
  public Usd quote() {
    return new Usd(claim.amount());
  }

  @Override
  public String id() {
    return claim.id().toString();
  }

  @Override
  public Instant deadline() {
    return Instant.MAX;
  }
}

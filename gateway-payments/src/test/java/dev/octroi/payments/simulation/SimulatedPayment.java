package dev.octroi.payments.simulation;

import dev.octroi.payments.Payment;
import dev.octroi.payments.PaymentUse;
import dev.octroi.payments.Usd;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.Ledger;
import jakarta.ws.rs.WebApplicationException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The payment of a method that settles before its effect, as the gate hands it over. */
final class SimulatedPayment implements Payment {

  private final Ledger ledger;
  private final ClaimRequest request;
  private final Claim claim;
  private final Supplier<Settlement> chain;
  private final Runnable mayKill;
  private Optional<String> transaction;

  /**
   * A payment.
   *
   * @param before the transaction that has settled it in an earlier call, if one has
   */
  SimulatedPayment(
      Ledger ledger,
      ClaimRequest request,
      Claim claim,
      Optional<String> before,
      Supplier<Settlement> chain,
      Runnable mayKill) {
    this.ledger = ledger;
    this.request = request;
    this.claim = claim;
    this.transaction = before;
    this.chain = chain;
    this.mayKill = mayKill;
  }

  @Override
  public void settle() {
    mayKill.run();
    if (!ledger.settling(claim, null)) {
      throw new WebApplicationException(503);
    }
    mayKill.run();
    Settlement outcome = chain.get();
    mayKill.run();
    boolean recorded = ledger.settled(claim, outcome);
    if (!recorded || outcome.deliverable().isEmpty()) {
      throw new WebApplicationException(
          recorded && outcome instanceof Settlement.Refused ? 402 : 503);
    }
    transaction = outcome.deliverable();
    mayKill.run();
  }

  @Override
  public PaymentUse use() {
    return new PaymentUse(claim.id(), request.binding().hash());
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
    return request.key().payer();
  }

  @Override
  public String network() {
    return request.key().network();
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

package dev.octroi.payments.facilitator;

import dev.octroi.payments.facilitator.Facilitator.Balances;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A facilitator of others on a chain that this gateway reads itself, so that what became of a
 * payment is proven and not believed. Thread-safe.
 */
public final class WatchedFacilitator implements Facilitator {

  private final Facilitator settling;
  private final String watched;
  private final Evidence evidence;
  private final Balances balances;
  private final Optional<ChannelRefunds> refunds;

  /** Watches a network where calls are paid out of no channels. */
  public WatchedFacilitator(
      Facilitator settling, String watched, Evidence evidence, Balances balances) {
    this(settling, watched, evidence, balances, Optional.empty());
  }

  /**
   * Watches a network.
   *
   * @param settling verifies and settles, here and elsewhere
   * @param watched the network that is read, as CAIP-2 id
   * @param refunds gives back what is left in channels there
   */
  public WatchedFacilitator(
      Facilitator settling,
      String watched,
      Evidence evidence,
      Balances balances,
      Optional<ChannelRefunds> refunds) {
    this.settling = settling;
    this.watched = watched;
    this.evidence = evidence;
    this.balances = balances;
    this.refunds = refunds;
  }

  @Override
  public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
    return settling.verify(payload, terms);
  }

  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
    return settling.settle(payload, terms);
  }

  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms, String attempt) {
    return settling.settle(payload, terms, attempt);
  }

  @Override
  public List<String> networks() {
    return settling.networks();
  }

  @Override
  public Optional<Map<String, Object>> offerExtra(String network) {
    return settling.offerExtra(network);
  }

  @Override
  public Optional<Map<String, Object>> uptoExtra(String network) {
    return settling.uptoExtra(network);
  }

  @Override
  public Optional<Map<String, Object>> channelExtra(String network) {
    return settling.channelExtra(network);
  }

  @Override
  public Optional<ChannelRefunds> channelRefunds(String network) {
    return network.equals(watched) ? refunds : settling.channelRefunds(network);
  }

  @Override
  public boolean isUsable(String network) {
    return settling.isUsable(network);
  }

  @Override
  public Map<String, BigInteger> gasMoney() {
    return settling.gasMoney();
  }

  @Override
  public boolean settlesInLedger() {
    return settling.settlesInLedger();
  }

  @Override
  public Optional<Evidence> evidence(String network) {
    return network.equals(watched) ? Optional.of(evidence) : settling.evidence(network);
  }

  @Override
  public Optional<Balances> balances(String network) {
    return network.equals(watched) ? Optional.of(balances) : settling.balances(network);
  }

  @Override
  public void follow(UnresolvedPayments unresolved) {
    settling.follow(unresolved);
  }

  @Override
  public void close() {
    settling.close();
  }
}

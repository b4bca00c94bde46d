package dev.octroi.payments.facilitator;

import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Money that is not real: the checks of the real scheme, with balances and used nonces in the
 * ledger's own database instead of a chain, so that any wallet and any client works at once.
 *
 * <p>Verification asks no database: the claim itself reserves the amount, and refuses a payer who
 * does not have it and a nonce that was used. A payer seen for the first time starts with {@link
 * dev.octroi.payments.ledger.LedgerSettings#startingBalance}. Thread-safe.
 */
public final class SandboxFacilitator implements Facilitator {

  private final Verification.Check checks;
  private final List<String> networks;
  private final Optional<Map<String, Object>> extra;
  private final Optional<Map<String, Object>> upto;
  private final Optional<Map<String, Object>> channel;

  /**
   * Makes the facilitator.
   *
   * @param checks what the scheme asks of a payment, such as {@code ExactEvmVerifier::verify}
   * @param networks the networks it plays, as CAIP-2 ids
   */
  public SandboxFacilitator(Verification.Check checks, List<String> networks) {
    this(checks, networks, Map.of(), Optional.empty(), Optional.empty());
  }

  /**
   * Makes the facilitator.
   *
   * @param extra what its offers say besides
   * @param upto the same of offers that are ceilings; empty where it makes none
   * @param channel the same of offers to be paid out of channels; empty where it makes none
   */
  public SandboxFacilitator(
      Verification.Check checks,
      List<String> networks,
      Map<String, Object> extra,
      Optional<Map<String, Object>> upto,
      Optional<Map<String, Object>> channel) {
    this.channel = channel.map(Map::copyOf);
    this.checks = checks;
    this.upto = upto.map(Map::copyOf);
    this.networks = List.copyOf(networks);
    this.extra = Optional.of(Map.copyOf(extra));
  }

  @Override
  public Verification verify(PaymentPayload payload, PaymentRequirements terms) {
    Verification verification = checks.verify(payload, terms);
    if (verification instanceof Verification.Valid valid) {
      return valid.spending(OptionalLong.empty());
    }
    return verification instanceof Verification.Late late
        ? new Verification.Late(late.reason(), late.payment().spending(OptionalLong.empty()))
        : verification;
  }

  /** Never called: {@link #settlesInLedger} says that the ledger moves this money itself. */
  @Override
  public Settlement settle(PaymentPayload payload, PaymentRequirements terms) {
    throw new UnsupportedOperationException("sandbox money is settled in the ledger");
  }

  @Override
  public List<String> networks() {
    return networks;
  }

  @Override
  public Optional<Map<String, Object>> offerExtra(String network) {
    return extra;
  }

  @Override
  public Optional<Map<String, Object>> uptoExtra(String network) {
    return upto;
  }

  @Override
  public Optional<Map<String, Object>> channelExtra(String network) {
    return channel;
  }

  @Override
  public boolean settlesInLedger() {
    return true;
  }
}

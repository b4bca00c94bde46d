package dev.octroi.payments.x402;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One way to pay, as an entry of {@code accepts} (x402 v2).
 *
 * @param scheme {@code exact}; or {@code upto} or {@code batch-settlement}, whose amount is a
 *     ceiling until it is settled
 * @param network CAIP-2 id
 * @param amount atomic units of the asset, a decimal integer above zero
 * @param asset the token, EIP-55 checksummed on EVM
 * @param payTo the recipient
 * @param maxTimeoutSeconds how long an authorization may live
 * @param extra what the scheme needs besides: on EVM the token's EIP-712 {@code name} and {@code
 *     version}
 * @param decimals how many decimals the asset has, 6 or more, which the protocol does not tell
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PaymentRequirements(
    String scheme,
    String network,
    String amount,
    String asset,
    String payTo,
    int maxTimeoutSeconds,
    @Nullable Map<String, Object> extra,
    @JsonIgnore int decimals) {

  /** The same in a token of six decimals. */
  public PaymentRequirements(
      String scheme,
      String network,
      String amount,
      String asset,
      String payTo,
      int maxTimeoutSeconds,
      @Nullable Map<String, Object> extra) {
    this(scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra, Usd.DECIMALS);
  }

  /** As a challenge or a facilitator states it; throws {@link MalformedPayment}. */
  static PaymentRequirements read(JsonNode offer) {
    return new PaymentRequirements(
        Json.text(offer, "scheme"),
        Json.text(offer, "network"),
        Json.text(offer, "amount"),
        Json.text(offer, "asset"),
        Json.text(offer, "payTo"),
        Json.integer(offer, "maxTimeoutSeconds"),
        Json.members(Json.optionalObject(offer, "extra")));
  }

  /** As version 1 states it, in the words of version 2; throws {@link MalformedPayment}. */
  static PaymentRequirements readFormer(JsonNode offer) {
    String network = Json.text(offer, "network");
    return new PaymentRequirements(
        Json.text(offer, "scheme"),
        FormerNetwork.id(network).orElse(network),
        Json.text(offer, "maxAmountRequired"),
        Json.text(offer, "asset"),
        Json.text(offer, "payTo"),
        Json.integer(offer, "maxTimeoutSeconds"),
        Json.members(Json.optionalObject(offer, "extra")));
  }

  /**
   * The amount in millionths of a dollar, as the ledger counts.
   *
   * @throws ArithmeticException if it is no whole number of them, or too large a one
   */
  public long micros() {
    return Usd.ofAtomic(new BigInteger(amount), decimals).micros();
  }

  /** Whether the payer signs a ceiling and is charged what was used. */
  @JsonIgnore
  public boolean isUpto() {
    return scheme.equals(PaymentOption.UPTO);
  }

  /** Whether it is paid out of a channel. */
  @JsonIgnore
  public boolean isChannel() {
    return scheme.equals(PaymentOption.CHANNEL);
  }

  /** What the scheme needs besides, by its name. */
  public Optional<Object> extra(String name) {
    return Optional.ofNullable(extra).map(members -> members.get(name));
  }

  /** Whether the token is moved in another way than the network's usual. */
  boolean namesTransferMethod() {
    return extra(PaymentOption.TRANSFER_METHOD).isPresent();
  }

  /** The same where the token has as many decimals. */
  PaymentRequirements withDecimals(int known) {
    return new PaymentRequirements(
        scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra, known);
  }

  /** The same terms, which say other things besides. */
  public PaymentRequirements with(Map<String, Object> said) {
    return new PaymentRequirements(
        scheme, network, amount, asset, payTo, maxTimeoutSeconds, Map.copyOf(said), decimals);
  }

  /** The same terms for another amount. */
  public PaymentRequirements at(Usd price) {
    return atUnits(price.atomicUnits(decimals));
  }

  /**
   * The same terms for another amount.
   *
   * @param units atomic units of the asset
   */
  public PaymentRequirements atUnits(String units) {
    return new PaymentRequirements(
        scheme, network, units, asset, payTo, maxTimeoutSeconds, extra, decimals);
  }
}

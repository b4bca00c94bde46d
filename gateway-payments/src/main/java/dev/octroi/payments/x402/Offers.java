package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What this server accepts as payment now. Thread-safe.
 *
 * <p>An option is not offered while no facilitator settles on its network, and what its facilitator
 * adds is part of the offer. What was made for an offer is kept as long as the additions are the
 * same instances, which costs a comparison for each option.
 *
 * <p>What a client says it accepted is matched against these offers and never trusted (decisions,
 * envelope leniency).
 */
public final class Offers {

  /** Above zero, of no more digits than a uint256. */
  private static final Pattern AMOUNT = Pattern.compile("[1-9][0-9]{0,77}");

  private final List<PaymentOption> options;
  private final Function<PaymentOption, Optional<Map<String, Object>>> extras;
  private volatile OffersNow now;

  /** Offers to which no facilitator adds anything. */
  public Offers(List<PaymentOption> options) {
    this(options, option -> Optional.of(Map.of()));
  }

  /**
   * Makes the offers.
   *
   * @param extras what the offer of an option says besides, empty while it is not offered; asked
   *     for every challenge
   * @throws IllegalArgumentException if there is no option, or two of the same scheme, network and
   *     asset
   */
  public Offers(
      List<PaymentOption> options, Function<PaymentOption, Optional<Map<String, Object>>> extras) {
    if (options.isEmpty()) {
      throw new IllegalArgumentException("at least one way to pay is needed");
    }
    Set<String> seen = new HashSet<>();
    for (PaymentOption option : options) {
      String asset = ChainFamily.of(option.network()).spelling(option.asset());
      if (!seen.add(option.scheme() + " " + option.network() + " " + asset)) {
        throw new IllegalArgumentException(
            "two payment options for " + option.network() + " and asset " + option.asset());
      }
    }
    this.options =
        options.stream().sorted(Comparator.comparing(PaymentOption::isEvm).reversed()).toList();
    this.extras = extras;
    this.now = new OffersNow(this.options, extras, null);
  }

  /**
   * The entries of {@code accepts} at a price above zero that is charged as it is, EVM first; empty
   * if no facilitator settles.
   */
  public List<PaymentRequirements> accepts(Usd price) {
    return accepts(OfferedPrice.of(price));
  }

  /** The same at a price that may be a ceiling. */
  public List<PaymentRequirements> accepts(OfferedPrice price) {
    return priced(price).accepts();
  }

  /** The networks that are offered whenever a facilitator settles there, in no order. */
  public Set<String> networks() {
    return options.stream().map(PaymentOption::network).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Finds the offer that a payment was made for; the first difference gives the reason.
   *
   * <p>The offers before the present ones still do: a payment that was made for them may be in
   * doubt, and a changed fee payer is no reason to ask for another one.
   */
  public OfferMatch match(PaymentPayload payment, OfferedPrice price) {
    OffersNow current = current();
    OfferMatch match = match(payment, current.at(price).accepts());
    OffersNow before = current.before();
    if (match instanceof OfferMatch.Unmatched && before != null) {
      OfferMatch earlier = match(payment, before.at(price).accepts());
      match = earlier instanceof OfferMatch.Matched ? earlier : match;
    }
    return match instanceof OfferMatch.Unmatched && current.isSuspended(payment.network())
        ? new OfferMatch.Suspended()
        : match;
  }

  private static OfferMatch match(PaymentPayload payment, List<PaymentRequirements> accepts) {
    ChainFamily family = ChainFamily.of(payment.network());
    if (accepts.stream().noneMatch(offer -> offer.scheme().equals(payment.scheme()))) {
      return new OfferMatch.Unmatched(family.unsupportedScheme());
    }
    List<PaymentRequirements> candidates =
        accepts.stream()
            .filter(offer -> offer.scheme().equals(payment.scheme()))
            .filter(offer -> offer.network().equals(payment.network()))
            .toList();
    if (candidates.isEmpty()) {
      return new OfferMatch.Unmatched(family.unsupportedNetwork());
    }
    return narrowed(candidates, payment.accepted());
  }

  /**
   * The price that a payment says it is for; empty where it says none that could be. What an
   * envelope does not accept by name, its authorization says.
   */
  public Optional<OfferedPrice> stated(PaymentPayload payment) {
    JsonNode accepted = payment.accepted();
    String amount =
        accepted == null
            ? payment.payload().at("/authorization/value").asText()
            : accepted.path("amount").asText();
    String asset = accepted == null ? "" : accepted.path("asset").asText();
    if (!AMOUNT.matcher(amount).matches()) {
      return Optional.empty();
    }
    try {
      Usd price = Usd.ofAtomic(new BigInteger(amount), decimals(payment.network(), asset));
      return Optional.of(new OfferedPrice(price, true));
    } catch (ArithmeticException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** How many decimals an asset has; six where it is not offered any more. */
  public int decimals(String network, String asset) {
    return options.stream()
        .filter(option -> option.network().equals(network))
        .filter(option -> option.asset().equalsIgnoreCase(asset))
        .findFirst()
        .map(PaymentOption::decimals)
        .orElse(Usd.DECIMALS);
  }

  OffersNow.Priced priced(OfferedPrice price) {
    return current().at(price);
  }

  private OffersNow current() {
    OffersNow known = now;
    if (known.isCurrent(extras)) {
      return known;
    }
    synchronized (this) {
      if (!now.isCurrent(extras)) {
        now = new OffersNow(options, extras, now);
      }
      return now;
    }
  }

  private static OfferMatch narrowed(
      List<PaymentRequirements> candidates, @Nullable JsonNode accepted) {
    // A client that accepts nothing by name knows no other way than the network's usual one.
    List<PaymentRequirements> fitting =
        candidates.stream()
            .filter(
                offer -> accepted == null ? !offer.namesTransferMethod() : isSame(offer, accepted))
            .toList();
    return fitting.size() == 1
        ? new OfferMatch.Matched(fitting.get(0))
        : new OfferMatch.Unmatched("invalid_payment_requirements");
  }

  private static boolean isSame(PaymentRequirements offer, JsonNode accepted) {
    ChainFamily family = ChainFamily.of(offer.network());
    JsonNode timeout = Json.optional(accepted, "maxTimeoutSeconds");
    return offer.amount().equals(accepted.path("amount").textValue())
        && isSameAddress(family, offer.asset(), accepted.path("asset"))
        && isSameAddress(family, offer.payTo(), accepted.path("payTo"))
        && (timeout == null || timeout.intValue() == offer.maxTimeoutSeconds())
        && isSubset(offer.extra(), accepted.path("extra"));
  }

  private static boolean isSameAddress(ChainFamily family, String ours, JsonNode theirs) {
    return theirs.isTextual() && family.isSame(ours, theirs.textValue());
  }

  private static boolean isSubset(@Nullable Map<String, Object> ours, JsonNode theirs) {
    return ours == null
        || ours.entrySet().stream()
            .allMatch(member -> Json.tree(member.getValue()).equals(theirs.get(member.getKey())));
  }

  /** Whether a payment fits something that this server offers now. */
  public sealed interface OfferMatch {

    /** It does: these are this server's own terms, to verify and settle by. */
    record Matched(PaymentRequirements terms) implements OfferMatch {}

    /** It does not, for one of the protocol's reason strings. */
    record Unmatched(String reason) implements OfferMatch {}

    /**
     * No facilitator settles on its network at the moment. It may have settled before, so that it
     * is no reason to ask for another payment.
     */
    record Suspended() implements OfferMatch {}
  }
}

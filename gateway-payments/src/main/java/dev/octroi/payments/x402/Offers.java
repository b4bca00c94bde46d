package dev.octroi.payments.x402;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.Usd;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What this server accepts as payment now. Immutable but for a bounded cache; thread-safe.
 *
 * <p>What a client says it accepted is matched against these offers and never trusted (decisions,
 * envelope leniency).
 */
public final class Offers {

  static final String EVM = "eip155:";

  /** Fixed prices are few; prices quoted from a request are many and need no place here. */
  private static final int MAX_CACHED_PRICES = 1024;

  private final List<PaymentOption> options;
  private final Map<Usd, Priced> priced = new ConcurrentHashMap<>();

  /** The offers at one price, and their JSON, which is the same on every challenge. */
  record Priced(List<PaymentRequirements> accepts, String json) {}

  /**
   * Throws {@link IllegalArgumentException} if there is no option, or two of the same network and
   * asset.
   */
  public Offers(List<PaymentOption> options) {
    if (options.isEmpty()) {
      throw new IllegalArgumentException("at least one way to pay is needed");
    }
    Set<String> seen = new HashSet<>();
    for (PaymentOption option : options) {
      if (!seen.add(option.network() + " " + normalised(option.asset(), option.isEvm()))) {
        throw new IllegalArgumentException(
            "two payment options for " + option.network() + " and asset " + option.asset());
      }
    }
    this.options =
        options.stream().sorted(Comparator.comparing(PaymentOption::isEvm).reversed()).toList();
  }

  /** The entries of {@code accepts} at a price above zero, EVM first. */
  public List<PaymentRequirements> accepts(Usd price) {
    return priced(price).accepts();
  }

  /** Finds the offer that a payment was made for; the first difference gives the reason. */
  public OfferMatch match(PaymentPayload payment, Usd price) {
    List<PaymentRequirements> accepts = accepts(price);
    boolean evm = payment.network().startsWith(EVM);
    if (accepts.stream().noneMatch(offer -> offer.scheme().equals(payment.scheme()))) {
      return new OfferMatch.Unmatched(evm ? "invalid_exact_evm_scheme" : "unsupported_scheme");
    }
    List<PaymentRequirements> candidates =
        accepts.stream()
            .filter(offer -> offer.scheme().equals(payment.scheme()))
            .filter(offer -> offer.network().equals(payment.network()))
            .toList();
    if (candidates.isEmpty()) {
      return new OfferMatch.Unmatched(
          evm ? "invalid_exact_evm_network_mismatch" : "invalid_network");
    }
    return narrowed(candidates, payment.accepted());
  }

  Priced priced(Usd price) {
    Priced known = priced.get(price);
    if (known != null) {
      return known;
    }
    if (price.isZero()) {
      throw new IllegalArgumentException("a price of zero needs no payment");
    }
    List<PaymentRequirements> accepts =
        options.stream().map(option -> option.at(price.atomicUnits())).toList();
    Priced fresh = new Priced(accepts, Json.write(accepts));
    if (priced.size() < MAX_CACHED_PRICES) {
      priced.put(price, fresh);
    }
    return fresh;
  }

  private static OfferMatch narrowed(
      List<PaymentRequirements> candidates, @Nullable JsonNode accepted) {
    List<PaymentRequirements> fitting =
        accepted == null
            ? candidates
            : candidates.stream().filter(offer -> isSame(offer, accepted)).toList();
    return fitting.size() == 1
        ? new OfferMatch.Matched(fitting.get(0))
        : new OfferMatch.Unmatched("invalid_payment_requirements");
  }

  private static boolean isSame(PaymentRequirements offer, JsonNode accepted) {
    boolean evm = offer.network().startsWith(EVM);
    JsonNode timeout = Fields.optional(accepted, "maxTimeoutSeconds");
    return offer.amount().equals(accepted.path("amount").textValue())
        && isSameAddress(offer.asset(), accepted.path("asset"), evm)
        && isSameAddress(offer.payTo(), accepted.path("payTo"), evm)
        && (timeout == null || timeout.intValue() == offer.maxTimeoutSeconds())
        && isSubset(offer.extra(), accepted.path("extra"));
  }

  private static boolean isSameAddress(String ours, JsonNode theirs, boolean evm) {
    return theirs.isTextual() && normalised(ours, evm).equals(normalised(theirs.textValue(), evm));
  }

  private static String normalised(String address, boolean evm) {
    return evm ? address.toLowerCase(Locale.ROOT) : address;
  }

  private static boolean isSubset(@Nullable Map<String, Object> ours, JsonNode theirs) {
    return ours == null
        || ours.entrySet().stream()
            .allMatch(member -> Json.tree(member.getValue()).equals(theirs.get(member.getKey())));
  }
}

package dev.octroi.payments.x402;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The offers as long as the facilitators add nothing else to them. Immutable but for a bounded
 * cache; thread-safe.
 */
final class OffersNow {

  /** Fixed prices are few; prices quoted from a request are many and need no place here. */
  private static final int MAX_CACHED_PRICES = 1024;

  private final List<PaymentOption> options;
  private final List<Optional<Map<String, Object>>> added;
  private final @Nullable OffersNow before;
  private final Map<OfferedPrice, Priced> priced = new ConcurrentHashMap<>();

  /** The offers at one price, and their JSON, which is the same on every challenge. */
  record Priced(List<PaymentRequirements> accepts, String json) {}

  /**
   * @param last the offers until now, if there were any; those where no facilitator settled are
   *     forgotten before those where one did
   */
  OffersNow(
      List<PaymentOption> options,
      Function<PaymentOption, Optional<Map<String, Object>>> extras,
      @Nullable OffersNow last) {
    this.options = options;
    this.before = last == null ? null : last.lastComplete();
    this.added = options.stream().map(extras).toList();
  }

  /** A copy that remembers nothing in turn. */
  private OffersNow(OffersNow last) {
    this.options = last.options;
    this.added = last.added;
    this.before = null;
    this.priced.putAll(last.priced);
  }

  private OffersNow lastComplete() {
    return before == null || !offersLessThan(before) ? new OffersNow(this) : before;
  }

  /**
   * What was not offered before either, such as a scheme that no facilitator settles, is no less.
   */
  private boolean offersLessThan(OffersNow other) {
    return IntStream.range(0, added.size())
        .anyMatch(i -> added.get(i).isEmpty() && other.added.get(i).isPresent());
  }

  @Nullable OffersNow before() {
    return before;
  }

  boolean isCurrent(Function<PaymentOption, Optional<Map<String, Object>>> extras) {
    for (int i = 0; i < options.size(); i++) {
      if (!isSame(extras.apply(options.get(i)), added.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** By instance: this is asked for every challenge. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(
      Optional<Map<String, Object>> one, Optional<Map<String, Object>> other) {
    return one.orElse(null) == other.orElse(null);
  }

  /** Whether a network is usually offered, but no facilitator settles there at the moment. */
  boolean isSuspended(String network) {
    List<Integer> places =
        IntStream.range(0, options.size())
            .filter(i -> options.get(i).network().equals(network))
            .boxed()
            .toList();
    return !places.isEmpty() && places.stream().allMatch(i -> added.get(i).isEmpty());
  }

  Priced at(OfferedPrice price) {
    Priced known = priced.get(price);
    if (known != null) {
      return known;
    }
    if (price.amount().isZero()) {
      throw new IllegalArgumentException("a price of zero needs no payment");
    }
    List<PaymentRequirements> accepts = accepts(price);
    Priced fresh = new Priced(accepts, Json.write(accepts));
    if (priced.size() < MAX_CACHED_PRICES) {
      priced.put(price, fresh);
    }
    return fresh;
  }

  private List<PaymentRequirements> accepts(OfferedPrice price) {
    return IntStream.range(0, options.size())
        .filter(i -> added.get(i).isPresent())
        .filter(i -> price.isCeiling() || !options.get(i).isUpto())
        .mapToObj(i -> options.get(i).at(price.amount(), merged(i)))
        .toList();
  }

  private Map<String, Object> merged(int i) {
    Map<String, Object> extra = options.get(i).extra();
    Map<String, Object> more = added.get(i).orElse(Map.of());
    if (more.isEmpty()) {
      return extra;
    }
    Map<String, Object> merged = new HashMap<>(extra);
    merged.putAll(more);
    return Map.copyOf(merged);
  }
}

package dev.octroi.payments.setup;

import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.PaymentOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ways to pay, each with what its facilitator says of it. */
final class SettledOffers {

  private SettledOffers() {}

  /** Throws {@link IllegalArgumentException} if the options do not do together. */
  static Offers of(List<PaymentOption> options, Map<String, Facilitator> facilitators) {
    Map<String, Facilitator> settling = Map.copyOf(facilitators);
    return new Offers(
        options,
        network ->
            Optional.ofNullable(settling.get(network))
                .flatMap(facilitator -> facilitator.offerExtra(network)));
  }

  /** What is accepted although no facilitator settles it, a sentence each. */
  static List<String> unsettled(
      List<PaymentOption> options, Map<String, Facilitator> facilitators) {
    return options.stream()
        .map(PaymentOption::network)
        .filter(network -> !facilitators.containsKey(network))
        .map(network -> "no facilitator settles on " + network + ", which is accepted")
        .toList();
  }
}

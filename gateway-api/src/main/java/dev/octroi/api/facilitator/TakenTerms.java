package dev.octroi.api.facilitator;

import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The terms on which other servers' payments are taken. Immutable. */
public final class TakenTerms {

  private static final int MAX_TIMEOUT_SECONDS = 24 * 3600;
  private static final Pattern AMOUNT = Pattern.compile("[1-9][0-9]{0,15}");

  private final Map<String, String> assets = new LinkedHashMap<>();

  /**
   * @param options what the gateway itself is paid in
   */
  public TakenTerms(List<PaymentOption> options) {
    options.forEach(option -> assets.put(option.network(), option.asset()));
  }

  List<String> networks() {
    return List.copyOf(assets.keySet());
  }

  /** The same terms in the one spelling of the ledger; empty if they are not taken. */
  Optional<PaymentRequirements> ours(PaymentRequirements terms) {
    String asset = assets.get(terms.network());
    boolean taken =
        asset != null
            && terms.scheme().equals(PaymentOption.EXACT)
            && isSame(terms.network(), asset, terms.asset())
            && AMOUNT.matcher(terms.amount()).matches()
            && Long.parseLong(terms.amount()) <= Usd.MAX_MICROS
            && terms.maxTimeoutSeconds() > 0
            && terms.maxTimeoutSeconds() <= MAX_TIMEOUT_SECONDS;
    return taken && asset != null
        ? recipient(terms).map(payTo -> with(terms, asset, payTo))
        : Optional.empty();
  }

  /** Why terms are not taken. */
  String refusal(PaymentRequirements terms) {
    if (!terms.scheme().equals(PaymentOption.EXACT)) {
      return "unsupported_scheme";
    }
    return assets.containsKey(terms.network()) ? "invalid_payment_requirements" : "invalid_network";
  }

  private static boolean isSame(String network, String ours, String theirs) {
    return ChainFamily.of(network).isSame(ours, theirs);
  }

  private static Optional<String> recipient(PaymentRequirements terms) {
    if (ChainFamily.of(terms.network()) == ChainFamily.SOLANA) {
      return Optional.of(terms.payTo()).filter(ChainFamily.SOLANA::isAddress);
    }
    try {
      return Optional.of(EvmAddress.parse(terms.payTo()).toString());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static PaymentRequirements with(
      PaymentRequirements terms, String asset, String recipient) {
    return new PaymentRequirements(
        terms.scheme(),
        terms.network(),
        terms.amount(),
        asset,
        recipient,
        terms.maxTimeoutSeconds(),
        terms.extra());
  }
}

package dev.octroi.payments.client;

import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.solana.SolanaToken;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.List;
import java.util.Optional;

/**
 * What a payer is willing to sign: at most so much for a call, and only in tokens it knows.
 *
 * <p>The amount of a token that the payer does not know has no meaning in dollars, so that a limit
 * alone would not protect it.
 *
 * @param max the most that one call may cost
 * @param tokens the six-decimal stablecoins to pay in on EVM chains
 * @param mints those to pay in on Solana
 * @param scheme {@code exact}, {@code upto} to sign the most that a call may cost, or {@code
 *     batch-settlement} to pay out of a channel
 */
public record SpendingLimit(
    Usd max, List<EvmToken> tokens, List<SolanaToken> mints, String scheme) {

  public SpendingLimit {
    tokens = List.copyOf(tokens);
    mints = List.copyOf(mints);
  }

  /** A limit in tokens of EVM chains. */
  public SpendingLimit(Usd max, List<EvmToken> tokens) {
    this(max, tokens, List.of(), PaymentOption.EXACT);
  }

  /** A limit in the tokens that need no configuration. */
  public static SpendingLimit of(Usd max) {
    return new SpendingLimit(max, EvmToken.KNOWN, SolanaToken.KNOWN, PaymentOption.EXACT);
  }

  /** The same by another scheme. */
  public SpendingLimit by(String other) {
    return new SpendingLimit(max, tokens, mints, other);
  }

  /** The first offer that this payer can sign, whatever it costs. */
  Optional<PaymentRequirements> payable(List<PaymentRequirements> accepts, Signer signer) {
    return accepts.stream().filter(this::isKnown).filter(signer::signs).findFirst();
  }

  boolean allows(Usd price) {
    return price.compareTo(max) <= 0;
  }

  private boolean isKnown(PaymentRequirements offer) {
    return offer.scheme().equals(scheme)
        && offer.amount().matches("[0-9]{1,15}")
        && (tokens.stream().anyMatch(token -> isSame(token, offer))
            || mints.stream().anyMatch(mint -> mint.isIn(offer)));
  }

  private static boolean isSame(EvmToken token, PaymentRequirements offer) {
    try {
      return token.network().equals(offer.network())
          && token.address().equals(EvmAddress.parse(offer.asset()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}

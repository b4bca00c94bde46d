package dev.octroi.payments.solana;

import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stablecoin of six decimals on Solana.
 *
 * @param network CAIP-2 id
 * @param mint the token
 * @param program the token program that made it
 */
public record SolanaToken(String network, SolanaAddress mint, SolanaAddress program) {

  /** What the CAIP-2 ids of its networks begin with. */
  private static final String NAMESPACE = "solana:";

  /** Decimals of every token that is paid in. */
  static final int DECIMALS = 6;

  public static final SolanaToken MAINNET_USDC =
      new SolanaToken(
          "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
          SolanaAddress.parse("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
          Programs.TOKEN);

  public static final SolanaToken DEVNET_USDC =
      new SolanaToken(
          "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
          SolanaAddress.parse("4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"),
          Programs.TOKEN);

  /** The tokens that need no configuration. */
  public static final List<SolanaToken> KNOWN = List.of(MAINNET_USDC, DEVNET_USDC);

  /** Throws {@link IllegalArgumentException} if the network or the program is of another chain. */
  public SolanaToken {
    if (!isSolana(network)) {
      throw new IllegalArgumentException("a network of Solana begins with solana:");
    }
    if (!Programs.TOKENS.contains(program)) {
      throw new IllegalArgumentException("the program is none of the chain's token programs");
    }
  }

  /** Whether a network is of this kind of chain, by its CAIP-2 id. */
  public static boolean isSolana(String network) {
    return network.startsWith(NAMESPACE);
  }

  /** The known token that an offer is in. */
  public static Optional<SolanaToken> of(PaymentRequirements offer) {
    return KNOWN.stream().filter(token -> token.isIn(offer)).findFirst();
  }

  /** Whether an offer is to be paid in this token. */
  public boolean isIn(PaymentRequirements offer) {
    return network.equals(offer.network()) && mint.toString().equals(offer.asset());
  }

  /** The offer to be paid in this token; who pays the fee is added by the facilitator. */
  public PaymentOption payableTo(SolanaAddress payTo, int maxTimeoutSeconds) {
    return new PaymentOption(
        network, mint.toString(), payTo.toString(), Map.of(), maxTimeoutSeconds);
  }
}

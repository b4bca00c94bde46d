package dev.octroi.api.settings;

import dev.octroi.payments.solana.SolanaSettings;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The second way to be paid, on Solana, {@code gateway.solana}. */
public record SolanaPaymentSettings(
    @Setting(
            about =
                "The address that is paid, in base58; its account for the token must exist. Unless"
                    + " it is set, nothing is offered on this chain.")
        Optional<String> payTo,
    @Setting(
            about = "The network to be paid on, as CAIP-2 id.",
            value = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
        @Pattern(
            regexp = "solana:[1-9A-HJ-NP-Za-km-z]{32}",
            message = "it is a network such as solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
        String network,
    @Setting(
            about = "The stablecoin's mint, with six decimals.",
            value = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
        String asset,
    @Setting(
            about =
                "How long a call paid here may take until it settles. A payer's transaction lives"
                    + " some 150 blocks, about a minute.",
            value = "60s")
        Duration maxTimeout,
    @Setting(
            about =
                "The key that pays the chain's fees, so that the gateway settles itself: base58 of"
                    + " 64 or 32 bytes, or the array of bytes of the chain's command line. Without"
                    + " it a remote facilitator settles.")
        Secret feePayerKey,
    @Setting(
            about =
                "JSON-RPC addresses of the chain's nodes, comma-separated; the next is asked where"
                    + " one fails. Required with `fee-payer-key`; without that they prove payments"
                    + " in doubt whose transaction the remote facilitator told.")
        List<Secret> rpcUrl,
    @Setting(about = "How long a node may take to answer.", value = "5s") Duration rpcTimeout,
    @Setting(
            about = "The most that one payment may cost the fee payer, in lamports.",
            value = "100000")
        @Min(10_000)
        @Max(10_000_000)
        int maxFee,
    @Setting(
            about =
                "When a payment counts as settled: `confirmed` takes about a second, `finalized`"
                    + " some 13.",
            value = "confirmed")
        SolanaSettings.Finality finality,
    @Setting(
            about = "How long a call waits for that; beyond it the payment is in doubt.",
            value = "30s")
        Duration settleTimeout) {

  public SolanaPaymentSettings {
    if (maxTimeout.toSeconds() < 20 || maxTimeout.toSeconds() > 3600) {
      throw new IllegalArgumentException("max-timeout is 20s to 1h");
    }
    if (rpcTimeout.isZero() || settleTimeout.isZero()) {
      throw new IllegalArgumentException("rpc-timeout and settle-timeout are above zero");
    }
    ChainSettings.nodes(rpcUrl);
  }

  /** The nodes' addresses, in the order in which they are asked. */
  public List<URI> nodes() {
    return ChainSettings.nodes(rpcUrl);
  }

  /** Whether the gateway settles there itself. */
  public boolean isOwn() {
    return !feePayerKey.value().isEmpty();
  }
}

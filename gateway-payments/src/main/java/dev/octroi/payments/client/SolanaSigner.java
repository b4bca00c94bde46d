package dev.octroi.payments.client;

import dev.octroi.payments.solana.Blockhashes;
import dev.octroi.payments.solana.PaymentTransfer;
import dev.octroi.payments.solana.SolanaAddress;
import dev.octroi.payments.solana.SolanaToken;
import dev.octroi.payments.solana.SolanaWallet;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentRequirements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/** Signs payments for one wallet on Solana. Thread-safe. */
public final class SolanaSigner implements Signer {

  private final SolanaWallet wallet;
  private final Blockhashes blockhashes;

  /**
   * Makes the signer.
   *
   * @param blockhashes asked where an offer does not tell a recent blockhash itself
   */
  public SolanaSigner(SolanaWallet wallet, Blockhashes blockhashes) {
    this.wallet = wallet;
    this.blockhashes = blockhashes;
  }

  @Override
  public String account() {
    return wallet.address().toString();
  }

  @Override
  public boolean signs(PaymentRequirements offer) {
    return offer.scheme().equals(PaymentOption.EXACT) && SolanaToken.isSolana(offer.network());
  }

  @Override
  public Map<String, Object> payload(PaymentRequirements chosen) {
    PaymentTransfer transfer = PaymentTransfer.of(chosen);
    Optional<SolanaAddress> offered = transfer.offeredBlockhash();
    return transfer.sign(wallet, offered.isPresent() ? offered.get() : recent());
  }

  private SolanaAddress recent() {
    try {
      return blockhashes.recent();
    } catch (IOException e) {
      throw new UncheckedIOException("no recent blockhash can be had", e);
    }
  }
}

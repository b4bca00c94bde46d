package dev.octroi.payments.account;

import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.client.Signer;
import dev.octroi.payments.solana.SolanaWallet;
import java.util.Optional;
import java.util.function.Function;

/** Managed wallets on Solana. Thread-safe. */
public final class SolanaWallets implements WalletKind {

  private final Function<SolanaWallet, Optional<Signer>> signers;

  /**
   * @param signers how such wallets pay; empty as long as nothing is paid on the chain, so that
   *     wallets have an address there from the beginning all the same
   */
  public SolanaWallets(Function<SolanaWallet, Optional<Signer>> signers) {
    this.signers = signers;
  }

  @Override
  public String kind() {
    return ChainFamily.SOLANA.namespace();
  }

  @Override
  public byte[] generate() {
    return SolanaWallet.generate().keypair();
  }

  @Override
  public String address(byte[] privateKey) {
    return SolanaWallet.of(privateKey).address().toString();
  }

  @Override
  public Optional<Signer> signer(byte[] privateKey) {
    return signers.apply(SolanaWallet.of(privateKey));
  }
}

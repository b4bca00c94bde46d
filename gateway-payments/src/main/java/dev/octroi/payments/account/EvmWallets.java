package dev.octroi.payments.account;

import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Signer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.Signatures;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;

/** Managed wallets on EVM chains. Thread-safe. */
public final class EvmWallets implements WalletKind {

  private final Clock clock;

  /**
   * @param clock by which authorizations begin and end
   */
  public EvmWallets(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String kind() {
    return ChainFamily.EVM.namespace();
  }

  @Override
  public byte[] generate() {
    return Signatures.newPrivateKey();
  }

  @Override
  public String address(byte[] privateKey) {
    return wallet(privateKey).address().toString();
  }

  @Override
  public Optional<Signer> signer(byte[] privateKey) {
    return Optional.of(new PaymentSigner(wallet(privateKey), clock));
  }

  private static Wallet wallet(byte[] privateKey) {
    return Wallet.fromHex(HexFormat.of().formatHex(privateKey));
  }
}

package dev.octroi.payments.account;

import dev.octroi.payments.client.Signer;
import java.util.UUID;

/**
 * A wallet that can sign; the private key is nowhere to be read from it.
 *
 * @param address where it is funded
 * @param signer signs its payments
 */
public record ManagedWallet(WalletAddress address, Signer signer) {

  /** The address; the key is masked. */
  @Override
  public String toString() {
    return "ManagedWallet[" + address + ", key ***]";
  }

  /**
   * Where a managed wallet is to be funded.
   *
   * @param id the wallet's
   * @param account whose it is
   * @param kind the kind of its networks, as the namespace of their CAIP-2 ids: {@code eip155},
   *     {@code solana}
   * @param address the payer's address in the form of its chain (EIP-55 on EVM)
   * @param sealedUnder id of the master key that its private key is sealed under
   */
  public record WalletAddress(
      UUID id, UUID account, String kind, String address, String sealedUnder) {

    /** Whether it pays on a network, given as CAIP-2 id. */
    public boolean paysOn(String network) {
      return network.startsWith(kind + ":");
    }
  }
}

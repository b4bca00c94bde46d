package dev.octroi.payments.account;

import dev.octroi.payments.client.Signer;

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
}

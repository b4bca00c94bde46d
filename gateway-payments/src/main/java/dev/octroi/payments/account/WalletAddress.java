package dev.octroi.payments.account;

import java.util.UUID;

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

package dev.octroi.payments.account;

import dev.octroi.payments.client.Signer;
import java.util.Optional;

/** A kind of chain on which the gateway keeps wallets. Thread-safe. */
public interface WalletKind {

  /** Namespace of its networks' CAIP-2 ids: {@code eip155}, {@code solana}. */
  String kind();

  /** A new random private key. */
  byte[] generate();

  /** The address of a private key, in the form of its chain. */
  String address(byte[] privateKey);

  /** Signs with a private key; empty where nothing is paid on such a chain. */
  Optional<Signer> signer(byte[] privateKey);
}

package dev.octroi.payments.x402;

import java.util.Arrays;
import java.util.Optional;

/** The names by which x402 v1 calls networks; v2 and this gateway call them by their CAIP-2 id. */
enum FormerNetwork {
  BASE("base", "eip155:8453"),
  BASE_SEPOLIA("base-sepolia", "eip155:84532"),
  SOLANA("solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
  /** As some published clients call it; the former one is told. */
  SOLANA_BY_CLUSTER("solana-mainnet-beta", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
  SOLANA_DEVNET("solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1");

  private final String word;
  private final String id;

  FormerNetwork(String word, String id) {
    this.word = word;
    this.id = id;
  }

  /** The CAIP-2 id of a v1 name; empty if v1 has no such name. */
  static Optional<String> id(String word) {
    return Arrays.stream(values())
        .filter(network -> network.word.equals(word))
        .map(network -> network.id)
        .findFirst();
  }

  /** The v1 name of a CAIP-2 id; empty if v1 cannot name it. */
  static Optional<String> word(String id) {
    return Arrays.stream(values())
        .filter(network -> network.id.equals(id))
        .map(network -> network.word)
        .findFirst();
  }
}

package dev.octroi.payments.solana;

import java.util.Set;

/** The chain's programs that take part in a payment. */
final class Programs {

  static final SolanaAddress COMPUTE_BUDGET =
      SolanaAddress.parse("ComputeBudget111111111111111111111111111111");

  static final SolanaAddress TOKEN =
      SolanaAddress.parse("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");

  static final SolanaAddress TOKEN_2022 =
      SolanaAddress.parse("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");

  static final SolanaAddress ASSOCIATED_TOKEN =
      SolanaAddress.parse("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");

  static final SolanaAddress MEMO =
      SolanaAddress.parse("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

  /** Assertions that wallets add to protect their owner; it moves nothing. */
  static final SolanaAddress LIGHTHOUSE =
      SolanaAddress.parse("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95");

  /** Those that move tokens. */
  static final Set<SolanaAddress> TOKENS = Set.of(TOKEN, TOKEN_2022);

  private Programs() {}
}

package dev.octroi.payments.solana;

/** What an instruction does with an account that it names. */
enum AccountUse {
  READONLY,
  WRITABLE,
  /** Signs and is only read. */
  SIGNER
}

package dev.octroi.payments.ledger;

/** Where the money of a payment lies when it is settled. */
enum SettlementMode {
  /** On a chain: what the ledger has reserved is spent there. */
  CHAIN,
  /** In this database (sandbox money): it moves in the same commit. */
  HERE,
  /** On a chain, for later: the payer owes it, and it stays reserved until it is netted. */
  ON_ACCOUNT
}

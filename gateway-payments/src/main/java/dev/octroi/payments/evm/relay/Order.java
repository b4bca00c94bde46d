package dev.octroi.payments.evm.relay;

/**
 * A payment that a caller waits for.
 *
 * @param draft the transaction that it makes by itself
 * @param alone whether it must not go out with others: only signatures of 65 bytes may, unless the
 *     payer turns out to be a contract (money rule 10)
 * @param until how long the caller who asked waits
 */
record Order(TransferCall call, Draft draft, boolean alone, Wait until, Waiting waiting) {}

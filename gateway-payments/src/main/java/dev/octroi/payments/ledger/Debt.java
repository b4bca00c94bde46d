package dev.octroi.payments.ledger;

import java.util.List;
import java.util.UUID;

/**
 * What one payer owes one seller, and is to be paid for by one transfer.
 *
 * @param key an API key of the payer's account
 * @param network where it is owed, as CAIP-2 id
 * @param payer whose wallet pays
 * @param asset the token's address
 * @param payTo the recipient
 * @param amount atomic units, the sum of all
 * @param payments the calls that it is owed for
 */
public record Debt(
    UUID key,
    String network,
    String payer,
    String asset,
    String payTo,
    long amount,
    List<UUID> payments) {

  public Debt {
    payments = List.copyOf(payments);
  }
}

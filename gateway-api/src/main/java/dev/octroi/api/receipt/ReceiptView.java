package dev.octroi.api.receipt;

import dev.octroi.payments.Usd;
import dev.octroi.payments.flow.StatedKey;
import dev.octroi.payments.ledger.Purchase;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payment as its payer sees it.
 *
 * @param state settling, settled, failed or in_doubt
 * @param amount what was charged, or will be
 * @param receipt signed as the protocol's extension {@code offer-receipt} has it; null where there
 *     is no key to sign with, or nothing was paid
 */
record ReceiptView(
    String id,
    String state,
    Usd amount,
    String network,
    String asset,
    String payer,
    String payTo,
    @Nullable String transaction,
    String method,
    String path,
    boolean delivered,
    Instant claimedAt,
    @Nullable Instant settledAt,
    @Nullable Instant deliveredAt,
    @Nullable Map<String, Object> receipt) {

  static ReceiptView of(Purchase purchase, @Nullable Map<String, Object> receipt) {
    return new ReceiptView(
        purchase.id().toString(),
        purchase.state().name().toLowerCase(Locale.ROOT),
        new Usd(purchase.charged()),
        purchase.key().network(),
        purchase.asset(),
        payer(purchase),
        purchase.payTo(),
        purchase.transaction(),
        purchase.method(),
        purchase.path(),
        purchase.delivered(),
        purchase.claimedAt(),
        purchase.settledAt(),
        purchase.deliveredAt(),
        receipt);
  }

  /** Checksummed on EVM, as the payer saw it in its answer. */
  static String payer(Purchase purchase) {
    return StatedKey.payer(purchase.key());
  }
}

package dev.octroi.payments;

import java.util.function.Predicate;

/**
 * That a request only shows what was paid for before; noted by its tariff ({@link
 * PricedRequest#note}). Who signs in with the wallet that paid is shown it without paying, as long
 * as this holds; the method or servlet then runs with the {@link SignedInWallet} as its caller.
 * Everybody else pays the price.
 *
 * @param holder whether an owner ({@link Payment#owner}) has paid for it, and still may see it;
 *     asked only of owners who have proven to be that
 */
public record Entitlement(Predicate<String> holder) {}

package dev.octroi.payments.account;

import dev.octroi.payments.Usd;

/**
 * What a key has spent of its budget, calls in flight included. Days and months are UTC.
 *
 * @param today of the daily limit
 * @param thisMonth of the monthly limit
 */
public record Spent(Usd today, Usd thisMonth) {}

package dev.octroi.payments.flow;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;

/**
 * What is sold under a price: a resource method, or whatever answers below a path.
 *
 * @param name for logs, such as class and method
 * @param tariff computes the price; a fixed price is a constant tariff
 */
public record PaidEndpoint(String name, Tariff tariff, Settle settle, Redelivery redelivery) {}

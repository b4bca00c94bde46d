package dev.octroi.payments.gate;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/**
 * A row of the price table: a resource method and what it costs.
 *
 * @param name class and method, for logs
 * @param tariff computes the price; a fixed price is a constant tariff
 * @param produces the media types that the method declares, in its order; empty where it does not
 */
record PricedMethod(
    String name, Tariff tariff, Settle settle, Redelivery redelivery, List<MediaType> produces) {}

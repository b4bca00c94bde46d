/**
 * Payments for JAX-RS: adapts {@link dev.octroi.payments.Paid} methods to the one flow of {@link
 * dev.octroi.payments.flow}. It decides nothing about money.
 */
@NullMarked
package dev.octroi.payments.jaxrs;

import org.jspecify.annotations.NullMarked;

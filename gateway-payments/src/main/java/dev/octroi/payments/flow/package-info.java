/**
 * The whole path of a paid call, in {@link dev.octroi.payments.flow.PaymentFlow}: challenge,
 * authorization, claim, settlement, receipt and delivery. It knows neither JAX-RS nor servlets.
 */
@NullMarked
package dev.octroi.payments.flow;

import org.jspecify.annotations.NullMarked;

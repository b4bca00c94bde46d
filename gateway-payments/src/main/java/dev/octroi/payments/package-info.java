/**
 * What a JAX-RS application needs to charge for its methods: {@link dev.octroi.payments.Paid},
 * {@link dev.octroi.payments.Free}, exact amounts and the feature that enforces them.
 */
@NullMarked
package dev.octroi.payments;

import org.jspecify.annotations.NullMarked;

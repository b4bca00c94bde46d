/**
 * What a JAX-RS application needs to charge for its methods: {@link dev.octroi.payments.Paid},
 * {@link dev.octroi.payments.Free}, exact amounts and the feature that enforces them.
 *
 * <p>Comments in this project cite the rules of money by number, such as "money rule 3": they are
 * the headings of {@code gateway-payments/docs/money.md}.
 */
@NullMarked
package dev.octroi.payments;

import org.jspecify.annotations.NullMarked;

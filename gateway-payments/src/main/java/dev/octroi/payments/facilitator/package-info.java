/**
 * Who says whether a payment is good and moves the money: the facilitator interface and its
 * implementations.
 */
@NullMarked
package dev.octroi.payments.facilitator;

import org.jspecify.annotations.NullMarked;

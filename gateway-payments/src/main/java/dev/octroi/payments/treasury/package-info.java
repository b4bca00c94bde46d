/**
 * Refunds paid on a chain: a treasury signs for what is owed to payers, the relayers carry it, and
 * only what the chain proves is booked.
 */
@NullMarked
package dev.octroi.payments.treasury;

import org.jspecify.annotations.NullMarked;

/**
 * Money that the gateway moves of its own accord: refunds, for which a treasury signs, and what
 * payers of channels have signed for. The relayers carry it, and only what the chain proves is
 * booked.
 */
@NullMarked
package dev.octroi.payments.treasury;

import org.jspecify.annotations.NullMarked;

/**
 * Calls on account, paid for together: where gas would cost more than a call, an account's calls
 * are settled in the ledger at once and on the chain by one transfer for many.
 */
@NullMarked
package dev.octroi.payments.netting;

import org.jspecify.annotations.NullMarked;

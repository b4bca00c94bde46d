/**
 * The scheme batch-settlement: a payer puts money into a channel once, and signs for each call how
 * much of it the seller may have in all. No call needs a transaction.
 */
@NullMarked
package dev.octroi.payments.evm.channel;

import org.jspecify.annotations.NullMarked;

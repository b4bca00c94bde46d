/**
 * What the EVM chain says of payments: whether one would settle, and whether one has. Nothing here
 * sends a transaction.
 */
@NullMarked
package dev.octroi.payments.evm.chain;

import org.jspecify.annotations.NullMarked;

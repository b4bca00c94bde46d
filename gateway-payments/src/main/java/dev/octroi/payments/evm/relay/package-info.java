/**
 * Settlement on an EVM chain by the gateway itself: relayer keys, their nonces and fees, batches,
 * and every transaction followed to its end. What is sent was stored before.
 */
@NullMarked
package dev.octroi.payments.evm.relay;

import org.jspecify.annotations.NullMarked;

/**
 * The gateway as a facilitator to other x402 servers: {@code /facilitator/verify}, {@code /settle}
 * and {@code /supported}, over whatever settles its own calls, and with the same ledger.
 */
@NullMarked
package dev.octroi.api.facilitator;

import org.jspecify.annotations.NullMarked;

/**
 * The x402 protocol's messages, and the strict reading and writing of them; knows no HTTP server
 * and no chain.
 */
@NullMarked
package dev.octroi.payments.x402;

import org.jspecify.annotations.NullMarked;

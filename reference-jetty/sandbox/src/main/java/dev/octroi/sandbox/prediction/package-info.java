/**
 * The prediction vendor of the sandbox: a seeded universe of markets, games, wallets and oracle
 * questions that every path of the vendor's protocol reads from, so that its answers agree with
 * each other. The vendor's own names stand here because the wire needs them.
 */
@NullMarked
package dev.octroi.sandbox.prediction;

import org.jspecify.annotations.NullMarked;

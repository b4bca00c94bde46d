/**
 * The one world that the sandbox's read vendors tell of: coins and their prices, chains and what
 * wallets do on them, prediction markets and their trades, games. Everything follows from seeds and
 * the time, so that two answers about one thing agree, whichever vendor gives them.
 */
@NullMarked
package dev.octroi.sandbox.world;

import org.jspecify.annotations.NullMarked;

/**
 * A chain for tests: a real EVM node on this machine with the real stablecoin's contracts, so that
 * what the gateway says of chains is shown on one. No part of any deployment.
 */
@NullMarked
package dev.octroi.testchain;

import org.jspecify.annotations.NullMarked;

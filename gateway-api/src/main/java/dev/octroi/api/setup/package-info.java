/**
 * Puts a gateway together from its settings: money, ledger, chains, groups, and what operators look
 * at. Below the entry points of {@code dev.octroi.api}, above everything else; no group imports it.
 */
@NullMarked
package dev.octroi.api.setup;

import org.jspecify.annotations.NullMarked;

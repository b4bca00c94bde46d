/**
 * Accounts that pay by API key: keys, budgets and the wallets that the gateway keeps for them, so
 * that a caller without a wallet of its own pays like one that has.
 */
@NullMarked
package dev.octroi.payments.account;

import org.jspecify.annotations.NullMarked;

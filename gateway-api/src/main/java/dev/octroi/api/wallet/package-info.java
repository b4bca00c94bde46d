/**
 * What those who pay see of it and may change: wallet, limits, usage of an API key, and receipts of
 * payments.
 */
@NullMarked
package dev.octroi.api.wallet;

import org.jspecify.annotations.NullMarked;

/** Receipts of payments, for those who made them. */
@NullMarked
package dev.octroi.api.receipt;

import org.jspecify.annotations.NullMarked;

/**
 * The exact scheme on Solana: its keys and addresses, a strict parser of its transactions and the
 * rules that a payment there has to keep.
 */
@NullMarked
package dev.octroi.payments.solana;

import org.jspecify.annotations.NullMarked;

/**
 * The exact scheme on EVM chains: EIP-712 digests, EIP-3009 authorizations, signing and recovery.
 */
@NullMarked
package dev.octroi.payments.evm;

import org.jspecify.annotations.NullMarked;

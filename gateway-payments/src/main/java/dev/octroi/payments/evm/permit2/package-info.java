/**
 * The exact scheme by Permit2: any token whose holder let Permit2 move it. A payer signs a permit
 * for the exact proxy, which takes no other recipient than the one that was signed.
 */
@NullMarked
package dev.octroi.payments.evm.permit2;

import org.jspecify.annotations.NullMarked;

/**
 * The schemes exact and upto by Permit2: any token whose holder let Permit2 move it. A payer signs
 * a permit for a proxy, which takes no other recipient than the one that was signed, and for upto
 * no other sender than the facilitator.
 */
@NullMarked
package dev.octroi.payments.evm.permit2;

import org.jspecify.annotations.NullMarked;

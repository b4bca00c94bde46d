/**
 * What no call waits for: payments whose end is not known yet are decided by a chain's evidence,
 * and other chores are done from time to time, once for all nodes, by whichever of them lives.
 */
@NullMarked
package dev.octroi.payments.reconcile;

import org.jspecify.annotations.NullMarked;

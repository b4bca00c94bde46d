/**
 * What no call waits for: {@link dev.octroi.payments.reconcile.Decisions} closes payments whose end
 * is not known yet by a chain's evidence, and {@link dev.octroi.payments.reconcile.Reconciler} runs
 * this and other recurring tasks, each on one living node at a time.
 */
@NullMarked
package dev.octroi.payments.reconcile;

import org.jspecify.annotations.NullMarked;

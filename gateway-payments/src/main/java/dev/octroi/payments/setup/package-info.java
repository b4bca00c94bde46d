/** Composes payments out of a ledger, facilitators and what is accepted. */
@NullMarked
package dev.octroi.payments.setup;

import org.jspecify.annotations.NullMarked;

/**
 * The durable truth about every payment, as the rest asks for it: claims, settlements, stored
 * answers, refunds and debts, and who owns them. How it is kept is the business of {@code
 * ledger.jdbc}.
 */
@NullMarked
package dev.octroi.payments.ledger;

import org.jspecify.annotations.NullMarked;

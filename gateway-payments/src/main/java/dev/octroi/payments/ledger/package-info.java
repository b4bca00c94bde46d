/**
 * The durable truth about every payment: claims, settlements, stored answers, and who owns them.
 */
@NullMarked
package dev.octroi.payments.ledger;

import org.jspecify.annotations.NullMarked;

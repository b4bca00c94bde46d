/**
 * The ledger in H2 or PostgreSQL: writer threads that put the claims and transitions of many calls
 * into one transaction, the two dialects, what keeps the tables in order, and the stores beside the
 * payments.
 */
@NullMarked
package dev.octroi.payments.ledger.jdbc;

import org.jspecify.annotations.NullMarked;

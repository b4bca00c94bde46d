/**
 * The ledger in H2 or PostgreSQL: writer threads that put the claims and transitions of many calls
 * into one transaction, the two dialects, what keeps the tables in order, and the stores beside the
 * payments.
 *
 * <p>The stores write their statements by {@link dev.octroi.payments.NamedStatements}. What every
 * paid call runs is prepared by hand, by the methods of {@code Rows}: a named statement takes more
 * processor time than the rows that it reads. That is what {@code Batch} runs: the dialects, {@code
 * Books}, {@code Journal}, {@code KeyBooks}, {@code ChannelRows}, {@code FirstUses}, {@code
 * Redelivering} and {@code Deliveries}; and the {@code Outbox}, whose events are written in the
 * same commits.
 */
@NullMarked
package dev.octroi.payments.ledger.jdbc;

import org.jspecify.annotations.NullMarked;

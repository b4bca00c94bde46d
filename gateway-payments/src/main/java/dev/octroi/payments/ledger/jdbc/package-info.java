/**
 * The ledger in H2 or PostgreSQL: writer threads that put the claims and transitions of many calls
 * into one transaction, the two dialects, what keeps the tables in order, and the stores beside the
 * payments.
 *
 * <p>Statements are written in one way, by {@link dev.octroi.payments.NamedStatements}, with two
 * exceptions. What every paid call runs is prepared by hand, because a named statement costs a call
 * more processor time than the rows that it reads: the dialects, {@code Books}, {@code Journal},
 * {@code KeyBooks}, {@code ChannelRows}, {@code FirstUses}, {@code Redelivering}, {@code
 * Deliveries}. So is what these run in the same commit, {@code Outbox}.
 */
@NullMarked
package dev.octroi.payments.ledger.jdbc;

import org.jspecify.annotations.NullMarked;

/**
 * The books held to account: what the payments say, what the journal says and what the chains say
 * is compared, and every movement can be taken away for a bookkeeper.
 */
@NullMarked
package dev.octroi.payments.books;

import org.jspecify.annotations.NullMarked;

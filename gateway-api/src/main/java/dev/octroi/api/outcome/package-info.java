/**
 * How calls end: counted in memory, summed up by the hour in the database, for the operator to see
 * what fails.
 */
@NullMarked
package dev.octroi.api.outcome;

import org.jspecify.annotations.NullMarked;

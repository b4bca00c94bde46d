/**
 * Endpoints as data: what a row is, how its parameters are checked, and the one path from a row to
 * its answer.
 */
@NullMarked
package dev.octroi.services.read;

import org.jspecify.annotations.NullMarked;

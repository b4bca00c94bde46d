/**
 * What groups of reads have in common: a path finds its row, the row's answer becomes a response,
 * and what is posted is looked at before it is passed on.
 */
@NullMarked
package dev.octroi.api.read;

import org.jspecify.annotations.NullMarked;

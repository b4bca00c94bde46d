/**
 * What operators see of calls: the seam that figures, traces and the access log share, the log and
 * the traces themselves, and how calls ended, summed up by the hour in the database.
 */
@NullMarked
package dev.octroi.api.observe;

import org.jspecify.annotations.NullMarked;

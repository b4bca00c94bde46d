/**
 * What operators see of calls while they are made: the seam that figures, traces and the access log
 * share, and the log itself.
 */
@NullMarked
package dev.octroi.api.observe;

import org.jspecify.annotations.NullMarked;

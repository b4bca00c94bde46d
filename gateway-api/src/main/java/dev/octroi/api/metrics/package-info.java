/** Figures for plots and alerts: what is counted and timed, and who may read it. */
@NullMarked
package dev.octroi.api.metrics;

import org.jspecify.annotations.NullMarked;

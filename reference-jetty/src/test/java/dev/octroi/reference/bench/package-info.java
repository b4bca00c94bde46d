/**
 * Microbenchmarks of the work that every paid call costs, which {@link Benchmarks} runs, and what
 * the command of the benchmarks page runs besides.
 */
@NullMarked
package dev.octroi.reference.bench;

import org.jspecify.annotations.NullMarked;

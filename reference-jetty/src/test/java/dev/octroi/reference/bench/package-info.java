/** Microbenchmarks of the work that every paid call costs; {@link Benchmarks} runs them. */
@NullMarked
package dev.octroi.reference.bench;

import org.jspecify.annotations.NullMarked;

/**
 * The prediction vendor of the sandbox: its paths, envelopes and errors over the one world. What
 * its paths answer stands in {@code answers.txt}.
 */
@NullMarked
package dev.octroi.sandbox.prediction;

import org.jspecify.annotations.NullMarked;

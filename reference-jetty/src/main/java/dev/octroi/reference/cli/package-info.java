/**
 * The command line of the jar: serve, pay, demo, and what an operator does with a running gateway.
 */
@NullMarked
package dev.octroi.reference.cli;

import org.jspecify.annotations.NullMarked;

/** The command line of the jar: serve, pay, demo. */
@NullMarked
package dev.octroi.reference.cli;

import org.jspecify.annotations.NullMarked;

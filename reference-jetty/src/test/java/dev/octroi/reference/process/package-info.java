/**
 * Tests of the built jar as a process of its own: killed, stopped and used as an operator does,
 * judged from outside.
 */
@NullMarked
package dev.octroi.reference.process;

import org.jspecify.annotations.NullMarked;

/**
 * Answers of the sandbox's read vendors as data: definitions of what a path answers are read from a
 * text resource and evaluated for each call. The language is a small set of expressions over items,
 * lists and times, described in {@code docs/world.md}.
 */
@NullMarked
package dev.octroi.sandbox.formula;

import org.jspecify.annotations.NullMarked;

/** A hall that sells seats and words, and of Octroi uses only the payments. */
@NullMarked
package dev.octroi.examples.hall;

import org.jspecify.annotations.NullMarked;

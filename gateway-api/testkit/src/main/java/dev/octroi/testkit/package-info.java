/** The behaviour that every deployment must show, as tests that need only a base URL. */
@NullMarked
package dev.octroi.testkit;

import org.jspecify.annotations.NullMarked;

/**
 * The page that says which sentence of the specification is shown by which test, made of the tags
 * that tests carry, and which are shown by none.
 */
@NullMarked
package dev.octroi.reference.coverage;

import org.jspecify.annotations.NullMarked;

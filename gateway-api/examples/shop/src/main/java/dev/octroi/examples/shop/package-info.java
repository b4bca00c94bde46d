/** A shop that sells its own methods, and of Octroi uses only the payments. */
@NullMarked
package dev.octroi.examples.shop;

import org.jspecify.annotations.NullMarked;

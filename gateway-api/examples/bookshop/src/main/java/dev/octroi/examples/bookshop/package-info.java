/** A bookshop that was there before, and now has the gateway beside its own resources. */
@NullMarked
package dev.octroi.examples.bookshop;

import org.jspecify.annotations.NullMarked;

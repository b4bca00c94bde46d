/**
 * What the operator asks in place of the listed prices: by row, group and key, and from when on.
 */
@NullMarked
package dev.octroi.api.price;

import org.jspecify.annotations.NullMarked;

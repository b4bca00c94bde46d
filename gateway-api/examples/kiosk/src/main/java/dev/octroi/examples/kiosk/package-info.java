/** A kiosk that is nothing but the gateway, at prices of its own. */
@NullMarked
package dev.octroi.examples.kiosk;

import org.jspecify.annotations.NullMarked;

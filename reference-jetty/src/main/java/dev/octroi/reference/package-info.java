/**
 * The runnable gateway: Jetty, Jersey, Weld as its CDI container, H2, and the sandbox where nothing
 * else is set.
 */
@NullMarked
package dev.octroi.reference;

import org.jspecify.annotations.NullMarked;

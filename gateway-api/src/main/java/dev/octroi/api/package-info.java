/**
 * The HTTP face of the gateway: resources, errors, limits, configuration and the composition root.
 */
@NullMarked
package dev.octroi.api;

import org.jspecify.annotations.NullMarked;

/**
 * The entry points of the gateway: what a host builds, mounts and asks. Nothing below imports it.
 */
@NullMarked
package dev.octroi.api;

import org.jspecify.annotations.NullMarked;

/**
 * Upstreams for trying and testing: a server that speaks the vendors' wire protocols with
 * plausible, deterministic data. The gateway reaches it through its real connectors.
 */
@NullMarked
package dev.octroi.sandbox;

import org.jspecify.annotations.NullMarked;
